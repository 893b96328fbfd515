import { afterAll, expect, test } from "vitest";
import { vevent } from "../../test/calendar-files.js";
import { startTestServer } from "../../test/harness.js";
import { startSource } from "../../test/sync-world.js";

// Some sources make new UIDs with each response: their events are found by their times, titles and places.

const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const account = await server.account();
const source = await startSource(server);
afterAll(async () => {
  await source.stop();
  await server.stop();
});

let responses = 0;
/** An event under a UID that no event has had. */
const fresh = (...lines: readonly string[]): string => vevent(`UID:new-${++responses}`, ...lines);
const past = (...lines: readonly string[]) => fresh("DTSTART:20260101T100000Z", "SUMMARY:Past", ...lines);
const future = (...lines: readonly string[]) => fresh("SUMMARY:Future", "LOCATION:Hall", ...lines);

async function world() {
  const { body } = await account.call("createCalendar", { title: "Town", timezone: "UTC" });
  const calendar_id: string = body.calendar.id;
  const id = await source.newSync(account.id, calendar_id);
  const events = async (): Promise<readonly { readonly id: string; readonly title: string }[]> =>
    (await account.call("eventsList", { calendar_id, order_by: "id-asc" })).body.events;
  return { calendar_id, events, sync: (...file: readonly string[]) => source.sync(id, ...file) };
}

const rowsOf = async (table: string, calendar_id: string): Promise<number> =>
  (await server.db.read(table).where({ calendar_id: Number(calendar_id) })).length;

const note = "; the file has new UIDs: events were found by their times, titles and places";

test("three syncs of new UIDs leave one past and one future event, and say so", async () => {
  const { events, sync } = await world();
  expect(await sync(past(), future())).toBe("2 created, 0 changed, 0 unchanged, 0 skipped, 0 deleted");
  const first = await events();
  const same = `0 created, 0 changed, 2 unchanged, 0 skipped, 0 deleted${note}`;
  expect([await sync(future(), past()), await sync(past(), future())]).toEqual([same, same]);
  expect(await events()).toEqual(first);
});

test("what such a file has new is created, what differs is changed, and what is gone is deleted", async () => {
  const { events, sync } = await world();
  await sync(past(), future(), fresh("SUMMARY:Gone"));
  const [one, two] = await events();
  expect(await sync(past(), future("DESCRIPTION:More"), fresh("SUMMARY:Added"))).toBe(
    `1 created, 1 changed, 1 unchanged, 0 skipped, 1 deleted${note}`,
  );
  expect(await events()).toMatchObject([
    { id: one?.id, title: "Past" },
    { id: two?.id, title: "Future", description: "More" },
    { title: "Added" },
  ]);
});

test("equal events of such a file stay as many as they are", async () => {
  const { events, sync } = await world();
  await sync(past(), past(), future());
  await sync(past(), future(), past());
  expect((await events()).map(({ title }) => title)).toEqual(["Past", "Past", "Future"]);
});

test("a series of such a file stays one, with its events", async () => {
  const { calendar_id, events, sync } = await world();
  const series = () => fresh("SUMMARY:Daily", "DTSTART:20260601T100000Z", "RRULE:FREQ=DAILY;COUNT=60");
  await sync(series());
  const first = await events();
  expect(first).toHaveLength(60);
  for (let n = 0; n < 2; n++) await sync(series());
  expect(await events()).toEqual(first);
  expect([await rowsOf("series", calendar_id), await rowsOf("imported_events", calendar_id)]).toEqual([
    1, 60,
  ]);
});

test("a file of which one UID is known is read by its UIDs", async () => {
  const { events, sync } = await world();
  const stays = vevent("UID:stays", "SUMMARY:Stays");
  await sync(stays, past());
  expect(await sync(stays, past())).toBe("1 created, 0 changed, 1 unchanged, 0 skipped, 0 deleted");
  expect(await events()).toHaveLength(3);
  const unread = vevent("UID:stays", "DTSTART;TZID=Nowhere:20260801T100000");
  expect(await sync(unread, past())).toBe("1 created, 0 changed, 0 unchanged, 1 skipped, 0 deleted");
});

test("an event of the owner, or of another sync, is not taken for one of such a file", async () => {
  const { calendar_id, events, sync } = await world();
  const mine = { calendar_id, title: "Future", location: "Hall", start_date: "2026-08-01T10:00" };
  await account.call("eventsCreate", mine);
  const other = await source.newSync(account.id, calendar_id);
  await source.sync(other, future());
  await sync(future());
  expect(await sync(future())).toContain("0 created, 0 changed, 1 unchanged");
  expect(await events()).toHaveLength(3);
});

test("an event that becomes a series under its own UID is not gone", async () => {
  const { events, sync } = await world();
  const lines = ["UID:own", "DTSTART:20260901T100000Z", "SUMMARY:Own"];
  await sync(vevent(...lines));
  const [one] = await events();
  expect(await sync(vevent(...lines, "RRULE:FREQ=DAILY;COUNT=2"))).toContain("1 created, 1 changed");
  expect(await events()).toMatchObject([{ id: one?.id }, { title: "Own" }]);
});
