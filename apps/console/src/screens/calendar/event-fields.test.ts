import { expect, test } from "vitest";
import {
  changesOf,
  type EventFields,
  moveStart,
  newFields,
  onChosenDay,
  onClock,
  paramsOf,
  ruleChangeOf,
} from "./event-fields.js";
import { ruleOf } from "./rule-fields.js";

const concert: EventFields = {
  ...newFields("2027-03-05", "Europe/Berlin"),
  title: "Concert",
  endTime: "22:30",
};

test("a picture is sent with its words, and an address is completed", () => {
  const before = { ...newFields("2027-03-05", "Europe/Berlin"), picture_id: "a", picture_alt: "Choir" };
  const after = { ...before, picture_alt: "The choir", url: "tickets.example" };
  expect(changesOf(before, after)).toEqual({
    picture_id: "a",
    picture_alt: "The choir",
    url: "https://tickets.example",
  });
});

test("the end keeps its distance when the start moves, over midnight too", () => {
  expect(moveStart(concert, { startTime: "21:00" })).toMatchObject({
    endDay: "2027-03-06",
    endTime: "00:30",
  });
  expect(moveStart(concert, { startDay: "2027-03-31" })).toMatchObject({
    endDay: "2027-03-31",
    endTime: "22:30",
  });
  const fair = { ...concert, allDay: "true", endDay: "2027-03-07" };
  expect(moveStart(fair, { startDay: "2027-04-01" })).toMatchObject({ endDay: "2027-04-03" });
});

test("a date that is half typed moves nothing", () => {
  expect(moveStart(concert, { startDay: "" })).toMatchObject({ endDay: "2027-03-05", endTime: "22:30" });
});

test("a save sends what differs, and times together", () => {
  expect(changesOf(concert, concert)).toEqual({});
  expect(changesOf(concert, { ...concert, location: "Hall" })).toEqual({ location: "Hall" });
  expect(changesOf({ ...concert, categories: "a, b" }, { ...concert, categories: "a,b," })).toEqual({});
  expect(changesOf(concert, { ...concert, startTime: "18:00" })).toEqual({
    start_date: "2027-03-05T18:00",
    end_date: "2027-03-05T22:30",
    all_day_event: "false",
    timezone: "Europe/Berlin",
  });
});

test("an end before the start, on the same day, is on the next one, also when the start moves", () => {
  const night = { ...concert, startTime: "22:00", endTime: "02:00" };
  expect(paramsOf(night)).toMatchObject({ start_date: "2027-03-05T22:00", end_date: "2027-03-06T02:00" });
  expect(moveStart(night, { startDay: "2027-03-31" })).toMatchObject({
    endDay: "2027-04-01",
    endTime: "02:00",
  });
  expect(paramsOf({ ...night, endDay: "2027-03-04" })).toMatchObject({ end_date: "2027-03-04T02:00" });
});

test("an event of whole days has dates without times", () => {
  expect(paramsOf({ ...concert, allDay: "true" })).toMatchObject({
    start_date: "2027-03-05",
    end_date: "2027-03-05",
    all_day_event: "true",
  });
});

test("a rule says how often and until when", () => {
  expect(ruleOf(concert)).toBe("");
  expect(ruleOf({ ...concert, freq: "WEEKLY" })).toBe("FREQ=WEEKLY;COUNT=10");
  expect(ruleOf({ ...concert, freq: "MONTHLY", interval: "2", ends: "never" })).toBe(
    "FREQ=MONTHLY;INTERVAL=2",
  );
  expect(ruleOf({ ...concert, freq: "DAILY", ends: "until", until: "2027-04-01" })).toBe(
    "FREQ=DAILY;UNTIL=20270401T235959",
  );
});

test("a new weekly series begins on the first of its weekdays, and each other one when it says", () => {
  const weekly = { ...concert, freq: "WEEKLY", startTime: "22:00", endTime: "02:00" }; // a Friday
  expect(onChosenDay({ ...weekly, days: "MO,WE" })).toMatchObject({
    startDay: "2027-03-08",
    endDay: "2027-03-09",
  });
  for (const days of ["", "FR", "MO,FR"])
    expect(onChosenDay({ ...weekly, days })).toEqual({ ...weekly, days });
  const [daily, typed] = [
    { ...concert, freq: "DAILY", days: "MO" },
    { ...weekly, days: "MO", startDay: "" },
  ];
  expect([onChosenDay(daily), onChosenDay(typed)]).toEqual([daily, typed]);
});

test("moving one of a series is no other rule", () => {
  const second = { ...concert, startDay: "2027-03-12", freq: "MONTHLY", by: "nth" };
  expect(ruleChangeOf(second, { ...second, startDay: "2027-03-19" })).toEqual({});
  expect(ruleChangeOf(second, { ...second, by: "last" })).toEqual({
    rrule: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10",
  });
});

test("an event that the clock change moves is shown as the server has it, and never ends before it starts", () => {
  const at = (start: string, end: string) => ({
    start: `2027-03-28T${start}`,
    end: `2027-03-28T${end}`,
    allDay: false,
  });
  const skipped = (time: string) => ({ date: `2027-03-28T02:${time}`, becomes: `2027-03-28T03:${time}` });
  expect(onClock(at("02:30", "03:30"), [skipped("30")])).toEqual(at("03:30", "03:30"));
  expect(onClock(at("02:30", "03:10"), [skipped("30")])).toEqual(at("03:30", "04:10"));
  expect(onClock(at("01:30", "02:15"), [skipped("15")])).toEqual(at("01:30", "03:15"));
  expect(onClock(at("19:00", "20:00"), [skipped("30")])).toEqual(at("19:00", "20:00"));
});
