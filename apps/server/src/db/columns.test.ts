import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/databases.js";
import {
  calendarColumns,
  deletedEventColumns,
  eventColumns,
  eventSearchColumns,
  historyColumns,
  subscriberColumns,
} from "./columns.js";
import { openDatabase } from "./open-database.js";
import { migrate } from "./migrate.js";

test.each([
  ["events", eventColumns],
  ["deleted_events", deletedEventColumns],
  ["event_search", eventSearchColumns],
  ["calendars", calendarColumns],
  ["subscribers", subscriberColumns],
  ["history", historyColumns],
])("the table %s has the listed columns, each of its kind, and no other", async (table, listed) => {
  const made = await createTestDatabase();
  const db = await openDatabase(made.url);
  await migrate(db, 1);
  const found = Object.entries(await db.read(table).columnInfo()).map(([name, { type, nullable }]) => [
    name,
    `${type === "text" ? "text" : "integer"}${nullable ? "?" : ""}`,
  ]);
  expect(Object.fromEntries(found)).toEqual(listed);
  await db.close();
  await made.remove();
});
