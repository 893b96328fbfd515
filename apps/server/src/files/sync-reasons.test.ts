import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { failuresOf } from "../background/failures.js";
import { Worker } from "../background/worker.js";
import { limitAccounts } from "../calendars/stored-bytes.js";
import { runDue } from "../../test/background.js";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { startTestServer } from "../../test/harness.js";
import { createResolve } from "../webhooks/ssrf-guard.js";
import { fetchFile } from "./fetch.js";
import { findSync, insertSync } from "./sync-queries.js";
import { syncQueue } from "./sync-run.js";

// What an operator learns of a sync that fails.

const file = calendarFile(vevent());
const fetching = {
  sending: { allowsPrivate: true, resolve: createResolve() },
  userAgent: "test",
  signal: new AbortController().signal,
};

const source = createServer((req, res) => reply(req, res));
let reply: RequestListener = (_req, res) => res.end(file);
const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
source.listen(0, "127.0.0.1");
await once(source, "listening");
const address = source.address();
const url: string = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/town.ics`;
afterAll(async () => {
  source.close();
  await server.stop();
});

test("the URL of a redirect that is refused is named as such; one with a fragment is followed without it", async () => {
  let location = "file:///etc/hostname";
  reply = (req, res) =>
    req.url === "/town.ics" ? res.writeHead(302, { Location: location }).end() : res.end(file);
  const fetched = () => fetchFile({ url, credentials: "" }, undefined, fetching);
  await expect(fetched()).rejects.toThrow("The URL of a redirect must begin with https://.");
  location = "/moved.ics#today";
  expect((await fetched())?.bytes.toString()).toBe(file);
});

test("the log says why a file could not be stored", async () => {
  reply = (_req, res) => res.end(file);
  const { id: account_id, call } = await server.account();
  const { calendar } = (await call("createCalendar", { title: "Town", timezone: "UTC" })).body;
  const { now, db } = server;
  const of = { account_id, calendar_id: Number(calendar.id), url, every_seconds: 3600 };
  const { id } = await db.transaction((trx) => insertSync(trx, { ...of, next_at: now, created_at: now }));
  await db.transaction((trx) => trx.schema.renameTable("imported_events", "hidden"));
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const queue = syncQueue({ db, log, clock: () => now, ...fetching });
  const worker = new Worker({ ...queue, atStart: true }, log);
  await expect.poll(() => lines).toHaveLength(2);
  await worker.stop();
  await db.transaction((trx) => trx.schema.renameTable("hidden", "imported_events"));
  expect((await findSync(db.read, id))?.error).toBe("The file could not be stored.");
  const [line = "{}", why = "{}"] = lines;
  expect(JSON.parse(why)).toMatchObject({
    kind: "sync",
    err: { code: expect.stringMatching(/^(?:SQLITE_ERROR|42P01)$/) },
  });
  expect(JSON.parse(line)).toMatchObject({
    msg: "calendar sync failed",
    reason: "The file could not be stored.",
  });
  expect(why + line).not.toContain(url);
});

test("a file that its account has no room for is said to be that, and is no failure of the server", async () => {
  reply = (_req, res) => res.end(file);
  const { id: account_id, call } = await server.account();
  const { calendar } = (await call("createCalendar", { title: "Town", timezone: "UTC" })).body;
  const { now, db } = server;
  const of = { account_id, calendar_id: Number(calendar.id), url, every_seconds: 3600 };
  const { id } = await db.transaction((trx) => insertSync(trx, { ...of, next_at: now, created_at: now }));
  limitAccounts(1);
  const failed = failuresOf("sync");
  await runDue(syncQueue({ db, log: pino({ level: "silent" }), clock: () => now, ...fetching }));
  limitAccounts(false);
  const sync = await findSync(db.read, id);
  expect([sync?.error, failuresOf("sync") - failed]).toEqual([
    "The account stores as many bytes as it may.",
    0,
  ]);
});
