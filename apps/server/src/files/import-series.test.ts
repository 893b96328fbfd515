import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startOfTests, testServer } from "../../test/harness.js";
import { seriesOf } from "../../test/series-world.js";
import { runImport } from "./import-run.js";
import { extendSeries } from "../events/series-extend.js";

// A series of a file is a series here (extensions X6.1, X8.2). src/events/series-random.test.ts compares changes, exports and imports with a model.
const server = await testServer();
const owner = await server.account();
const { newCalendar, eventsOf, startsOf, update } = seriesOf(owner);

const times = ["DTSTART;TZID=Europe/Berlin:20261012T190000", "DURATION:PT2H"];
const council = (...lines: readonly string[]) => vevent("UID:council", "SUMMARY:Council", ...times, ...lines);
const moved = vevent(
  ...["UID:council", "SUMMARY:Special", "RECURRENCE-ID;TZID=Europe/Berlin:20261019T190000"],
  ...["DTSTART;TZID=Europe/Berlin:20261020T200000", "DURATION:PT1H"],
);
const weekly = "RRULE:FREQ=WEEKLY;COUNT=4";

async function imported(id: string, ...components: readonly string[]) {
  const { body, text, status } = await importFile(server, owner, id, calendarFile(...components));
  expect(status, text).toBe(200);
  return body.import;
}

async function detailsOf(id: string) {
  const [first] = await eventsOf(id);
  return (await owner.call("eventsSeriesDetails", { series_id: first?.series_id ?? "" })).body;
}

test("is read with its rule, and with what its file says of single dates", async () => {
  const id = await newCalendar();
  const file = [
    council(weekly, "EXDATE;TZID=Europe/Berlin:20261026T190000", "RDATE:20261110T180000Z"),
    moved,
  ];
  expect(await imported(id, ...file)).toMatchObject({ created: 4 });
  const events = await eventsOf(id);
  expect(new Set(events.map(({ series_id }) => series_id)).size).toBe(1);
  const details = await detailsOf(id);
  expect(details).toMatchObject({
    series: {
      ...{ rrule: "FREQ=WEEKLY;COUNT=4", exdate: ["2026-10-26T19:00"], rdate: ["2026-11-10T19:00"] },
      ...{
        shift_minutes: 0,
        timezone: "Europe/Berlin",
        all_day_event: false,
        endless: false,
        events_count: 4,
      },
    },
    first_event_id: events[0]?.id,
    changed_event_ids: [events[1]?.id],
    deleted_dates: [],
  });
  expect(await imported(id, ...file)).toMatchObject({ changed: 0, created: 0, unchanged: 4 });
  expect(await detailsOf(id)).toEqual(details);
});

test("gets the rule of its file again, and keeps its id", async () => {
  const id = await newCalendar();
  await imported(id, council(weekly));
  const { series } = await detailsOf(id);
  await imported(id, council("RRULE:FREQ=WEEKLY;COUNT=6"));
  expect((await detailsOf(id)).series).toEqual({ ...series, rrule: "FREQ=WEEKLY;COUNT=6", events_count: 6 });
  // What the owner made two series of is one in the file.
  const [, , third] = await eventsOf(id);
  await update(third?.id ?? "", "following", { title: "Open council", rrule: "FREQ=DAILY;COUNT=2" });
  await imported(id, council("RRULE:FREQ=WEEKLY;COUNT=6"));
  expect((await detailsOf(id)).series).toMatchObject({ id: series.id, rrule: "FREQ=WEEKLY;COUNT=6" });
  const titles = (await eventsOf(id)).map(({ title, series_id }) => [title, series_id === series.id]);
  const ofFile = titles.filter(([, isOfFile]) => isOfFile).map(([title]) => title);
  expect(ofFile).toEqual(Array(6).fill("Council"));
  expect(titles).toHaveLength(7); // an import deletes nothing: a Tuesday stays
});

