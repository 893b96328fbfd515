import { expect, test } from "vitest";
import { startAfter } from "./start-after.js";

const start_date = "2027-03-12";
const moved = (id: string, before: string, after: string) => ({
  id,
  start_date,
  changes: [{ field: "start_date", before, after }],
});
const place = { id: "1", start_date, changes: [{ field: "location", before: "Hall", after: "Park" }] };

test("an event started, after an entry, where the next move of it began", () => {
  const entries = [moved("3", "2027-03-11", "2027-03-12"), moved("2", "2027-03-10", "2027-03-11"), place];
  expect(startAfter(place, entries)).toBe("2027-03-10");
  expect(entries.map((entry) => startAfter(entry, entries))).toEqual([
    start_date,
    "2027-03-11",
    "2027-03-10",
  ]);
});

test("an event that was not moved started when it starts now", () => {
  expect(startAfter(place, [{ ...place, id: "2" }, place])).toBe(start_date);
});
