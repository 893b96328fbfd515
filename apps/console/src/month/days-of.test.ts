import { expect, test } from "vitest";
import { byDay, type Shown, spanOf } from "./days-of.js";

const event = (start: string, end: string, all_day_event = false): Shown => ({
  start_date: start,
  end_date: end,
  all_day_event,
});

test("an event is on each day that it touches, and not on one that begins as it ends", () => {
  expect(spanOf(event("2027-03-05T19:00", "2027-03-06T02:00"))).toEqual(["2027-03-05", "2027-03-06"]);
  expect(spanOf(event("2027-03-05T19:00", "2027-03-06T00:00"))).toEqual(["2027-03-05", "2027-03-05"]);
  expect(spanOf(event("2027-03-05T00:00", "2027-03-05T00:00"))).toEqual(["2027-03-05", "2027-03-05"]);
  expect(spanOf(event("2027-03-05", "2027-03-07", true))).toEqual(["2027-03-05", "2027-03-07"]);
});

test("the clock of the calendar decides, not that of the event", () => {
  const tokyo = {
    ...event("2027-03-06T03:00", "2027-03-06T04:00"),
    shown_start: "2027-03-05T19:00",
    shown_end: "2027-03-05T20:00",
  };
  expect([...byDay([tokyo], "2027-03-01", "2027-03-31").keys()]).toEqual(["2027-03-05"]);
});

test("days outside of the range have no events, and whole days come first", () => {
  const long = event("2027-02-27", "2027-03-02", true);
  const evening = event("2027-03-01T19:00", "2027-03-01T20:00");
  const days = byDay([evening, long], "2027-03-01", "2027-03-31");
  expect([...days]).toEqual([
    ["2027-03-01", [long, evening]],
    ["2027-03-02", [long]],
  ]);
});
