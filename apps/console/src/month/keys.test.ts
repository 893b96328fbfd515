import { expect, test } from "vitest";
import { dayByKey, dayOfWeekByKey } from "./keys.js";

test.each([
  ["ArrowLeft", "2027-03-01", "2027-02-28"],
  ["ArrowRight", "2027-03-31", "2027-04-01"],
  ["ArrowUp", "2027-03-03", "2027-02-24"],
  ["ArrowDown", "2027-03-31", "2027-04-07"],
  ["Home", "2027-03-04", "2027-03-01"],
  ["End", "2027-03-04", "2027-03-07"],
  ["PageUp", "2027-03-31", "2027-02-28"],
  ["PageDown", "2027-01-31", "2027-02-28"],
])("%s leads from %s to %s", (key, from, to) => {
  expect(dayByKey(key, from, 1)).toBe(to);
});

test("other keys lead nowhere, and a week may begin on Sunday", () => {
  expect(["Enter", "a", "Tab", "toString"].map((key) => dayByKey(key, "2027-03-04", 1))).toEqual(
    Array(4).fill(undefined),
  );
  expect(dayByKey("Home", "2027-03-04", 7)).toBe("2027-02-28");
});

test("in a week the keys for pages turn weeks, and up and down are left to its events", () => {
  const keys = ["PageUp", "PageDown", "ArrowRight", "End", "ArrowUp", "ArrowDown"];
  expect(keys.map((key) => dayOfWeekByKey(key, "2027-03-04", 1))).toEqual([
    "2027-02-25",
    "2027-03-11",
    "2027-03-05",
    "2027-03-07",
    undefined,
    undefined,
  ]);
});
