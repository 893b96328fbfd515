// Starts the API reference: Swagger UI, without what it would send to other sites or keep.
const place = document.getElementById("reference");
const { root, document: url } = place.dataset;

const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", showTheme);
showTheme();

globalThis.SwaggerUIBundle({
  url,
  domNode: place,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  persistAuthorization: false, // the token stays in memory
  tryItOutEnabled: true,
  validatorUrl: "none", // else it sends the document's address to swagger.io
  requestInterceptor: (request) => {
    // The document's server is "/", which lacks the path that PUBLIC_URL may have.
    const target = new URL(request.url, location.href);
    if (target.origin === location.origin && !target.pathname.startsWith(`${root}/`))
      target.pathname = root + target.pathname;
    request.url = target.href;
    return request;
  },
});
