import { beforeEach, expect, test } from "vitest";
import { type TestAccount, testServer } from "../../test/harness.js";
import { addReceiver, newsOf, passWindow } from "../../test/news-world.js";
import { purgeRequested } from "./trash-purge-job.js";
import { gatherNews, windowSeconds } from "./news-job.js";

// What followers are told of changes (extensions X12.1). The server has no SMTP_URL, so the tests close the windows themselves.

const server = await testServer();
const account = await server.account();
let calendar_id: string;

beforeEach(async () => {
  calendar_id = await newCalendar(account);
  await addReceiver(server, account, calendar_id);
  await passWindow(server);
});

async function newCalendar(of: TestAccount): Promise<string> {
  return (await of.call("createCalendar", { title: "Club", timezone: "Europe/Berlin" })).body.calendar.id;
}

/** On a day from now, on the wall clock in Berlin. */
const on = (days: number, clock = "18:00"): string =>
  `${new Date((server.now + days * 86_400) * 1_000).toISOString().slice(0, 10)}T${clock}`;

const day = (days: number): string => on(days).slice(0, 10);

const at = (days: number): Readonly<Record<string, string>> => ({
  start_date: on(days),
  end_date: on(days, "19:00"),
});

async function add(fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const sent = { calendar_id, title: "Training", location: "Hall 1", start_date: on(3), ...fields };
  const { status, body } = await account.call("eventsCreate", sent);
  expect(status).toBe(200);
  return body.event.id;
}

/** An event that followers know already. */
async function known(fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = await add(fields);
  await passWindow(server);
  return id;
}

const update = async (event_id: string, fields: Readonly<Record<string, string>>): Promise<void> => {
  expect((await account.call("eventsUpdate", { event_id, ...fields })).status).toBe(200);
};

/** The kinds and titles of the news since the last time. */
async function told(of = calendar_id) {
  const before = (await newsOf(server.db, of)).length;
  await passWindow(server);
  const news = (await newsOf(server.db, of)).slice(before);
  expect(news.length).toBeLessThanOrEqual(1);
  return news[0]?.changes.map(({ kind, title }) => `${kind} ${title}`) ?? [];
}

test("what is added, moved, changed, cancelled or deleted in a window is one piece of news", async () => {
  const [moved, changed, cancelled, deleted, elsewhere] = [
    await add({ title: "A" }),
    await add({ title: "B" }),
    await add({ title: "C" }),
    await add({ title: "D" }),
    await add({ title: "E" }),
  ];
  expect(await told()).toEqual(["added A", "added B", "added C", "added D", "added E"]);
  await update(moved, { ...at(4) });
  await update(changed, { description: "Bring water." });
  await update(cancelled, { status: "cancelled" });
  await account.call("eventsDelete", { event_id: deleted });
  await update(elsewhere, { location: "Hall 2" });
  await add({ title: "F", start_date: on(5) });
  expect((await told()).toSorted()).toEqual(
    ["moved A", "changed B", "cancelled C", "cancelled D", "moved E", "added F"].toSorted(),
  );
});

test("a correction within the window leaves what is true at its end, and nothing where all is as before", async () => {
  const [event, other] = [await known(), await known({ title: "Other" })];
  await update(event, { ...at(4) });
  await update(event, { ...at(3), location: "Hall 9" });
  await update(event, { location: "Hall 1" });
  await update(other, { status: "cancelled" });
  await update(other, { status: "confirmed" });
  const gone = await add({ title: "Mistake" });
  await account.call("eventsDelete", { event_id: gone });
  expect(await told()).toEqual([]);
  await update(event, { location: "Hall 2" });
  await update(event, { location: "Hall 3" });
  expect(await told()).toEqual(["moved Training"]);
});

test("a save that changes nothing that people see is no news, nor is an event that is past or more than 14 days ahead", async () => {
  const event = await known();
  await update(event, { title: "Training" });
  await update(event, { color_id: "3", reminder: "10", custom_data: '{"a":"b"}' });
  await add({ title: "Far", start_date: on(15) });
  await add({ title: "Past", start_date: on(-2) });
  expect(await told()).toEqual([]);
  await update(event, { ...at(40) }); // it leaves the 14 days
  expect(await told()).toEqual(["moved Training"]);
});

test("the same instant or the same days in another zone are no news, other hours or days of them are", async () => {
  const timed = await known({ title: "Timed", ...at(3), timezone: "Europe/Berlin" });
  const allDay = await known({
    title: "Days",
    all_day_event: "true",
    start_date: day(4),
    end_date: day(5),
    timezone: "Europe/Berlin",
  });
  await update(timed, { start_date: on(3, "17:00"), end_date: on(3, "18:00"), timezone: "Europe/London" });
  await update(allDay, { timezone: "America/New_York" });
  expect(await told()).toEqual([]);
  await update(timed, { start_date: on(3, "17:30") });
  await update(allDay, { end_date: day(6) });
  expect(await told()).toEqual(["moved Timed", "moved Days"]);
});

