import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runDue } from "../../test/background.js";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";
import { Worker } from "../background/worker.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import { createResolve } from "../webhooks/ssrf-guard.js";
import { codeOf } from "./error-codes.js";
import { findSync, insertSync } from "./sync-queries.js";
import { type SyncContext, syncQueue } from "./sync-run.js";

// A source of files on this machine, and syncs of it. The job of the server itself runs later than these tests, and would do the same.

type Reply = (req: IncomingMessage, res: ServerResponse) => void;

let server: TestServer;
let account: TestAccount;
let source: Server;
let url: string;
let reply: Reply;
let seen: IncomingMessage[];

beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
  account = await server.account();
  source = createServer((req, res) => {
    seen.push(req);
    reply(req, res);
  });
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = source.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/town.ics`;
});
afterAll(async () => {
  source.closeAllConnections();
  await new Promise((resolve) => source.close(resolve));
  await server.stop();
});
beforeEach(async () => {
  seen = [];
  await server.db.transaction((trx) => trx("calendar_syncs").delete());
});

function context(change: Partial<SyncContext> = {}): SyncContext {
  return {
    db: server.db,
    log: pino({ level: "silent" }),
    clock: () => server.now,
    sending: { allowsPrivate: true, resolve: createResolve() },
    userAgent: "test",
    signal: new AbortController().signal,
    ...change,
  };
}

const run = (change: Partial<SyncContext> = {}) => runDue(syncQueue(context(change)));

async function newSync(
  target = url,
  owner = account,
): Promise<{ readonly calendarId: string; readonly id: number }> {
  const { body } = await owner.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" });
  const calendarId: string = body.calendar.id;
  const { id } = await server.db.transaction((trx) =>
    insertSync(trx, {
      account_id: owner.id,
      calendar_id: Number(calendarId),
      url: target,
      every_seconds: 3600,
      next_at: server.now,
      created_at: server.now,
    }),
  );
  return { calendarId, id };
}

async function titles(calendar_id: string): Promise<readonly string[]> {
  const { body } = await account.call("eventsList", { calendar_id, order_by: "id-asc" });
  return body.events.map(({ title }: { title: string }) => title);
}

async function rowOf(id: number): Promise<CalendarSyncRow> {
  const row = await findSync(server.db.read, id);
  if (row === undefined) throw new Error("no such sync");
  return row;
}

function file(text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return (_req, res) => res.writeHead(200, { "Content-Type": "text/calendar", ...headers }).end(text);
}

describe("a sync", () => {
  test("imports the file, asks by its validators, and reads it whole after a day", async () => {
    const { calendarId, id } = await newSync();
    reply = (req, res) =>
      req.headers["if-none-match"] === '"1"'
        ? res.writeHead(304).end()
        : file(calendarFile(vevent()), { ETag: '"1"', "Last-Modified": "Wed, 01 Jul 2026 00:00:00 GMT" })(
            req,
            res,
          );
    await run();
    expect(await titles(calendarId)).toEqual(["One"]);
    const first = await rowOf(id);
    expect(first).toMatchObject({
      error: "",
      claimed_until: 0,
      report: "1 created, 0 changed, 0 unchanged, 0 skipped, 0 deleted",
    });
    expect(first.next_at - server.now).toBeGreaterThanOrEqual(3600);
    await run(); // not due
    expect(seen.length).toBe(1);
    server.now += 4000;
    await run();
    expect(seen.at(-1)?.headers).toMatchObject({
      "if-none-match": '"1"',
      "if-modified-since": "Wed, 01 Jul 2026 00:00:00 GMT",
    });
    server.now += 86_400;
    await run();
    expect(seen.at(-1)?.headers["if-none-match"]).toBeUndefined();
    expect((await rowOf(id)).report).toBe("0 created, 0 changed, 1 unchanged, 0 skipped, 0 deleted");
  });

  test("takes no custom_data from its file, which strangers write", async () => {
    const { calendarId } = await newSync();
    reply = file(calendarFile(vevent('X-KALENDS-CUSTOM-DATA:{"paid":true}')));
    await run();
    const { body } = await account.call("eventsList", { calendar_id: calendarId });
    expect(body.events.map((event: { custom_data: object }) => event.custom_data)).toEqual([{}]);
  });

  test("deletes the future events that it has made and that are gone, and no others", async () => {
    const { calendarId, id } = await newSync();
    const past = vevent("UID:past", "SUMMARY:Past", "DTSTART:20260101T100000Z");
    await account.call("createEvent", {
      calendar_id: calendarId,
      title: "Own",
      start_date: "2026-08-01 10:00",
    });
    reply = file(
      calendarFile(
        vevent("UID:a", "SUMMARY:Stays"),
        vevent("UID:b", "SUMMARY:Goes"),
        vevent("UID:c", "SUMMARY:Broken later"),
        past,
      ),
    );
    await run();
    expect(await titles(calendarId)).toEqual(["Own", "Stays", "Goes", "Broken later", "Past"]);
    reply = file(
      calendarFile(vevent("UID:a", "SUMMARY:Stays"), vevent("UID:c", "DTSTART;TZID=Nowhere:20260801T100000")),
    );
    server.now += 4000;
    await run();
    expect(await titles(calendarId)).toEqual(["Own", "Stays", "Broken later", "Past"]);
    expect((await rowOf(id)).report).toContain("1 skipped, 1 deleted");
  });

  test.each([
    ["nothing", ""],
    ["a task", "BEGIN:VTODO\r\nUID:a\r\nSUMMARY:Stays\r\nEND:VTODO"],
    ["busy times", "BEGIN:VFREEBUSY\r\nUID:a\r\nEND:VFREEBUSY"],
  ])("deletes nothing when its file has no event: it holds %s", async (_what, component) => {
    const { calendarId, id } = await newSync();
    reply = file(calendarFile(vevent("UID:a", "SUMMARY:Stays"), vevent("UID:b", "SUMMARY:Stays too")));
    await run();
    reply = file(calendarFile(component));
    server.now += 4000;
    await run();
    expect(await titles(calendarId)).toEqual(["Stays", "Stays too"]);
    expect((await rowOf(id)).report).toContain(" 0 deleted");
  });

  test("takes no private event, and deletes those that it took before it knew, past ones too", async () => {
    const { calendarId } = await newSync();
    const past = vevent("UID:past", "SUMMARY:Past", "DTSTART:20260101T100000Z");
    const coming = vevent("UID:coming", "SUMMARY:Coming");
    const series = ["UID:series", "SUMMARY:Daily", "DTSTART:20260901T100000Z", "RRULE:FREQ=DAILY;COUNT=3"];
    reply = file(calendarFile(past, coming, vevent(...series)));
    await run();
    expect(await titles(calendarId)).toEqual(["Past", "Coming", "Daily", "Daily", "Daily"]);
    const asPrivate = (text: string) => text.replace("END:VEVENT", "CLASS:PRIVATE\r\nEND:VEVENT");
    const date = vevent(
      "UID:series",
      "RECURRENCE-ID:20260902T100000Z",
      "DTSTART:20260902T100000Z",
      "SUMMARY:Date",
    );
    reply = file(calendarFile(asPrivate(past), asPrivate(coming), vevent(...series), asPrivate(date)));
    server.now += 7_200;
    const lines: string[] = [];
    await run({ log: pino({}, { write: (line) => void lines.push(line) }) });
    expect(await titles(calendarId)).toEqual(["Daily", "Daily"]);
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { msg: "events of a sync deleted: its file says that they are private", deleted: 3 },
    ]);
  });

  test("deletes what has become private too when it can no longer be read, or its file has it twice", async () => {
    const { calendarId } = await newSync();
    const [one, two] = [vevent("UID:one", "SUMMARY:One"), vevent("UID:two", "SUMMARY:Two")];
    reply = file(calendarFile(one, two));
    await run();
    expect(await titles(calendarId)).toEqual(["One", "Two"]);
    const unread = vevent("UID:one", "CLASS:PRIVATE", "DTSTART;TZID=Nowhere:20260801T100000");
    reply = file(calendarFile(unread, two, vevent("UID:two", "CLASS:PRIVATE")));
    server.now += 7_200;
    await run();
    expect(await titles(calendarId)).toEqual([]);
  });

  test("reads its file in the charset that the server names", async () => {
    const { calendarId, id } = await newSync();
    reply = (_req, res) =>
      res
        .writeHead(200, { "Content-Type": "text/calendar; charset=iso-8859-2" })
        .end(Buffer.from(calendarFile(vevent("SUMMARY:\xb3")), "latin1"));
    await run();
    expect(await titles(calendarId)).toEqual(["ł"]);
    expect((await rowOf(id)).report).toMatch(/^1 created, .*, read as iso-8859-2$/);
  });

  test("keeps the dates of a rule that it can no longer follow", async () => {
    const { calendarId } = await newSync();
    const daily = (rule: string) => vevent("UID:daily", "DTSTART:20260901T100000Z", "SUMMARY:Daily", rule);
    reply = file(calendarFile(daily("RRULE:FREQ=DAILY;COUNT=3")));
    await run();
    reply = file(calendarFile(daily("RRULE:FREQ=HOURLY")));
    server.now += 7_200;
    await run();
    expect(await titles(calendarId)).toEqual(["Daily", "Daily", "Daily"]);
  });

  test("that fails is tried again later each time, and says why", async () => {
    const { calendarId, id } = await newSync();
    const pauses: number[] = [];
    const failures: readonly (readonly [Reply, string, string])[] = [
      [(_req, res) => res.writeHead(404).end(), "The response was 404.", "response"],
      [(_req, res) => res.writeHead(304).end(), "The response was 304.", "response"], // without having been asked
      [
        file("<html>"),
        "The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR.",
        "unreadable",
      ],
      [
        (_req, res) => res.writeHead(200, { "Content-Length": "10000001" }).end(),
        "The file is larger than 10 MB.",
        "too_large",
      ],
      [
        (_req, res) => res.writeHead(200, { "Content-Encoding": "gzip" }).end("x"),
        "The response is compressed and damaged.",
        "response",
      ],
      [(_req, res) => res.destroy(), "The connection failed: ECONNRESET.", "connection"],
      [
        (_req, res) => res.writeHead(302, { Location: "/town.ics" }).end(),
        "There are more than 5 redirects.",
        "response",
      ],
      [
        (_req, res) =>
          res
            .writeHead(200, { "Content-Type": "text/calendar" })
            .end(Buffer.from(calendarFile(vevent("SUMMARY:\x81\xe9")), "latin1")),
        "The file is neither UTF-8 nor Windows-1252, and no charset was named. Save it as UTF-8.",
        "unreadable",
      ],
    ];
    for (const [answer, reason, code] of failures) {
      reply = answer;
      await run();
      const row = await rowOf(id);
      expect([row.error, codeOf(row.error)]).toEqual([reason, code]);
      pauses.push(row.next_at - server.now);
      server.now = row.next_at;
    }
    expect(pauses.map((pause) => Math.round(pause / 3600 / 1.05 + 0.4))).toEqual(
      [2, 4, 8, 16, 24, 24, 24, 24].map((hours) =>
        expect.toSatisfy((value: number) => Math.abs(value - hours) <= 1),
      ),
    );
    expect(await titles(calendarId)).toEqual([]);
    reply = file(calendarFile(vevent()));
    await run();
    expect(await rowOf(id)).toMatchObject({ error: "", failures: 0 });
  });

  test("refuses addresses that are not public, also by redirect", async () => {
    const { id } = await newSync();
    await run({ sending: { allowsPrivate: false, resolve: createResolve() } });
    const errorOf = async () => (await rowOf(id)).error;
    expect(codeOf(await errorOf())).toBe("address");
    expect(await errorOf()).toBe("The URL must begin with https://.");
    expect(seen.length).toBe(0);
    await server.db.transaction((trx) =>
      trx("calendar_syncs").where({ id }).update({ url: "https://localhost/x.ics", next_at: server.now }),
    );
    await run({ sending: { allowsPrivate: false, resolve: createResolve() } });
    expect(codeOf(await errorOf())).toBe("address");
    expect(await errorOf()).toBe("The host name has an address that is not public.");
  });

  test("is run once by several servers", async () => {
    for (const name of ["", "?2", "?3"]) await newSync(`${url}${name}`);
    reply = file(calendarFile(vevent()));
    await Promise.all([run(), run(), run()]);
    expect(seen.map((req) => req.url).toSorted()).toEqual(["/town.ics", "/town.ics?2", "/town.ics?3"]);
  });

  test("that ended its process is tried again later each time, and others meanwhile", async () => {
    const { id } = await newSync();
    const held: ServerResponse[] = [];
    reply = (_req, res) => void held.push(res);
    const pauses: number[] = [];
    for (let ends = 1; ends <= 3; ends++) {
      void run().catch(() => undefined); // never ends, as one whose process is killed
      await expect.poll(() => held.length).toBe(ends);
      const { next_at, failures } = await rowOf(id);
      expect(failures).toBe(ends);
      pauses.push((next_at - server.now) / 3_600);
      server.now = next_at - 1;
      const other = await newSync();
      reply = file(calendarFile(vevent()));
      await run();
      expect((await rowOf(other.id)).error).toBe("");
      expect(held).toHaveLength(ends);
      reply = (_req, res) => void held.push(res);
      server.now = next_at;
    }
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(2 ** (index + 1));
      expect(pause).toBeLessThanOrEqual(1.05 * 2 ** (index + 1));
    }
    for (const res of held) res.destroy();
  });

  test("waits behind no slow files of two others", async () => {
    let slow = 0;
    reply = (req, res) =>
      req.url?.endsWith("?slow") === true ? void slow++ : file(calendarFile(vevent()))(req, res);
    for (const owner of [await server.account(), await server.account()]) {
      const { id: _id, ...row } = await rowOf((await newSync(`${url}?slow`, owner)).id);
      const rows = Array.from({ length: 24 }, () => row);
      await server.db.transaction((trx) => trx("calendar_syncs").insert(rows));
    }
    const { id } = await newSync();
    const stop = new AbortController();
    const queue = syncQueue(context({ signal: stop.signal }));
    const worker = new Worker({ ...queue, everyMs: 600_000, atStart: true }, pino({ level: "silent" }));
    await expect.poll(async () => (await rowOf(id)).report).toContain("1 created");
    await expect.poll(() => slow).toBe(4);
    stop.abort();
    await worker.stop();
  });

  test.each([
    ["before", 0],
    ["within", 1],
  ])("waits while its calendar is in the trash, deleted %s its fetch, until a restore", async (_, count) => {
    const { calendarId: calendar_id, id } = await newSync();
    const before = await rowOf(id);
    const remove = () => account.call("deleteCalendar", { calendar_id });
    const answer = file(calendarFile(vevent()));
    if (count === 0) await remove();
    reply = (req, res) => void remove().then(() => answer(req, res));
    await run();
    expect([seen.length, await rowOf(id)]).toEqual([count, before]);
    reply = answer;
    await account.call("calendarsRestore", { calendar_id });
    await run();
    expect(await titles(calendar_id)).toEqual(["One"]);
  });

  test.each(["the purge", "when it is due"])(
    "of a calendar that is gone for good is removed by %s",
    async (by) => {
      const { calendarId, id } = await newSync();
      reply = file(calendarFile(vevent()));
      await account.call("deleteCalendar", { calendar_id: calendarId });
      await account.call("trashPurge", { calendar_id: calendarId });
      await (by === "the purge" ? purgeDeletedCalendars(server.db) : run());
      expect(await findSync(server.db.read, id)).toBeUndefined();
    },
  );

  test("that is stopped in the middle is due again", async () => {
    const { id } = await newSync();
    const stop = new AbortController();
    reply = () => stop.abort();
    const { next_at } = await rowOf(id);
    await run({ signal: stop.signal });
    expect(await rowOf(id)).toMatchObject({ next_at, claimed_until: 0, failures: 0, tried_at: null });
  });
});
