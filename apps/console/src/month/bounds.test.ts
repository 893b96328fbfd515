import { expect, test } from "vitest";
import { extended } from "./bounds.js";

const bounds = ["2027-03", "2027-06"];

test("a list goes on with the month of the next event, however far it is, and those after it", () => {
  expect(extended(bounds, "2027-06-20")).toEqual([...bounds, "2027-09"]);
  expect(extended(bounds, "2029-01-01")).toEqual([...bounds, "2029-04"]);
});

test("a list begins earlier with the month of the event before it, and those before that", () => {
  expect(extended(bounds, "2027-02-28")).toEqual(["2026-12", ...bounds]);
  expect(extended(bounds, "1900-01-15")).toEqual(["1900-01", ...bounds]);
});

test("what it shows already is not read twice", () => {
  expect(extended(bounds, "2027-04-10")).toEqual(bounds);
});
