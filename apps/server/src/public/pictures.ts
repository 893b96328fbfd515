import express, { type Response, type Router } from "express";
import { findPictureFile } from "../calendars/picture-queries.js";
import { send } from "../http/answer.js";
import { addRead } from "../http/documents.js";
import { countUnsent, heavy } from "../http/quota.js";
import { pageGuards, type PageServices, respondError, sendErrorPage, visitOf } from "./page.js";

const types = { webp: "image/webp", jpg: "image/jpeg" } as const;

/** The owner of all that reads pictures, so that those who load many wait for each other alone. */
const readers = "pictures";

/** Serves what was made of pictures, by hash alone: nothing that was sent is ever served as it came. */
export function pictureFiles(services: PageServices): Router {
  const router = express.Router({ caseSensitive: true });
  router.use("/p", ...pageGuards(services.publicUrl));
  addRead(router, "/p/:file", "picture", async (req, res) => {
    const [, hash, name, type] =
      /^\/p\/([0-9a-f]{32})-((?:320|640|1280)\.(webp)|1200\.(?:jpg))$/.exec(req.path) ?? [];
    const find = () => findPictureFile(services.db, hash ?? "", name ?? "");
    const content = hash === undefined ? undefined : await heavy.run(readers, find);
    if (content === undefined) return sendErrorPage(visitOf(req, res, services), 404);
    const bytes = Buffer.from(content, "base64");
    countUnsent(res, readers, bytes);
    setHeaders(res);
    send(req, res, { parts: [bytes], type: type === undefined ? types.jpg : types.webp, etag: `"${hash}"` });
  });
  router.use("/p", (req, res) => sendErrorPage(visitOf(req, res, services), 404));
  router.use("/p", respondError(services));
  return router;
}

/** Other sites show pictures too: those of the list that they embed, and previews of links. */
function setHeaders(res: Response): void {
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
  res.removeHeader("X-Robots-Tag");
}