test("is updated and deleted by scope, as every series", async () => {
  const id = await newCalendar();
  await imported(id, council(weekly));
  const events = await eventsOf(id);
  await update(events[1]?.id ?? "", "following", { location: "Library" });
  expect((await eventsOf(id)).map(({ location }) => location)).toEqual(["", "Library", "Library", "Library"]);
  const deleted = await owner.call("eventsSeriesDelete", {
    event_id: events[2]?.id ?? "",
    scope: "following",
  });
  expect(deleted.body.event_ids).toEqual([events[2]?.id, events[3]?.id]);
  await update(events[0]?.id ?? "", "all", { rrule: "FREQ=WEEKLY;COUNT=3" });
  expect(await startsOf(id)).toHaveLength(4);
});

test("goes on by itself when it is endless, and an import finds what was made", async () => {
  const id = await newCalendar();
  const before = await imported(id, council("RRULE:FREQ=MONTHLY"));
  const { series } = await detailsOf(id);
  expect(series.endless).toBe(true);
  const later = startOfTests + 70 * 86_400;
  expect(await extendSeries({ db: server.db, now: later })).toBe(2);
  expect((await detailsOf(id)).series).toMatchObject({ id: series.id, events_count: before.created + 2 });
  const file = {
    accountId: owner.id,
    calendarId: Number(id),
    text: calendarFile(council("RRULE:FREQ=MONTHLY")),
  };
  const options = { now: later, isDryRun: false, takesPrivate: false, syncId: null };
  await runImport<void>(server.db, { ...file, ...options }, ({ report }) => {
    expect(report.totals).toMatchObject({ created: 0, changed: 0, unchanged: before.created + 2 });
  });
});

test("of a rule on a clock that is not that of its events is its dates", async () => {
  const id = await newCalendar();
  const utc = (rule: string) => vevent("DTSTART:20261019T170000Z", "DURATION:PT1H", rule);
  await imported(id, utc("RRULE:FREQ=WEEKLY;COUNT=2"));
  expect(await startsOf(id)).toEqual(["2026-10-19T19:00", "2026-10-26T18:00"]);
  const { series, deleted_dates, changed_event_ids } = await detailsOf(id);
  expect(series).toMatchObject({
    rrule: "",
    rdate: ["2026-10-19T19:00", "2026-10-26T18:00"],
    endless: false,
  });
  expect({ deleted_dates, changed_event_ids }).toEqual({ deleted_dates: [], changed_event_ids: [] });
  const same = await newCalendar();
  await imported(same, vevent("DTSTART:20261026T170000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2"));
  const fixed = await detailsOf(same);
  expect(fixed.series).toMatchObject({ rrule: "FREQ=WEEKLY;COUNT=2", shift_minutes: 60 });
  expect(fixed.changed_event_ids).toEqual([]);
});

test("of whole days, with more dates than are taken, names those that are taken", async () => {
  const id = await newCalendar();
  const days = ["UID:days", "DTSTART;VALUE=DATE:20200101", "DTEND;VALUE=DATE:20200103"];
  await imported(id, vevent(...days, "RRULE:FREQ=DAILY"));
  const details = await detailsOf(id);
  expect(details).toMatchObject({ changed_event_ids: [], deleted_dates: [] });
  expect(details.series).toMatchObject({ all_day_event: true, endless: true, events_count: 366 });
});

test("leaves its series when the file has it as a single event", async () => {
  const id = await newCalendar();
  await imported(id, council("RRULE:FREQ=WEEKLY"));
  expect(await imported(id, council())).toMatchObject({ changed: 1 });
  const [first, second] = await eventsOf(id);
  expect(first?.series_id).toBe("");
  const { body } = await owner.call("eventsSeriesDetails", { series_id: second?.series_id ?? "" });
  expect(body.series.endless).toBe(false);
});

test("of a sync is brought by the sync alone", async () => {
  const id = await newCalendar();
  const file = {
    accountId: owner.id,
    calendarId: Number(id),
    text: calendarFile(council("RRULE:FREQ=MONTHLY")),
  };
  const options = { now: startOfTests, isDryRun: false, takesPrivate: false, syncId: 1 };
  await runImport(server.db, { ...file, ...options }, () => undefined);
  expect((await detailsOf(id)).series).toMatchObject({ rrule: "FREQ=MONTHLY", endless: false });
  const before = await startsOf(id);
  await extendSeries({ db: server.db, now: startOfTests + 200 * 86_400 });
  expect(await startsOf(id)).toEqual(before);
});

