import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";

// Rulings R4.3: an event whose start the clock skips starts later by the gap and keeps its length, whichever operation puts it there.

const server = await testServer();
const owner = await server.account();

type Times = readonly [start: string, end: string];

interface Night {
  readonly timezone: string;
  /** An event of the day before. */
  readonly first: Times;
  readonly expected: Times;
}

const berlin = { timezone: "Europe/Berlin" };
const nights: readonly Night[] = [
  {
    ...berlin,
    first: ["2027-03-27T02:30", "2027-03-27T03:30"],
    expected: ["2027-03-28T03:30", "2027-03-28T04:30"],
  },
  {
    ...berlin,
    first: ["2027-03-27T02:30", "2027-03-27T03:10"],
    expected: ["2027-03-28T03:30", "2027-03-28T04:10"],
  },
  {
    ...berlin,
    first: ["2027-03-27T02:00", "2027-03-29T02:00"],
    expected: ["2027-03-28T03:00", "2027-03-30T03:00"],
  },
  {
    ...berlin,
    first: ["2027-03-27T01:30", "2027-03-27T02:30"],
    expected: ["2027-03-28T01:30", "2027-03-28T03:30"],
  },
  {
    ...berlin,
    first: ["2027-03-27T01:00", "2027-03-27T04:00"],
    expected: ["2027-03-28T01:00", "2027-03-28T04:00"],
  },
  {
    ...berlin,
    first: ["2027-10-30T02:30", "2027-10-30T03:30"],
    expected: ["2027-10-31T02:30", "2027-10-31T03:30"],
  },
  {
    timezone: "Australia/Lord_Howe",
    first: ["2026-10-03T02:10", "2026-10-03T02:40"],
    expected: ["2026-10-04T02:40", "2026-10-04T03:10"],
  },
];

const timesOf = (event: { readonly start_date: string; readonly end_date: string }): Times => [
  event.start_date,
  event.end_date,
];

test.each(nights)(
  "$timezone: $first of the day before becomes $expected",
  async ({ timezone, first, expected }) => {
    const [start_date, end_date] = first;
    const calendar_id: string = (await owner.call("calendarsCreate", { title: "Nights", timezone })).body
      .calendar.id;
    const given = { calendar_id, title: "Watch", start_date, end_date };
    const add = async (): Promise<string> => (await owner.call("eventsCreate", given)).body.event.id;
    const atNight = (expected[0] ?? "").slice(0, 11) + start_date.slice(11);
    const read = async (event_id: string): Promise<Times> =>
      timesOf((await owner.call("eventsDetails", { event_id })).body.event);
    const copied = await owner.call("eventsCopy", { event_id: await add(), start_dates: atNight });
    const moved = await add();
    const batch = await owner.call("eventsBatch", { events: moved, shift_days: "1" });
    const series = await owner.call("eventsSeriesCreate", { ...given, rrule: "FREQ=DAILY;COUNT=2" });
    const listed = await owner.call("eventsSeriesCreate", {
      ...given,
      rrule: "FREQ=DAILY;COUNT=1",
      rdate: atNight,
    });
    const joined = await owner.call("eventsSeriesCreate", {
      event_id: await add(),
      rrule: "FREQ=DAILY;COUNT=2",
    });
    expect([copied.status, batch.body.done], copied.text + batch.text).toEqual([200, true]);
    expect({
      copied: await read(copied.body.event_ids[0]),
      moved: await read(moved),
      series: await read(series.body.event_ids[1]),
      listed: await read(listed.body.event_ids[1]),
      joined: await read(joined.body.event_ids[1]),
    }).toEqual({ copied: expected, moved: expected, series: expected, listed: expected, joined: expected });
  },
);
