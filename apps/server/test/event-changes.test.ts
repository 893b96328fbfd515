import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { rememberedSeconds } from "../src/events/change-queries.js";
import { forgetDeletedEvents } from "../src/events/forget.js";
import { testServer } from "./harness.js";

// What has changed in a calendar since a cursor (extensions X2.5). That none is skipped while others write, on two servers
// and across kills, is in two-servers.deep.test.ts and crash-rounds.deep.test.ts.

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();
const newCalendar = async (): Promise<string> =>
  (await owner.call("createCalendar", { title: "x" })).body.calendar.id;
const start_date = "07/04/2026 10:00";

interface Change {
  readonly event_id: string;
  readonly change: "saved" | "deleted";
  readonly event?: { readonly title: string };
}

/** Reads on from a cursor to the end. */
async function readAll(calendar_id: string, since?: string) {
  const changes: Change[] = [];
  for (let cursor = since; ;) {
    const answer = await owner.call("eventsChanges", {
      calendar_id,
      ...(cursor === undefined ? {} : { since: cursor }),
    });
    expect(answer.status).toBe(200);
    changes.push(...answer.body.changes);
    cursor = String(answer.body.cursor);
    if (answer.body.has_more === false) return { changes, cursor };
  }
}

test("without a cursor they begin with every event, and with one they go on from there, deleted events included", async () => {
  const calendar_id = await newCalendar();
  const ids: string[] = [];
  for (let index = 0; index < 7; index++)
    ids.push(
      String((await owner.call("createEvent", { calendar_id, title: `${index}`, start_date })).body.event.id),
    );
  const [first = "", second = "", third = ""] = ids;
  const all = await readAll(calendar_id);
  expect(all.changes.map(({ event_id }) => event_id)).toEqual(ids);
  expect(all.changes.map(({ event }) => event?.title)).toEqual(ids.map((_, index) => `${index}`));
  expect(await readAll(calendar_id, all.cursor)).toMatchObject({ changes: [] });

  await owner.call("saveEvent", { event_id: third, title: "third", start_date });
  await owner.call("deleteEvent", { event_id: first });
  await owner.call("eventsUpdate", { event_id: second, title: "second" });
  await owner.call("eventsUpdate", { event_id: third, location: "Hall" });
  const later = await readAll(calendar_id, all.cursor);
  expect(later.changes.map(({ event_id, change, event }) => [event_id, change, event?.title])).toEqual([
    [first, "deleted", undefined],
    [second, "saved", "second"],
    [third, "saved", "third"],
  ]);
});

test("random writes, read in the middle of them, end with exactly the events that there are", async () => {
  const calendar_id = await newCalendar();
  const known = new Map<string, unknown>();
  let cursor: string | undefined;
  const ids: string[] = [];
  for (let step = 0; step < 120; step++) {
    const index = randomInt(ids.length + 1);
    const event_id = ids[index];
    if (event_id === undefined || ids.length < 3)
      ids.push(
        String(
          (await owner.call("createEvent", { calendar_id, title: `${step}`, start_date })).body.event.id,
        ),
      );
    else if (step % 3 === 0) await owner.call("deleteEvent", { event_id: ids.splice(index, 1)[0] ?? "" });
    else await owner.call("eventsUpdate", { event_id, title: `${step}` });
    if (randomInt(4) > 0 && step < 119) continue;
    const read = await readAll(calendar_id, cursor);
    cursor = read.cursor;
    for (const { event_id: id, change, event } of read.changes)
      if (change === "deleted") known.delete(id);
      else known.set(id, event);
    expect([...known.keys()].toSorted()).toEqual(ids.toSorted());
  }
  for (const [event_id, event] of known)
    expect((await owner.call("eventsDetails", { event_id })).body.event).toEqual(event);
});

test("a cursor is good for 30 days, and deleted events are remembered longer than that", async () => {
  const calendar_id = await newCalendar();
  const { id } = (await owner.call("createEvent", { calendar_id, title: "x", start_date })).body.event;
  const { cursor } = await readAll(calendar_id);
  await owner.call("deleteEvent", { event_id: String(id) });
  const began = server.now;
  const since = { calendar_id, since: cursor };
  server.now = began + 30 * 86_400 - 1;
  expect((await owner.call("eventsChanges", since)).body.changes).toMatchObject([{ change: "deleted" }]);
  server.now = began + 30 * 86_400;
  const late = await owner.call("eventsChanges", since);
  expect([late.status, late.body.meta.error_type]).toEqual([410, "cursor_expired"]);
  server.now = began;

  const buried = await server.db.read("deleted_events").where({ id }).first("deleted_at");
  const deletedAt = Number(buried?.deleted_at);
  expect(deletedAt).toBe(began);
  await forgetDeletedEvents(server.db, deletedAt + rememberedSeconds);
  expect(await server.db.read("deleted_events").where({ id })).toHaveLength(1);
  await forgetDeletedEvents(server.db, deletedAt + rememberedSeconds + 1);
  expect(await server.db.read("deleted_events").where({ id })).toHaveLength(0);
});

test("changes of one group have versions that no later change has", async () => {
  const calendar_id = await newCalendar();
  const make = async (title: string) =>
    String((await owner.call("createEvent", { calendar_id, title, start_date })).body.event.id);
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => make(`${index}`)));
  for (let round = 0; round < 5; round++) {
    const [gone = "", ...others] = ids.splice(0, 6);
    const made = [make("a"), make("b")];
    await Promise.all([
      ...made,
      owner.call("deleteEvent", { event_id: gone }),
      ...others.map((event_id) => owner.call("eventsUpdate", { event_id, title: `${round}` })),
    ]);
    ids.push(...others, ...(await Promise.all(made)));
    const { feed_version } = await server.db
      .read("calendars")
      .where({ id: calendar_id })
      .first("feed_version");
    for (const table of ["events", "deleted_events"]) {
      const [row] = await server.db.read(table).where({ calendar_id }).max({ newest: "feed_version" });
      expect(row?.newest).toBeLessThanOrEqual(feed_version);
    }
  }
});

test("a cursor of another calendar, or one that was not returned, is a 400; one of a later state a 410", async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  await owner.call("createEvent", { calendar_id: one, title: "x", start_date });
  const { cursor } = await readAll(one);
  for (const since of ["x", "MS4x", Buffer.from("1.1.1.1.x").toString("base64url"), "a b", "x".repeat(200)])
    expect((await owner.call("eventsChanges", { calendar_id: one, since })).status).toBe(400);
  const foreign = await owner.call("eventsChanges", { calendar_id: other, since: cursor });
  expect([foreign.status, foreign.body.meta.errors[0].parameter]).toEqual([400, "since"]);
  // As after an older backup was restored.
  await server.db.transaction((trx) => trx("calendars").where({ id: one }).update({ feed_version: 0 }));
  expect((await owner.call("eventsChanges", { calendar_id: one, since: cursor })).status).toBe(410);
});
