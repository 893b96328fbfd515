import { expect, test } from "vitest";
import { ownTimes } from "./dropped.js";

const tokyo = {
  timezone: "Asia/Tokyo",
  start_date: "2027-03-27T20:00",
  end_date: "2027-03-27T21:00",
  shown_start: "2027-03-27T12:00",
  shown_end: "2027-03-27T13:00",
};

test("an event of another zone is where it was dropped, over a change of the clock too", () => {
  const next = { start: "2027-03-28T12:00", end: "2027-03-28T13:00" };
  expect(ownTimes(tokyo, next, "Europe/Berlin")).toEqual({
    start: "2027-03-28T19:00",
    end: "2027-03-28T20:00",
  });
});

test("a start that was not dragged stays, and a zone that is unknown is moved by as much", () => {
  const longer = { start: "2027-03-27T12:00", end: "2027-03-27T14:30" };
  for (const timezone of ["Asia/Tokyo", "X-Own/Zone"])
    expect(ownTimes({ ...tokyo, timezone }, longer, "Europe/Berlin")).toEqual({
      start: "2027-03-27T20:00",
      end: "2027-03-27T22:30",
    });
});

test("an event of the calendar's zone has the time that it was dropped at", () => {
  const own = { timezone: "Europe/Berlin", start_date: "2027-03-27T12:00", end_date: "2027-03-27T13:00" };
  const skipped = { start: "2027-03-28T02:30", end: "2027-03-28T03:30" };
  expect(ownTimes(own, skipped, "Europe/Berlin")).toEqual(skipped);
});
