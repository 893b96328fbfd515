import { once } from "node:events";
import { createServer } from "node:http";
import express from "express";
import { afterAll, expect, test } from "vitest";
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
