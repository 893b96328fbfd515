import { expect, test } from "vitest";
import { dragged } from "./dragged.js";

const evening = { start_date: "2027-03-05T19:10", end_date: "2027-03-05T21:00", all_day_event: false };
// The server sends whole days as midnights.
const camp = { start_date: "2027-03-05T00:00", end_date: "2027-03-07T00:00", all_day_event: true };
const at = (text: string) => {
  const [day = "", minute] = text.split(" ");
  return { day, minute: minute === undefined ? undefined : Number(minute) };
};

test.each([
  ["another day keeps the time", "event", "2027-03-05", "2027-03-12", "2027-03-12T19:10", "2027-03-12T21:00"],
  [
    "so does a hand that is not quite still",
    "event",
    "2027-03-05 1160",
    "2027-03-12 1167",
    "2027-03-12T19:10",
    "2027-03-12T21:00",
  ],
  [
    "another time is a quarter, and the length stays",
    "event",
    "2027-03-05 1160",
    "2027-03-05 1100",
    "2027-03-05T18:15",
    "2027-03-05T20:05",
  ],
  ["over midnight", "event", "2027-03-05 1160", "2027-03-06 15", "2027-03-06T00:00", "2027-03-06T01:50"],
  ["the end alone", "end", "2027-03-05 1259", "2027-03-05 1352", "2027-03-05T19:10", "2027-03-05T22:30"],
  [
    "the end stays behind the start",
    "end",
    "2027-03-05 1259",
    "2027-03-05 600",
    "2027-03-05T19:10",
    "2027-03-05T19:25",
  ],
] as const)("%s", (_title, what, from, to, start, end) => {
  expect(dragged(evening, { what, from: at(from), to: at(to) })).toEqual({ start, end, allDay: false });
});

test("whole days move by days, and end on their first day at the earliest", () => {
  const drag = (what: "event" | "end", from: string, to: string) =>
    dragged(camp, { what, from: at(from), to: at(to) });
  expect(drag("event", "2027-03-06", "2027-03-08 600")).toEqual({
    start: "2027-03-07",
    end: "2027-03-09",
    allDay: true,
  });
  expect(drag("end", "2027-03-07", "2027-03-09")).toEqual({
    start: "2027-03-05",
    end: "2027-03-09",
    allDay: true,
  });
  expect(drag("end", "2027-03-07", "2027-03-01")).toEqual({
    start: "2027-03-05",
    end: "2027-03-05",
    allDay: true,
  });
});

test("what is put back where it was changes nothing", () => {
  for (const what of ["event", "end"] as const)
    expect(
      dragged(evening, { what, from: at("2027-03-05 1160"), to: at("2027-03-05 1164") }),
    ).toBeUndefined();
});

test("the clock of the calendar is moved, not that of the event", () => {
  const tokyo = { ...evening, shown_start: "2027-03-05T11:00", shown_end: "2027-03-05T12:00" };
  expect(dragged(tokyo, { what: "event", from: at("2027-03-05 660"), to: at("2027-03-05 720") })?.start).toBe(
    "2027-03-05T12:00",
  );
});
