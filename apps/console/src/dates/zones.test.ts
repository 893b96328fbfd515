import { expect, test } from "vitest";
import { clockChangesOf, clockOf, instantOf, wallIn } from "./zones.js";

test.each([
  ["Europe/Berlin", "2027-03-05T19:00", "2027-03-05T18:00:00.000Z"],
  ["Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59:00.000Z"],
  ["Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00:00.000Z"],
  ["Europe/Berlin", "2027-10-31T02:30", "2027-10-31T00:30:00.000Z"], // the first of two
  ["Pacific/Pago_Pago", "2027-03-05T00:00", "2027-03-05T11:00:00.000Z"],
  ["Pacific/Kiritimati", "2027-03-05T00:00", "2027-03-04T10:00:00.000Z"],
])("in %s it is %s at %s", (zone, wall, instant) => {
  const ms = instantOf(zone, wall) ?? NaN;
  expect(new Date(ms).toISOString()).toBe(instant);
  expect(wallIn(zone, ms)).toBe(wall);
});

test("a wall clock that is skipped and a zone that is unknown have no instant", () => {
  expect(instantOf("Europe/Berlin", "2027-03-28T02:30")).toBeUndefined();
  expect(instantOf("X-Own/Zone", "2027-03-05T19:00")).toBeUndefined();
});

test.each([
  ["Europe/Berlin", "2027-03-27", []],
  ["Europe/Berlin", "2027-03-28", ["02:00", "02:30"]], // 23 hours
  ["Europe/Berlin", "2027-10-31", ["02:00", "02:30"]], // 25 hours
  ["Australia/Lord_Howe", "2027-10-03", ["02:00"]], // 23 hours and a half
  ["X-Own/Zone", "2027-03-28", []],
])("in %s the clock of %s changes at %j", (zone, day, expected) => {
  expect(clockChangesOf(zone, day).map(clockOf)).toEqual(expected);
});