test("an all-day event is news until its last day is over", async () => {
  const days = (first: number, last: number) => ({ start_date: day(first), end_date: day(last) });
  const [today, lastDay, deleted, over] = [
    await known({ title: "Today", all_day_event: "true", start_date: day(0) }),
    await known({ title: "Last day", all_day_event: "true", ...days(-2, 0) }),
    await known({ title: "Deleted", all_day_event: "true", ...days(0, 0) }),
    await known({ title: "Over", all_day_event: "true", ...days(-2, -1) }),
  ];
  for (const event of [today, lastDay, over]) await update(event, { status: "cancelled" });
  await account.call("eventsDelete", { event_id: deleted });
  expect((await told()).toSorted()).toEqual(["cancelled Deleted", "cancelled Last day", "cancelled Today"]);
});

test("what a draft becomes after it was taken back reaches no follower, told or not", async () => {
  for (const tell of ["true", "false"]) {
    const event = await known({ title: `Open ${tell}` });
    await update(event, { published: "false" });
    await update(event, { title: "Secret", location: "Secret", tell });
    expect(await told()).toEqual([`cancelled Open ${tell}`]);
    const [last] = (await newsOf(server.db, calendar_id)).slice(-1);
    expect(JSON.stringify(last)).not.toContain("Secret");
  }
});

test("drafts are no news until they are published, and one that is taken back is cancelled", async () => {
  const draft = await add({ title: "Draft", published: "false" });
  await update(draft, { location: "Secret" });
  expect(await told()).toEqual([]);
  await update(draft, { published: "true" });
  expect(await told()).toEqual(["added Draft"]);
  await update(draft, { published: "false" });
  expect(await told()).toEqual(["cancelled Draft"]);
  await account.call("eventsDelete", { event_id: draft });
  await account.call("eventsRestore", { event_id: draft });
  expect(await told()).toEqual([]);
});

test("an event that moves to another calendar is cancelled in the one and added in the other", async () => {
  const other = await newCalendar(account);
  await addReceiver(server, account, other);
  const event = await known();
  await update(event, { calendar_id: other });
  const before = (await newsOf(server.db, other)).length;
  expect(await told()).toEqual(["cancelled Training"]);
  expect((await newsOf(server.db, other)).slice(before)[0]?.changes).toMatchObject([{ kind: "added" }]);
});