test("has the dates that its file writes in other ways, and an import of the same file changes nothing", async () => {
  const id = await newCalendar();
  const file = [
    council(
      "RRULE:RSCALE=GREGORIAN;FREQ=WEEKLY;SKIP=OMIT;COUNT=4;",
      "RDATE;VALUE=PERIOD:20261110T180000Z/PT3H",
    ),
    vevent(
      ...[
        "UID:council",
        "SUMMARY:Later",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261026T190000",
      ],
      ...["DTSTART;TZID=Europe/Berlin:20261026T200000", "DURATION:PT1H"],
    ),
  ];
  expect(await imported(id, ...file)).toMatchObject({ created: 5, skipped: 0 });
  expect(
    (await eventsOf(id)).map(({ start_date, end_date, title }) => [start_date, end_date, title]),
  ).toEqual([
    ["2026-10-12T19:00", "2026-10-12T21:00", "Council"],
    ["2026-10-19T19:00", "2026-10-19T21:00", "Council"],
    ["2026-10-26T20:00", "2026-10-26T21:00", "Later"],
    ["2026-11-02T20:00", "2026-11-02T21:00", "Later"],
    ["2026-11-10T20:00", "2026-11-10T21:00", "Later"],
  ]);
  const details = await detailsOf(id);
  expect(details.series).toMatchObject({ rrule: "FREQ=WEEKLY;COUNT=4", events_count: 5 });
  expect(details.changed_event_ids).toHaveLength(3);
  expect(await imported(id, ...file)).toMatchObject({ created: 0, changed: 0, unchanged: 5 });
});

test("with COUNT and UNTIL has both", async () => {
  const id = await newCalendar();
  await imported(id, council("RRULE:FREQ=WEEKLY;COUNT=4;UNTIL=20261020T000000Z"));
  expect(await startsOf(id)).toEqual(["2026-10-12T19:00", "2026-10-19T19:00"]);
  const [, second] = await eventsOf(id);
  await update(second?.id ?? "", "following", { title: "Last" });
  expect((await eventsOf(id)).map(({ title }) => title)).toEqual(["Council", "Last"]);
});

test("whose rule is not followed keeps its events and its rule", async () => {
  const id = await newCalendar();
  await imported(id, council(weekly));
  const before = await detailsOf(id);
  const report = await importFile(server, owner, id, calendarFile(council("RRULE:FREQ=HOURLY")));
  expect(report.body.import).toMatchObject({ created: 0, unchanged: 1, skipped: 0 });
  expect(report.body.events[0].notes[0]).toMatch(
    /^only the first date of its rule is taken: RRULE must have a FREQ/,
  );
  expect(await detailsOf(id)).toEqual(before);
  const other = await newCalendar();
  await imported(other, council("RRULE:FREQ=HOURLY"));
  expect((await eventsOf(other)).map(({ start_date, series_id }) => [start_date, series_id])).toEqual([
    ["2026-10-12T19:00", ""],
  ]);
});

test("written as events of one UID is found again by their starts, and one alone by its UID", async () => {
  const id = await newCalendar();
  const at = (day: number) =>
    vevent("UID:council", "SUMMARY:Council", `DTSTART;TZID=Europe/Berlin:202610${day}T190000`);
  expect(await imported(id, at(12))).toMatchObject({ created: 1 });
  expect(await imported(id, at(19), at(12), at(26))).toMatchObject({ created: 2, unchanged: 1 });
  expect(await imported(id, at(26), at(12), at(19))).toMatchObject({ created: 0, changed: 0, unchanged: 3 });
  const before = await eventsOf(id);
  expect(await imported(id, at(26))).toMatchObject({ created: 0, unchanged: 1 });
  expect(await eventsOf(id)).toEqual(before);
});

test("and a second one of the same UID is found again by its dates", async () => {
  const id = await newCalendar();
  const other = vevent("UID:council", "DTSTART;TZID=Europe/Berlin:20261013T190000", weekly);
  expect(await imported(id, council(weekly), other)).toMatchObject({ created: 8 });
  expect(await imported(id, council(weekly), other)).toMatchObject({ created: 0, changed: 0, unchanged: 8 });
});
