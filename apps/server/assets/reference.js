// Starts the API reference: Swagger UI, without what it would send to other sites or keep.
const place = document.getElementById("reference");
const { root, document: url } = place.dataset;

const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", showTheme);
showTheme();

/** The library's own layout without a second main part, and with a heading between that of the page and those of the tags. */
function ReferenceLayout({ getComponent, specSelectors, React }) {
  const make = React.createElement;
  const part = (name) => make(getComponent(name, true));
  const row = (...parts) => make("div", { className: "wrapper" }, ...parts);
  const loaded = () => [
    row(part("InfoContainer")),
    make("div", { className: "scheme-container" }, row(part("AuthorizeBtnContainer"))),
    row(
      make("h2", { className: "operations-title" }, "Operations"),
      part("operations"),
      specSelectors.isOAS31() ? part("Webhooks") : null,
      part("Models"),
    ),
  ];
  const parts = specSelectors.specStr() ? loaded() : [];
  return make("div", { className: "swagger-ui" }, part("SvgAssets"), row(part("errors")), ...parts);
}

const accessible = ({ React }) => ({
  components: { ReferenceLayout: (props) => ReferenceLayout({ ...props, React }) },
  wrapComponents: {
    DeepLink: () => (props) => React.createElement("span", null, props.text), // it stands within a button
  },
});

/** Attributes that the library leaves out or repeats, by selector. React keeps what it has not set itself. */
const attributes = [
  [".webhooks h2", "aria-level", "3"],
  [".examples-select-element", "aria-label", "Example"],
  [".content-type", "aria-label", "Media type"],
  [".body-param__text", "aria-label", "Request body"],
  ["table[role=region]", "role", "table"],
  ["pre.microlight", "tabindex", "0"], // which scrolls
];

new MutationObserver(() => {
  for (const [selector, name, value] of attributes)
    for (const element of place.querySelectorAll(selector))
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}).observe(place, { childList: true, subtree: true });

globalThis.SwaggerUIBundle({
  url,
  domNode: place,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  plugins: [accessible],
  layout: "ReferenceLayout",
  syntaxHighlight: { theme: "tomorrow-night" },
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