test("more than 50 changes are a number, whoever makes them", async () => {
  const events = Array.from({ length: 60 }, (_, index) =>
    [
      "BEGIN:VEVENT",
      `UID:u${index}`,
      `DTSTART:${on(2).replaceAll(/[-:]/g, "")}00`,
      `SUMMARY:E${index}`,
      "END:VEVENT",
    ].join("\r\n"),
  );
  const file = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${events.join("\r\n")}\r\nEND:VCALENDAR\r\n`;
  const imported = await account.call("calendarsImport", { calendar_id, ics: file });
  expect(imported.status).toBe(200);
  const before = (await newsOf(server.db, calendar_id)).length;
  await passWindow(server);
  expect((await newsOf(server.db, calendar_id)).slice(before)).toMatchObject([{ total: 60, changes: [] }]);
});

test("with tell=false followers are not told, and what was told before or after still is", async () => {
  const event = await known();
  await update(event, { location: "Hall 2", tell: "false" });
  await add({ title: "Quiet", tell: "false" });
  expect(await told()).toEqual([]);
  await update(event, { ...at(5) });
  await update(event, { title: "Training!", tell: "false" });
  expect(await told()).toEqual(["moved Training!"]);
});

test("what takes a write back tells followers, or with tell=false does not", async () => {
  const event = await known();
  const deleted = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    expect((await account.call("eventsDelete", { event_id: event, ...fields })).status).toBe(200);
  };
  const restored = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    expect((await account.call("eventsRestore", { event_id: event, ...fields })).status).toBe(200);
  };
  await deleted({ tell: "false" });
  await restored({ tell: "false" });
  expect(await told()).toEqual([]);
  await deleted({});
  expect(await told()).toEqual(["cancelled Training"]);
  await restored({ note: "It takes place." });
  expect(await told()).toEqual(["added Training"]);
  await update(event, { location: "Hall 2" });
  expect(await told()).toEqual(["moved Training"]);
  const { history } = (await account.get("historyList", { event_id: event })).body;
  const revert = { event_id: event, entry_id: history[1].id };
  expect((await account.call("eventsRevert", { ...revert, tell: "false" })).status).toBe(200);
  expect(await told()).toEqual([]);
  const copies = { event_id: event, start_dates: on(6) };
  expect((await account.call("eventsCopy", { ...copies, tell: "false" })).status).toBe(200);
  expect(await told()).toEqual([]);
  expect((await account.call("eventsCopy", copies)).status).toBe(200);
  expect(await told()).toEqual(["added Training"]);
});

test("a cancellation has the organizer's sentence", async () => {
  const event = await known();
  await update(event, { status: "cancelled", note: "The hall is closed." });
  await passWindow(server);
  expect((await newsOf(server.db, calendar_id)).at(-1)?.changes).toMatchObject([
    { kind: "cancelled", note: "The hall is closed." },
  ]);
});

test("a window is closed once, by whichever server, and again only for what came later", async () => {
  const event = await known();
  const before = (await newsOf(server.db, calendar_id)).length;
  await update(event, { location: "Hall 2" });
  await gatherNews(server.db, server.now);
  server.now += windowSeconds;
  await Promise.all([1, 2, 3].map(() => gatherNews(server.db, server.now)));
  for (let round = 0; round < 3; round++) await gatherNews(server.db, (server.now += 30));
  server.now += windowSeconds;
  await gatherNews(server.db, server.now);
  expect((await newsOf(server.db, calendar_id)).length).toBe(before + 1);
});

test("all changes just after the end of a window are news, whatever changed just before it", async () => {
  const [late, ...cancelled] = [
    await known({ title: "Late" }),
    await known({ title: "A" }),
    await known({ title: "B" }),
    await known({ title: "C" }),
  ];
  await update(late, { location: "Hall 2" });
  await gatherNews(server.db, server.now);
  server.now += windowSeconds - 5;
  await update(late, { location: "Hall 3" });
  const before = (await newsOf(server.db, calendar_id)).length;
  server.now += 5;
  await gatherNews(server.db, server.now);
  expect((await newsOf(server.db, calendar_id)).length).toBe(before + 1);
  for (const event of cancelled) await update(event, { status: "cancelled" });
  expect((await told()).toSorted()).toEqual(["cancelled A", "cancelled B", "cancelled C"]);
});

test("an event that leaves a calendar is news together with what changes there at the same time", async () => {
  const other = await newCalendar(account);
  const [leaves, stays] = [await known({ title: "Leaves" }), await known({ title: "Stays" })];
  await update(leaves, { calendar_id: other });
  await update(stays, { location: "Hall 2" });
  expect((await told()).toSorted()).toEqual(["cancelled Leaves", "moved Stays"]);
});

test("news keep no text of an event that was removed for good", async () => {
  const event = await known({ title: "Canary4711" });
  await account.call("eventsDelete", { event_id: event });
  await passWindow(server);
  const texts = async () => JSON.stringify(await server.db.read("news").where({ calendar_id }));
  expect(await texts()).toContain("Canary4711");
  await account.call("trashPurge", { event_id: event });
  await purgeRequested(server.db);
  const { forgetDeletedEvents } = await import("./forget.js");
  await forgetDeletedEvents(server.db, server.now);
  expect(await texts()).not.toContain("Canary4711");
});

test("where the texts that were written are too long to compare, news have only the number of events", async () => {
  const events = [
    await known(),
    await known({ all_day_event: "true", start_date: day(0) }),
    await known({ start_date: on(-1), end_date: on(1) }), // it has begun
    await known({ start_date: on(-1) }), // it is over
  ];
  for (const event_id of events)
    for (let n = 0; n < 20; n++) await update(event_id, { description: String(n % 10).repeat(65_000) });
  await passWindow(server);
  expect((await newsOf(server.db, calendar_id)).at(-1)).toMatchObject({ total: 3, changes: [] });
});

test("a window ends with an entry of its calendar: one that another server has yet to commit has no lower id", async () => {
  const [from, to] = [await newCalendar(account), await newCalendar(account)];
  const moving = (
    await account.call("eventsCreate", { calendar_id: from, title: "Other", start_date: on(3) })
  ).body.event.id;
  await add();
  const own = await server.db.read("history").max({ id: "id" }).first();
  await update(moving, { calendar_id: to });
  await passWindow(server);
  const window = await server.db
    .read("news_windows")
    .where({ calendar_id: Number(calendar_id) })
    .first("entry_id");
  expect(window).toEqual({ entry_id: own?.id });
});

test("a window that was open while no one looked tells only of what is new", async () => {
  const [old, recent] = [await known({ title: "Old" }), await known({ title: "Recent" })];
  await update(old, { status: "cancelled" });
  await gatherNews(server.db, server.now);
  server.now += 8 * 3_600;
  await update(recent, { status: "cancelled" });
  expect(await told()).toEqual(["cancelled Recent"]);
});
