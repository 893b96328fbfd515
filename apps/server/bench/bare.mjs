// First baseline: node:http alone; sends the same prepared headers and body for every request.
// node bench/bare.mjs FILE, where FILE is JSON: {"path":"/…","status":200,"headers":{…},"bodyBase64":"…"}
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { status, headers, bodyBase64 } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const body = Buffer.from(bodyBase64, "base64");
const server = createServer((_req, res) => {
  res.writeHead(status, headers);
  if (body.length === 0) res.end();
  else res.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
process.once("SIGTERM", () => process.exit(0));
