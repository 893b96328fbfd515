import express, { type Request, type Response, type Router } from "express";
import Negotiator from "negotiator";
import { addRead } from "../http/documents.js";
import { send } from "../http/answer.js";
import { checkHost } from "../http/guards.js";
import { respondError, type PageServices } from "./pages.js";
import { type ConsoleFile, consoleFiles, consoleManifest } from "./views/console-files.js";
import { consolePage } from "./views/console-page.js";
import { sendErrorPage } from "./views/error-page.js";
import { languageOf } from "./views/language.js";
import { consoleHeaders, pageHeaders, rootOf, sendPage } from "./views/page-response.js";

/** Serves the organizer's console: its files, and one page at every other address below /console. */
export function consolePages({ publicUrl, log }: Pick<PageServices, "publicUrl" | "log">): Router {
  const router = express.Router({ caseSensitive: true });
  if (consoleManifest === undefined) return router;
  const files = consoleFiles();
  // What is below is of the API, errors included.
  router.use("/console/api", (_req, _res, next) => next("router"));
  const guards = [pageHeaders(publicUrl), checkHost, consoleHeaders];
  addRead(router, "/console/assets/:name", "asset", (req, res) => sendFile(files, req, res), guards);
  addRead(router, ["/console", "/console/*path"], "console", sendShell, guards);
  router.use("/console", respondError(log));
  return router;
}

function sendFile(files: ReadonlyMap<string, ConsoleFile>, req: Request, res: Response): void {
  const { name } = req.params;
  const file = typeof name === "string" ? files.get(name) : undefined;
  if (file === undefined) return sendErrorPage(req, res, 404);
  const accepted = new Negotiator(req).encodings(file.map(([encoding]) => encoding));
  const found = file.find(([encoding]) => accepted.includes(encoding)) ?? file.at(-1);
  if (found === undefined) return sendErrorPage(req, res, 404);
  const [encoding, content] = found;
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  res.vary("Accept-Encoding");
  if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
  send(req, res, content);
}

function sendShell(req: Request, res: Response): void {
  // Validated each time: a new release has other files.
  res.setHeader("Cache-Control", "no-cache");
  const { texts } = languageOf(req.headers["accept-language"]);
  sendPage(req, res, 200, consolePage(texts.language, rootOf(res)));
}
