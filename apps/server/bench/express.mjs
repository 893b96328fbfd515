// Second baseline: Express alone with one route; sends the same prepared headers and body. node bench/express.mjs FILE (as bare.mjs)
import { readFileSync } from "node:fs";
import express from "express";

const { path, status, headers, bodyBase64 } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const body = Buffer.from(bodyBase64, "base64");
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get(path, (_req, res) => {
  res.writeHead(status, headers);
  if (body.length === 0) res.end();
  else res.end(body);
});
const server = app.listen(0, "127.0.0.1", () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}`),
);
process.once("SIGTERM", () => process.exit(0));
