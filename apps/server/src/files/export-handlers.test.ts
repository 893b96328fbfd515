import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { parseCsv } from "../../test/csv.js";
import { type TestAccount, testServer } from "../../test/harness.js";
import { findWholeCalendar } from "../calendars/find-queries.js";
import { exportedCalendar } from "./export-files.js";
import { attachment } from "../http/file-answer.js";
import { heavyWork } from "../http/limits.js";
import { heavy } from "../http/quota.js";

const server = await testServer();

const owner = await server.account();
const other = await server.account();

async function newCalendar(title = "Town", account: TestAccount = owner): Promise<string> {
  return (await account.call("calendarsCreate", { title, timezone: "Europe/Berlin" })).body.calendar.id;
}

async function bytesOf(account: TestAccount, path: string): Promise<string> {
  const response = await fetch(`${server.url}${path}`, {
    headers: { Authorization: `Bearer ${account.token}` },
  });
  return Buffer.from(await response.arrayBuffer()).toString(); // text() would drop the byte order mark
}

const hostile = [
  "=1+1",
  " =1",
  "\u00a0@x",
  "\u200b-1",
  "'=1",
  "+49 30",
  "-",
  "\tx",
  "＝1",
  "﹢1",
  "\u3164=1",
  "\u034f-1",
  "\u2800@x",
  "\u0301+1",
  "\ufe0f=1",
];
const harmless = ["'s-Hertogenbosch", "a=b", 'say "hi", twice', "Öl; Zwölf\r\nneue Zeile", "🎻"];

test("the CSV of a calendar has its texts in columns that make the events again, and no formula (extensions X6.2)", async () => {
  const calendar_id = await newCalendar();
  const sent = { start_date: "2026-07-04T13:30", end_date: "2026-07-05T14:30", timezone: "Europe/Paris" };
  const more = {
    categories: "Musik,Öffnung",
    custom_data: '{"hall":"2b"}',
    status: "tentative",
    reminder: "30",
    color_id: "2",
  };
  for (const description of [...hostile, ...harmless])
    await owner.call("eventsCreate", { calendar_id, title: "Fest", description, ...sent, ...more });
  await owner.call("eventsCreate", {
    calendar_id,
    title: "Ganztags",
    start_date: "2026-07-04",
    all_day_event: "true",
  });
  const csv = await bytesOf(owner, `/api/kalends/v1/calendars/export/?calendar_id=${calendar_id}&format=csv`);
  expect(csv.startsWith('\uFEFF"event_id","uid","title",')).toBe(true);
  const [columns = [], ...rows] = parseCsv(csv);
  const cells = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ""])),
  );
  expect(cells.slice(0, -1).map(({ description }) => description)).toEqual([
    ...hostile.map((text) => `'${text}`),
    ...harmless,
  ]);
  const copy = await newCalendar("Copy");
  for (const { event_id: _id, uid: _uid, ...params } of cells) {
    const { description = "" } = params;
    const read = /^'+[^A-Za-z]/.test(description) ? description.slice(1) : description;
    await owner.call("eventsCreate", { calendar_id: copy, ...params, description: read });
  }
  const texts = async (of: string) => {
    const { body } = await owner.call("eventsList", { calendar_id: of, order_by: "id-asc" });
    return body.events.map(
      ({ id: _id, uid: _uid, calendar_id: _of, ...event }: Record<string, unknown>) => event,
    );
  };
  expect(await texts(copy)).toEqual(await texts(calendar_id));
});

