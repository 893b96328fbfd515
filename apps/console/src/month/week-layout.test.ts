import { expect, test } from "vitest";
import { isAboveHours } from "./days-of.js";
import { partOn, slotsOf } from "./week-layout.js";

const day = "2027-03-05";
const event = (start_date: string, end_date: string, all_day_event = false) => ({
  start_date: start_date.length === 5 ? `${day}T${start_date}` : start_date,
  end_date: end_date.length === 5 ? `${day}T${end_date}` : end_date,
  all_day_event,
});
const laidOut = (...events: readonly ReturnType<typeof event>[]) =>
  slotsOf(events, day).map(({ from, to, column, columns }) => [from / 60, to / 60, `${column}/${columns}`]);

test("events at the same time stand side by side, and others have the whole width", () => {
  const slots = laidOut(
    event("09:00", "12:00"),
    event("10:00", "11:00"),
    event("11:00", "13:00"),
    event("13:00", "14:00"),
  );
  expect(slots).toEqual([
    [9, 12, "0/2"],
    [10, 11, "1/2"],
    [11, 13, "1/2"],
    [13, 14, "0/1"],
  ]);
});

test("a short event is drawn as half an hour, within its day, and what it covers stands beside it", () => {
  expect(laidOut(event("10:00", "10:00"), event("10:15", "11:00"))).toEqual([
    [10, 10.5, "0/2"],
    [10.25, 11, "1/2"],
  ]);
  expect(laidOut(event("23:50", "23:55"))).toEqual([[23.5, 24, "0/1"]]);
});

test("a night has a part on each of its days, and none on a day that begins as it ends", () => {
  const night = ["2027-03-05T22:00", "2027-03-06T02:00"] as const;
  expect([partOn(night, "2027-03-04"), partOn(night, day), partOn(night, "2027-03-06")]).toEqual([
    undefined,
    { from: 1_320, to: 1_440 },
    { from: 0, to: 120 },
  ]);
  expect(partOn(["2027-03-05T22:00", "2027-03-06T00:00"], "2027-03-06")).toBeUndefined();
  const slots = slotsOf([event("22:00", "2027-03-06T02:00"), event("20:00", "2027-03-06T00:00")], day);
  expect(slots.map(({ isEnd }) => isEnd)).toEqual([true, false]);
});

test("whole days, and what lasts a day and longer, stand above the hours", () => {
  const events = [event(day, day, true), event("2027-03-04T18:00", "18:00"), event("18:00", "23:00")];
  expect(events.map(isAboveHours)).toEqual([true, true, false]);
  expect(slotsOf(events, day).length).toBe(1);
});
