import { expect, test } from "vitest";
import {
  addDays,
  addMinutes,
  addMonths,
  daysBetween,
  inMonth,
  isDay,
  isMonth,
  minutesBetween,
  todayIn,
  weekAround,
  weekday,
  weeksOf,
} from "./days.js";

test("a month is shown in whole weeks, from Monday or from Sunday", () => {
  const march = weeksOf("2027-03", 1);
  expect(march.length).toBe(5);
  expect([march[0]?.[0], march.at(-1)?.at(-1)]).toEqual(["2027-03-01", "2027-04-04"]);
  expect(weeksOf("2027-03", 7)[0]?.[0]).toBe("2027-02-28");
  expect(weeksOf("2027-02", 1).length).toBe(4); // 28 days from a Monday
  expect(weeksOf("2026-08", 1).length).toBe(6);
});

test("every month of 32 years has each of its days once", () => {
  for (let month = "2000-01"; month < "2032-01"; month = addMonths(month, 1)) {
    const days = weeksOf(month, 1)
      .flat()
      .filter((day) => day.startsWith(month));
    expect(days[0]).toBe(`${month}-01`);
    expect(days.length).toBe(daysBetween(`${month}-01`, `${addMonths(month, 1)}-01`));
  }
});

test("days follow each other over months, years and changes of the clock", () => {
  expect(addDays("2027-03-28", 1)).toBe("2027-03-29");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2027-01-01", -1)).toBe("2026-12-31");
  expect(weekday("2027-03-07")).toBe(7);
  expect(weekAround("2027-03-07", 1)).toEqual(["2027-03-01", "2027-03-07"]);
});

test("the 31st is the last day of a shorter month", () => {
  expect(inMonth("2027-01-31", "2027-02")).toBe("2027-02-28");
  expect(inMonth("2027-01-15", "2027-02")).toBe("2027-02-15");
});

test("only dates that exist are dates", () => {
  expect(["2027-02-29", "2027-13-01", "27-1-1", "", "2027-02-28T10:00", "9999-12-31"].filter(isDay)).toEqual(
    [],
  );
  expect([isDay("2028-02-29"), isMonth("2027-12"), isMonth("2027-00")]).toEqual([true, true, false]);
});

test("minutes are added on the wall clock", () => {
  expect(addMinutes("2027-03-28T01:30", 60)).toBe("2027-03-28T02:30");
  expect(minutesBetween("2027-03-05T23:30", "2027-03-06T01:00")).toBe(90);
});

test("today is the day in the zone of the calendar, not of the device", () => {
  const evening = new Date("2027-03-10T20:30:00Z");
  const days = ["Europe/Berlin", "Asia/Tokyo", "Pacific/Honolulu"].map((zone) => todayIn(zone, evening));
  expect(days).toEqual(["2027-03-10", "2027-03-11", "2027-03-10"]);
  expect(isDay(todayIn("Mars/Olympus", evening))).toBe(true);
});
