import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import express from "express";
import { afterAll, expect, test } from "vitest";
import { randomFrom } from "../../test/random.js";
import { requestClasses } from "./request-classes.js";

const app = express();
const born: boolean[] = [];
const server = createServer(requestClasses(app), (req, res) => {
  const isBorn = (): boolean =>
    Object.getPrototypeOf(req) === app.request && Object.getPrototypeOf(res) === app.response;
  born.push(isBorn());
  app(req, res);
  born.push(isBorn());
});
app.get("/mirror", (req, res) => {
  res.json({
    accepts: req.accepts("html", "json"),
    app: req.app === app && res.app === app,
    query: req.query,
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => void server.close());

test("Express finds its prototypes there already, and all that it adds works", async () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const answer = await fetch(`http://127.0.0.1:${port}/mirror?a=b`, {
    headers: { Accept: "application/json" },
  });
  expect(await answer.json()).toEqual({ accepts: "json", app: true, query: { a: "b" } });
  expect(born).toEqual([true, true]);
});

test("a body is what was sent, whatever its pieces and whenever it is read", async () => {
  const random = randomFrom(7);
  const received = createServer(requestClasses(express()), (req, res) => {
    const chunks: Buffer[] = [];
    const read = (): void => {
      req.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (random() > 0.1) return;
        req.pause();
        setTimeout(() => req.resume(), 2);
      });
      req.once("end", () => res.end(Buffer.concat(chunks)));
    };
    if (random() < 0.3) read();
    else setTimeout(read, random() * 5);
  }).listen(0, "127.0.0.1");
  await once(received, "listening");
  const address = received.address();
  const port = typeof address === "object" ? address?.port : undefined;
  for (let round = 0; round < 60; round++) {
    const pieces = Array.from({ length: 1 + random() * 900 }, () =>
      String.fromCharCode(97 + random() * 26).repeat(1 + random() ** 4 * 2_000),
    );
    const sent = request({ port, method: "POST" });
    // All wait for the connection, then go in one segment. (`cork` of the request itself breaks their framing on Node 22 and 24.)
    for (const piece of pieces) sent.write(piece);
    sent.end();
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
    expect(await text(answer)).toBe(pieces.join(""));
  }
  received.close();
});
