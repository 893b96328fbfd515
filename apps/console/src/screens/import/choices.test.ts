import { expect, test } from "vitest";
import { categoriesOf, isOnlyColor, privateEvents, publishing, withoutCategories } from "./choices.js";

const file = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:1",
  "SUMMARY:Doctor\\, early",
  "DTSTART;TZID=Europe/Berlin:20270115T200000",
  "CLASS:PRIVATE",
  "CATEGORIES:Green Category,Youth\\, boys",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:2",
  "SUMMARY:Training",
  "CATEGORIES;LANGUAGE=en:Youth\\, boys",
  " ,Concert",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

test("private events are named, and those that are wanted become public", () => {
  expect(privateEvents(file)).toEqual([{ uid: "1", title: "Doctor, early", start: "2027-01-15T20:00" }]);
  expect(privateEvents(publishing(file, new Set(["1"])))).toEqual([]);
  expect(publishing(file, new Set())).toBe(file);
});

test("categories are listed once, and left out without their events", () => {
  expect(categoriesOf(file)).toEqual(["Green Category", "Youth, boys", "Concert"]);
  const without = withoutCategories(file, new Set(["Green Category", "Concert"]));
  expect(categoriesOf(without)).toEqual(["Youth, boys"]);
  expect(without.match(/BEGIN:VEVENT/g)?.length).toBe(2);
});

test("a colour of Outlook is no category that followers understand", () => {
  const names = ["Green Category", "Grüne Kategorie", "Catégorie verte", "Categoría verde", "Green week"];
  expect(names.map(isOnlyColor)).toEqual([true, true, true, true, false]);
});
