import { html, type Html } from "./html.js";
import { consoleManifest } from "./console-files.js";
import { assets } from "./static-files.js";

/** Renders the page that the console draws itself into, the same at every address. @param root path prefix of the service */
export function consolePage(language: string, root: string): Html {
  const { script = "", style = "", preload = [], texts = {} } = consoleManifest ?? {};
  const base = `${root}/console/assets/`;
  const early = [...preload, texts[language] ?? ""].filter((name) => name !== "");
  return html`<!doctype html>
    <html lang="${language}" dir="ltr" data-root="${root}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f7f5f0" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#131615" media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <title>Kalends</title>
        <link rel="stylesheet" href="${base}${style}" />
        ${early.map((name) => html`<link rel="modulepreload" href="${base}${name}" />`)}
        <link rel="icon" href="${root}${assets.icon}" type="image/svg+xml" />
        <script type="module" src="${base}${script}"></script>
      </head>
      <body>
        <div id="app"></div>
        <noscript><p>This page needs JavaScript.</p></noscript>
      </body>
    </html> `;
}
