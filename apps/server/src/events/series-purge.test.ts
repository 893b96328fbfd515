import { afterAll, describe, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { callsOf } from "../../test/trash-world.js";
import { limitAccounts } from "../calendars/stored-bytes.js";
import { keepTrash } from "../calendars/trash-days.js";
import { expireTrash, purgeRequested } from "./trash-purge-job.js";

// A series keeps the texts of its next events: these are counted, and go with its last event (extensions X8.3).

const server = await testServer();
afterAll(() => {
  limitAccounts(false);
  keepTrash(30);
});

const text = "Text-of-the-series";

async function world(rrule = "FREQ=WEEKLY;COUNT=3", fields: Readonly<Record<string, string>> = {}) {
  const calls = callsOf(await server.account());
  const { id: calendar_id } = await calls.newCalendar();
  const stored = async (): Promise<number> =>
    (
      await server.db
        .read("calendars")
        .where({ id: Number(calendar_id) })
        .first("stored_bytes")
    ).stored_bytes;
  const empty = await stored();
  const given = { calendar_id, title: text, start_date: "2026-08-04T13:30", rrule, ...fields };
  const { event_ids, series } = await calls.ok("eventsSeriesCreate", given);
  const rows = async () => {
    const of = { calendar_id: Number(calendar_id) };
    const [alive, trashed] = [server.db.read("series").where(of), server.db.read("trashed_series").where(of)];
    return [(await alive).length, (await trashed).length];
  };
  const ids: readonly string[] = event_ids;
  return { ...calls, calendar_id, ids, series_id: String(series.id), stored, empty, rows };
}

type World = Awaited<ReturnType<typeof world>>;

const ways: Readonly<Record<string, (of: World) => Promise<unknown>>> = {
  "one by one": async ({ ok, ids }) => {
    for (const event_id of ids) await ok("eventsDelete", { event_id });
  },
  "in a batch": ({ ok, ids }) => ok("eventsBatch", { events: ids.join(), delete: "true" }),
  "as a series": ({ ok, ids }) => ok("eventsSeriesDelete", { event_id: ids[0] ?? "", scope: "all" }),
  "in two parts": async ({ ok, ids }) => {
    await ok("eventsSeriesDelete", { event_id: ids[1] ?? "", scope: "following" });
    await ok("eventsDelete", { event_id: ids[0] ?? "" });
  },
};

describe.each(Object.entries(ways))("a series whose events are deleted %s", (_way, remove) => {
  test.each([30, 0])(
    "is gone within the purge, with TRASH_DAYS=%i, and nothing of it is counted",
    async (days) => {
      const made = await world();
      keepTrash(days);
      await remove(made);
      if (days > 0) await made.ok("trashPurge", { all: "true" });
      await purgeRequested(server.db);
      keepTrash(30);
      expect(await made.rows()).toEqual([0, 0]);
      expect(await made.refusal("eventsSeriesDetails", { series_id: made.series_id })).toEqual([
        404,
        "series_not_found",
      ]);
      expect(await made.stored()).toBe(made.empty);
    },
  );

  test("is counted as it was stored, also where a category was renamed in it", async () => {
    const made = await world("FREQ=WEEKLY;COUNT=3", { categories: "A" });
    const name = "x".repeat(40);
    const { calendar_id } = made;
    await made.ok("categoriesRename", { calendar_id, category: "A", name });
    await remove(made);
    await made.ok("trashPurge", { all: "true" });
    await purgeRequested(server.db);
    expect(await made.stored()).toBe(made.empty);
  });

  test("can be restored before", async () => {
    const made = await world();
    await remove(made);
    await purgeRequested(server.db);
    await expireTrash(server.db, server.now);
    for (const event_id of made.ids) await made.ok("eventsRestore", { event_id });
    expect((await made.ok("eventsSeriesDetails", { series_id: made.series_id })).series.events_count).toBe(3);
  });
});

test("an endless series goes too, and one whose events moved or became drafts of their own", async () => {
  const endless = await world("FREQ=YEARLY");
  await endless.ok("eventsBatch", { events: endless.ids.join(), delete: "true" });
  await endless.ok("trashPurge", { all: "true" });
  const left = await world();
  const { id: other } = await left.newCalendar();
  const [one = "", ...others] = left.ids;
  await left.ok("eventsUpdate", { event_id: one, published: "false" });
  await left.ok("eventsBatch", { events: others.join(), calendar_id: other });
  await purgeRequested(server.db);
  await expireTrash(server.db, server.now);
  expect([await endless.rows(), await left.rows()]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test("series fill an account as events do", async () => {
  const made = await world();
  const before = await made.stored();
  const description = "x".repeat(60_000);
  const first = { calendar_id: made.calendar_id, title: "x", start_date: "2026-08-04T13:30" };
  limitAccounts(1_000_000);
  let refused: unknown;
  for (let count = 0; count < 50 && refused === undefined; count++) {
    const created = await made.ok("eventsSeriesCreate", { ...first, rrule: "FREQ=DAILY;COUNT=1" });
    const [event_id] = created.event_ids;
    const [status, code] = await made.refusal("eventsSeriesUpdate", { event_id, scope: "all", description });
    if (status !== 200) refused = code;
    else await made.refusal("eventsUpdate", { event_id, description: "" });
  }
  limitAccounts(false);
  expect([refused, (await made.stored()) > before + 600_000]).toEqual(["storage_full", true]);
});
