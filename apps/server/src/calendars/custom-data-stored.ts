import { namesOf } from "./category-names.js";
import type { EventRow } from "../db/rows.js";

/** Columns by which an event is found: each value of `custom_data` and each category is a row of its own. */
export type FoundBy = Pick<EventRow, "custom_data" | "categories">;

const foundBy = {
  custom_data: (json: string) => Object.keys(shownData(json)).length,
  categories: (names: string) => namesOf(names).length,
};
const columns = ["custom_data", "categories"] as const;

/** Returns how many rows an event is found by. */
export function rowsFoundBy(event: FoundBy): number {
  return columns.reduce((sum, name) => sum + foundBy[name](event[name]), 0);
}

/** Returns how many rows are written when these values of an event change. Two removed rows count as one. */
export function rowsReplaced(event: FoundBy, before: FoundBy): number {
  const changed = columns.filter((name) => event[name] !== before[name]);
  return changed.reduce((sum, name) => sum + foundBy[name](event[name]) + foundBy[name](before[name]) / 2, 0);
}

/** Returns `custom_data` as it is stored, from a validated parameter; an empty one clears. */
export function storedData(parameter: string): string {
  return parameter === "" ? "{}" : JSON.stringify(JSON.parse(parameter));
}

export function shownData(stored: string): Record<string, unknown> {
  const data: Record<string, unknown> = JSON.parse(stored);
  return data;
}