test("the iCalendar file imports back, and names of files survive", async () => {
  const calendar_id = await newCalendar("Größe & Maß: /etc/\u202egpj");
  await owner.call("eventsCreate", { calendar_id, title: "Fest", start_date: "2026-07-04T13:30" });
  const { text, headers } = await owner.call("calendarsExport", { calendar_id });
  expect(headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
  expect(headers.get("Content-Disposition")).toBe(
    "attachment; filename=\"Gro_e & Ma_ etc gpj.ics\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%26%20Ma%C3%9F%20etc%20gpj.ics",
  );
  const { body } = await owner.call("calendarsImport", { calendar_id, ics: text });
  expect(body.import).toMatchObject({ created: 0, changed: 0, unchanged: 1 });
  expect(attachment("../..\r\nX: y", "text/csv")).toBe('attachment; filename="X y.csv"');
  expect(attachment("..／..／a：b＂", "text/csv")).toMatch(/^attachment; filename="[\w .]*"; filename\*=/);
  expect(attachment("\ud800\u0000", "text/csv")).toMatch(/^attachment; filename="[^"\r\n]*\.csv"/);
  expect(attachment("(a)'*é", "text/csv")).toContain("filename*=UTF-8''%28a%29%27%20%C3%A9.csv");
});

test("subscribers are exported with what is stored about them", async () => {
  const calendar_id = await newCalendar();
  await addFollower(server, owner, calendar_id, { name: "=1", email: "ada@example.com", categories: "A,B" });
  const { text, headers } = await owner.call("subscribersExport", { calendar_id });
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="Town subscribers.csv"');
  const [columns = [], row = []] = parseCsv(text);
  const shown = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
  expect(shown).toMatchObject({ name: "'=1", email: "ada@example.com", categories: "A,B", active: "true" });
});

test("HEAD has the headers alone, and what is refused is JSON", async () => {
  const calendar_id = await newCalendar();
  const path = `/api/kalends/v1/calendars/export/?calendar_id=${calendar_id}`;
  const headers = { Authorization: `Bearer ${owner.token}` };
  const head = await server.request(path, { method: "HEAD", headers });
  expect([head.status, head.text, head.headers.get("Content-Type")]).toEqual([
    200,
    "",
    "text/calendar; charset=utf-8",
  ]);
  for (const operation of ["calendarsExport", "subscribersExport"] as const) {
    const foreign = await other.call(operation, { calendar_id });
    expect([foreign.status, foreign.body.meta.error_type]).toEqual([404, "calendar_not_found"]);
  }
  await owner.call("calendarsDelete", { calendar_id });
  expect((await owner.call("calendarsExport", { calendar_id })).status).toBe(404);
});

async function longCalendar(events: number): Promise<string> {
  const calendar_id = await newCalendar();
  const event = {
    calendar_id,
    title: "Long",
    start_date: "2026-07-04T13:30",
    description: "€".repeat(65_000),
  };
  for (let index = 0; index < events; index++)
    expect((await owner.call("eventsCreate", event)).status).toBe(200);
  return calendar_id;
}

/** Opens a connection that reads the head of a file and no more. */
async function slowReader(calendar_id: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `GET /api/kalends/v1/calendars/export/?calendar_id=${calendar_id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  return socket.pause();
}

test("one who is slow to take a file holds no query, and a deletion ends the file without its end", async () => {
  const calendar_id = await longCalendar(80);
  const slow = await Promise.all(Array.from({ length: 10 }, () => slowReader(calendar_id)));
  expect((await owner.call("eventsList", { calendar_id, q: "nothing" })).status).toBe(200);
  expect((await owner.call("calendarsExport", { calendar_id })).text.trimEnd()).toMatch(/END:VCALENDAR$/);
  await owner.call("calendarsDelete", { calendar_id });
  const [first] = slow;
  const parts: Buffer[] = [];
  first?.on("data", (part: Buffer) => void parts.push(part)).resume();
  await new Promise((resolve) => first?.once("close", resolve));
  expect(Buffer.concat(parts).toString()).not.toContain("END:VCALENDAR");
  for (const socket of slow) socket.destroy();
});

test("a file that has begun waits for other work of its account, however long, and is whole", async () => {
  const slow = await slowReader(await longCalendar(80));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const others = Array.from({ length: heavyWork.ofOne }, () => heavy.run(owner.id, () => ended));
  const parts: Buffer[] = [];
  slow.on("data", (part: Buffer) => void parts.push(part)).resume();
  await delay(heavyWork.waitMs + 500);
  end();
  await Promise.all(others);
  await expect
    .poll(() => Buffer.concat(parts).toString(), { timeout: 10_000 })
    .toContain("\r\nEND:VCALENDAR\r\n");
  slow.destroy();
});

test("of series with long texts few are read at a time", async () => {
  const calendar_id = await newCalendar();
  const rule = { calendar_id, title: "s", start_date: "2026-08-04T10:00", rrule: "FREQ=DAILY;COUNT=2" };
  for (let index = 0; index < 25; index++) {
    const { body } = await owner.call("eventsSeriesCreate", { ...rule, description: "€".repeat(60_000) });
    for (const event_id of body.event_ids) await owner.call("eventsUpdate", { event_id, description: "" });
  }
  let most = 0;
  const calendar = await findWholeCalendar(server.db.read, owner.id, Number(calendar_id));
  if (calendar === undefined) throw new Error("no calendar");
  const pieces = exportedCalendar(async (work) => {
    const result = await work(server.db.read);
    const rows = result instanceof Map ? [...result.values()] : result;
    most = Math.max(most, Buffer.byteLength(JSON.stringify(rows)));
    return result;
  }, calendar);
  let text = "";
  for await (const piece of pieces) text += piece;
  expect([text.match(/BEGIN:VEVENT/g)?.length, text.match(/"rrule"/g)?.length]).toEqual([50, 25]);
  expect(most).toBeLessThan(4_000_000);
});
