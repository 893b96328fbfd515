import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Express, IRouter, Request, RequestHandler, Response } from "express";
import { cacheable, send, sendJson } from "./answer.js";
import { methodNotAllowed } from "./errors.js";
import { recordOf } from "./access-log.js";
import type { RouteName } from "./request-names.js";

const require = createRequire(import.meta.url);

/** The published documents, as bytes: name → file of the spec package and media type. */
const documents = [
  ["openapi.json", "@kalends/spec/openapi.json", "application/json"],
  ["openapi.yaml", "@kalends/spec/openapi.yaml", "application/yaml"],
  ["openapi-3.1.json", "@kalends/spec/openapi-3.1.json", "application/json"],
  ["openapi-generators.json", "@kalends/spec/openapi-generators.json", "application/json"],
  ["openapi-kalends.json", "@kalends/spec/openapi-kalends.json", "application/json"],
  ["openapi-kalends.yaml", "@kalends/spec/openapi-kalends.yaml", "application/yaml"],
  ["openapi-kalends-generators.json", "@kalends/spec/openapi-kalends-generators.json", "application/json"],
] as const;

/** Serves the OpenAPI documents with ETag and open CORS, and the health of the process. */
export function mountPages(app: Express, isReady: () => Promise<boolean>): void {
  for (const [name, file, type] of documents) {
    const document = cacheable(type, readFileSync(require.resolve(file)));
    addRead(app, `/${name}`, name, (req, res) => {
      res.setHeader("Access-Control-Allow-Origin", "*");
      send(req, res, document);
    });
  }
  // The process turns: no database, so that a slow disk does not get it restarted.
  addRead(app, "/healthz", "healthz", (_req, res) => sendJson(res, 200, { status: "ok" }));
  addRead(app, "/readyz", "readyz", async (_req, res) => {
    const ready = await isReady();
    sendJson(
      res,
      ready ? 200 : 503,
      { status: ready ? "ok" : "unavailable" },
      ready ? {} : { "Retry-After": "1" },
    );
  });
}

/** Serves a path that only reads, to GET and HEAD; each that is no operation comes by here. `name` is that in the access log. */
export function addRead(
  router: IRouter,
  path: string | string[],
  name: RouteName,
  handler: (req: Request, res: Response) => void | Promise<void>,
  guards: readonly RequestHandler[] = [],
): void {
  router.all(path, ...guards, (req: Request, res: Response) => {
    recordOf(res).operation = name;
    if (req.method !== "GET" && req.method !== "HEAD") throw methodNotAllowed(req.method, ["GET", "HEAD"]);
    return handler(req, res);
  });
}
