import type { RequestHandler } from "express";
import helmet from "helmet";
import { html, type Html } from "./html.js";
import { assets } from "./static-files.js";

export interface Reference {
  readonly path: string;
  readonly name: string;
  readonly documentPath: string;
}

export const references: readonly Reference[] = [
  // This document has each operation once, writes as POST.
  { path: "/docs", name: "API", documentPath: "/openapi-generators.json" },
  { path: "/docs/extensions", name: "Extensions", documentPath: "/openapi-kalends.json" },
];

const none = ["'none'"];
const self = ["'self'"];

/** Sets the policy of the reference: it runs a library and sends requests, but only to this service. */
export const protectReference: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: none,
    scriptSrc: self,
    styleSrc: self,
    imgSrc: ["'self'", "data:"], // the icons in the library's stylesheet
    connectSrc: self, // the document, and the requests that a visitor tries
    formAction: none,
    baseUri: none,
    frameAncestors: none,
  },
});

/** Renders a page of the API reference (docs/decisions/0008-api-documents.md). @param root path prefix of the service */
export function referencePage(shown: Reference, root: string): Html {
  const { name, documentPath } = shown;
  const links = references.map(({ path, name }) =>
    path === shown.path
      ? html`<a href="${root}${path}" aria-current="page">${name}</a> `
      : html`<a href="${root}${path}">${name}</a> `,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${name} reference · Kalends</title>
        <link rel="stylesheet" href="${root}${assets.referenceLibraryStyle}" />
        <link rel="stylesheet" href="${root}${assets.referenceStyle}" />
        <link rel="icon" href="${root}${assets.icon}" type="image/svg+xml" />
        <script src="${root}${assets.referenceLibrary}" defer></script>
        <script src="${root}${assets.referenceScript}" defer></script>
      </head>
      <body>
        <nav>
          <a href="${root}/">Kalends</a> ${links}<a href="${root}${documentPath}">OpenAPI document</a>
        </nav>
        <main id="reference" data-root="${root}" data-document="${root}${documentPath}">
          <noscript><p>This page needs JavaScript. The OpenAPI document has the same content.</p></noscript>
        </main>
      </body>
    </html> `;
}
