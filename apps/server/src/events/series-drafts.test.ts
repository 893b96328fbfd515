import { expect, test } from "vitest";
import { startOfTests, testServer } from "../../test/harness.js";
import { callsOf } from "../../test/trash-world.js";
import { addEndpoint, deliveriesOf } from "../../test/webhook-world.js";
import { publishDueDrafts } from "./publish-job.js";
import { extendSeries } from "./series-extend.js";

// Series whose dates are drafts, some or all (extensions X8.5).

const server = await testServer();
const owner = await server.account();
const calls = callsOf(owner);

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly start_date: string;
  readonly series_id: string;
  readonly publish_at: string;
}

const weekly = { title: "Class", start_date: "2026-08-04T18:30", rrule: "FREQ=WEEKLY;COUNT=4" };
const publish_at = "2026-07-02T12:10:00Z";

async function created(more: Readonly<Record<string, string>> = {}) {
  const { id: calendar_id, uniquekey } = await calls.newCalendar();
  const { series, event_ids } = await calls.ok("eventsSeriesCreate", {
    ...{ calendar_id, ...weekly, published: "false", ...more },
  });
  const found = async (published: string): Promise<readonly Shown[]> =>
    (await calls.ok("eventsList", { calendar_id, published, order_by: "date-asc" })).events;
  return { calendar_id, uniquekey, series, event_ids, found };
}

const titles = (events: readonly Shown[]) => events.map(({ title, start_date }) => [title, start_date]);
const idsOf = (events: readonly Shown[]) => events.map(({ id }) => id);

test("all dates are drafts of the series, which no one who follows sees until they are published", async () => {
  const { calendar_id, uniquekey, series, event_ids, found } = await created({ publish_at });
  const endpoint = await addEndpoint(server.db, owner.id, { calendar_id: Number(calendar_id) });
  expect([event_ids.length, series.events_count]).toEqual([4, 4]);
  expect(idsOf(await found("false"))).toEqual(event_ids);
  expect(await found("true")).toEqual([]);
  const { cursor, changes } = await calls.ok("eventsChanges", { calendar_id });
  expect(changes).toEqual([]);
  expect(await calls.ok("eventsSeriesDetails", { series_id: series.id })).toMatchObject({
    ...{ first_event_id: event_ids[0], upcoming_count: 4, changed_event_ids: [], deleted_dates: [] },
  });
  expect(await publishDueDrafts(server.db, () => startOfTests + 599)).toBe(0);
  expect(await publishDueDrafts(server.db, () => startOfTests + 600)).toBe(4);
  const shown = await found("true");
  expect([idsOf(shown), new Set(shown.map(({ series_id }) => series_id))]).toEqual([
    event_ids,
    new Set([series.id]),
  ]);
  expect((await calls.ok("eventsChanges", { calendar_id, since: cursor })).changes).toHaveLength(4);
  expect(await deliveriesOf(server.db, endpoint.id)).toHaveLength(4);
  const feed = (await server.request(`/c/${uniquekey}/x.ics`)).text;
  expect(feed.match(/SUMMARY:Class/g)).toHaveLength(4);
});

test("this, following and all reach drafts as they reach events, and further dates of a draft are drafts", async () => {
  const { event_ids, found, calendar_id } = await created({ publish_at: "2026-07-03T00:00:00Z" });
  const [first, second, third] = event_ids;
  await calls.ok("eventsUpdate", { event_id: second, published: "true" });
  await calls.ok("eventsSeriesUpdate", { event_id: first, scope: "all", title: "Course" });
  expect(titles(await found("true"))).toEqual([["Course", "2026-08-11T18:30"]]);
  expect((await found("false")).map(({ title }) => title)).toEqual(["Course", "Course", "Course"]);
  await calls.ok("eventsSeriesUpdate", { event_id: third, scope: "this", title: "Exam" });
  const more = {
    event_id: third,
    scope: "following",
    rrule: "FREQ=WEEKLY;COUNT=3",
    start_date: "2026-08-18T19:00",
  };
  const tried = await calls.ok("eventsSeriesUpdate", { ...more, dry_run: "true" });
  expect(tried.dry_run).toMatchObject({ created: 1, changed: 2, deleted: 0, kept: 2 });
  expect(await found("false")).toHaveLength(3);
  const { series } = await calls.ok("eventsSeriesUpdate", more);
  const drafts = await found("false");
  expect(titles(drafts)).toEqual([
    ["Course", "2026-08-04T18:30"],
    ["Exam", "2026-08-18T19:00"],
    ["Course", "2026-08-25T19:00"],
    ["Course", "2026-09-01T19:00"],
  ]);
  expect(new Set(drafts.map((draft) => draft.publish_at))).toEqual(new Set(["2026-07-03T00:00:00Z"]));
  expect(drafts.filter(({ series_id }) => series_id === series.id)).toHaveLength(3);
  // Those of an event that is published are published.
  await calls.ok("eventsSeriesUpdate", { event_id: second, scope: "following", rrule: "FREQ=DAILY;COUNT=2" });
  expect(titles(await found("true"))).toEqual([
    ["Course", "2026-08-11T18:30"],
    ["Course", "2026-08-12T18:30"],
  ]);
  const { events_total } = (await calls.ok("calendarsDetails", { calendar_id })).calendar;
  expect(events_total).toBe(2);
});

