import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";

// What an import leaves out of a rule that ends is said where the series is read (extensions X8.2, X6.1).

const server = await testServer();
const owner = await server.account();

/** The details of a series that was imported, and how many events it has. */
async function imported(...lines: readonly string[]) {
  const calendar_id: string = (await owner.call("calendarsCreate", { title: "Council" })).body.calendar.id;
  await importFile(server, owner, calendar_id, calendarFile(vevent(...lines)));
  const { events } = (await owner.call("eventsList", { calendar_id, order_by: "date-asc" })).body;
  const read = async () => (await owner.call("eventsSeriesDetails", { series_id: events[0].series_id })).body;
  return { ids: events.map(({ id }: { id: string }) => id), read };
}

const start = "DTSTART;TZID=Europe/Berlin:20260803T190000";

test.each([
  // 20260702 is today: two years and a day ahead are made.
  ["RRULE:FREQ=YEARLY;COUNT=10", 3 - 1, 10 - 2, "2028-08-03T19:00"],
  ["RRULE:FREQ=MONTHLY;UNTIL=20301231T000000Z", 23, 30, "2028-07-03T19:00"],
  ["RRULE:FREQ=DAILY;COUNT=1000", 366, 634, "2027-08-04T19:00"],
  ["RRULE:FREQ=WEEKLY;COUNT=5", 5, 0, ""],
  ["RRULE:FREQ=YEARLY", 2, 0, ""],
])("%s: %i events, %i dates left out from %s on", async (rule, made, left, from) => {
  const { read } = await imported(start, rule);
  const { series, left_out_count, left_out_from, deleted_dates } = await read();
  expect({ made: series.events_count, left_out_count, left_out_from, deleted_dates }).toEqual({
    made,
    left_out_count: left,
    left_out_from: from,
    deleted_dates: [],
  });
});

test("a series that was split, or that has another rule since, leaves nothing out", async () => {
  const { ids, read } = await imported(start, "RRULE:FREQ=YEARLY;COUNT=10");
  const event_id = ids[0] ?? "";
  await owner.call("eventsSeriesUpdate", { event_id, scope: "all", rrule: "FREQ=YEARLY;COUNT=2" });
  expect(await read()).toMatchObject({ left_out_count: 0, left_out_from: "" });
  const own = await imported(start, "RRULE:FREQ=WEEKLY;COUNT=8");
  await owner.call("eventsSeriesUpdate", { event_id: own.ids[4] ?? "", scope: "following", title: "New" });
  expect(await own.read()).toMatchObject({ left_out_count: 0, series: { events_count: 4 } });
});
