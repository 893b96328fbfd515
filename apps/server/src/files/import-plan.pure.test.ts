import { describe, expect, test } from "vitest";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { NewEvent } from "../events/revisions.js";
import { newRow } from "../events/revisions.js";
import { mostOfImport } from "../db/refusals.js";
import { mostEvents } from "../http/limits.js";
import { ImportTooLarge, type Known, Plan } from "./import-plan.js";

// What an import may store is counted before it is (docs/limits.md).

const calendar: LockedCalendar = {
  id: 1,
  account_id: 1,
  uniquekey: "key",
  timezone: "UTC",
  palette_id: "1",
  feed_version: 1,
  webhooks: 1,
};
const event: NewEvent = {
  title: "Concert",
  description: "x".repeat(200),
  location: "Town hall",
  organizer: "",
  organizer_email: "",
  timezone: "UTC",
  all_day: 0,
  start_local: 1_800_000_000,
  end_local: 1_800_003_600,
  start_at: 1_800_000_000,
  end_at: 1_800_003_600,
  start_month: 684,
  color_id: "1",
  reminder: "",
  categories: "music,outdoors,town",
};
const knownAs = (n: number): Known => ({ import_uid: `event-${n}`, import_recurrence_id: "", sync_id: null });
const known = undefined;
const { ofFile } = mostEvents;
const stored = (n: number) => ({ ...newRow(calendar, event, 1), id: n });
const namesOf = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), 1])));

describe("the rows of an import", () => {
  test("are enough for the most events that a file comes to, with three categories and one webhook", () => {
    const created = new Plan(calendar, 1);
    for (let n = 1; n <= ofFile; n++) created.create(n, event, knownAs(n));
    expect(created.changes).toBe(ofFile);
    const changed = new Plan(calendar, 1);
    for (let n = 1; n <= ofFile; n++)
      changed.change(stored(n), { categories: "film,indoors,village" }, known);
    expect(changed.changes).toBe(ofFile);
    const deleted = new Plan(calendar, 1);
    for (let n = 1; n <= ofFile; n++) deleted.delete(stored(n));
    expect(deleted.changes).toBe(ofFile);
  });

  const { rows: rowsWritten } = mostOfImport;
  const most = Math.floor(rowsWritten / 400);
  const withNames = namesOf(400);
  test.each<readonly [string, (plan: Plan, n: number) => void, number]>([
    ["stores", (plan, n) => plan.create(n, { ...event, custom_data: withNames }, knownAs(n)), most],
    [
      "replaces",
      (plan, n) =>
        plan.change({ ...stored(n), custom_data: withNames }, { custom_data: namesOf(401) }, known),
      Math.floor(rowsWritten / 600),
    ],
    ["deletes", (plan, n) => plan.delete({ ...stored(n), custom_data: withNames }), 2 * most],
  ])("count the names of custom_data that it %s", (_, add, limit) => {
    const plan = new Plan(calendar, 1);
    const addAll = (): void => {
      for (let n = 1; n <= limit; n++) add(plan, n);
    };
    expect(addAll).toThrow(ImportTooLarge);
    expect(plan.changes).toBeGreaterThan(0.9 * limit);
  });
});