test("a deletion takes drafts, and restores them as drafts of their series", async () => {
  const { event_ids, found, series, calendar_id } = await created({ publish_at: "2026-07-03T00:00:00Z" });
  const [first, second, third] = event_ids;
  await calls.ok("eventsUpdate", { event_id: first, published: "true" });
  const tried = await calls.ok("eventsSeriesDelete", { event_id: second, scope: "all", dry_run: "true" });
  expect(tried.dry_run).toMatchObject({ deleted: 4, kept: 0 });
  expect(
    (await calls.ok("eventsSeriesDelete", { event_id: third, scope: "following" })).event_ids,
  ).toHaveLength(2);
  expect(idsOf(await found("false"))).toEqual([second]);
  await calls.ok("eventsSeriesRestore", { series_id: series.id });
  await calls.ok("eventsSeriesDelete", { event_id: second, scope: "all" });
  expect([await found("true"), await found("false")]).toEqual([[], []]);
  expect(await calls.refusal("eventsSeriesDetails", { series_id: series.id })).toEqual([
    404,
    "series_not_found",
  ]);
  expect(await calls.trash({ calendar_id })).toHaveLength(4);
  await calls.ok("eventsSeriesRestore", { series_id: series.id });
  expect(idsOf(await found("true"))).toEqual([first]);
  const drafts = await found("false");
  expect(drafts.map(({ series_id, publish_at: at }) => [series_id, at])).toEqual(
    Array.from({ length: 3 }, () => [series.id, ""]),
  );
});

test("a series is restored as its last deletion took it, also where two took drafts alone", async () => {
  const { event_ids, found, series } = await created();
  const [first, second, third, fourth] = event_ids;
  await calls.ok("eventsDelete", { event_id: second });
  server.now += 60;
  await calls.ok("eventsSeriesDelete", { event_id: third, scope: "following" });
  expect((await calls.ok("eventsSeriesRestore", { series_id: series.id })).event_ids).toEqual([
    third,
    fourth,
  ]);
  expect(idsOf(await found("false"))).toEqual([first, third, fourth]);
  expect((await calls.ok("eventsSeriesRestore", { series_id: series.id })).event_ids).toEqual([second]);
});

test("a draft becomes the first date of a series of drafts", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const one = { calendar_id, title: "One", start_date: "2026-08-04T18:30", published: "false", publish_at };
  const { event } = await calls.ok("eventsCreate", one);
  const rule = { event_id: event.id, rrule: "FREQ=DAILY;COUNT=3" };
  const { event_ids, series } = await calls.ok("eventsSeriesCreate", rule);
  expect([event_ids.length, event_ids[0]]).toEqual([3, event.id]);
  const { events } = await calls.ok("eventsList", { calendar_id, published: "false", series_id: series.id });
  expect(events.map((row: Shown) => row.publish_at)).toEqual([publish_at, publish_at, publish_at]);
});

test("the job goes on with drafts where the last date is one, and with events once it is published", async () => {
  const { found, calendar_id } = await created({ rrule: "FREQ=MONTHLY" });
  const before = await found("false");
  const run = async (days: number) => {
    const now = startOfTests + days * 86_400;
    await extendSeries({ db: server.db, now });
  };
  await run(62);
  const after = await found("false");
  expect(after.length).toBeGreaterThan(before.length);
  expect(await found("true")).toEqual([]);
  await calls.ok("eventsBatch", { events: idsOf(after).join(), published: "true" });
  await run(124);
  expect(await found("false")).toEqual([]);
  expect((await found("true")).length).toBeGreaterThan(after.length);
  expect((await calls.ok("calendarsDetails", { calendar_id })).calendar.events_total).toBe(
    (await found("true")).length,
  );
});

test("a dry run of a creation stores nothing, and a time is for drafts alone", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const hidden = { calendar_id, ...weekly, published: "false" };
  const { dry_run } = await calls.ok("eventsSeriesCreate", { ...hidden, dry_run: "true" });
  expect(dry_run).toMatchObject({ created: 4 });
  expect((await calls.ok("eventsList", { calendar_id, published: "false" })).events).toEqual([]);
  const refused = await owner.call("eventsSeriesCreate", { calendar_id, ...weekly, publish_at });
  expect([refused.status, refused.body.meta.errors[0].parameter]).toEqual([400, "publish_at"]);
});
