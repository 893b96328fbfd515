import { categoryLimits } from "@kalends/spec";
import { namesOf } from "../categories/names.js";
import { type ContentLine, valueOf } from "./lines.js";
import { cut, lineText } from "./text.js";

/** The longest value of a line that is read: names of the longest, with spare. */
const longestValue = 4_000;

/**
 * Returns the categories of an event as rows have them, of its CATEGORIES (RFC 5545 3.8.1.2), which may be several; undefined when it
 * has none. Names here have no commas and a length, so some are changed or left out, which is noted.
 */
export function categoriesOf(lines: readonly ContentLine[], notes: string[]): string | undefined {
  const given = lines.flatMap((line) => {
    const value = valueOf(line) ?? "";
    if (line.isCut || value.length > longestValue) notes.push("CATEGORIES is too long: its end is left out");
    return value.slice(0, longestValue).match(/(?:\\.|[^,\\])+/gs) ?? [];
  });
  const names = new Set<string>();
  for (const text of given) {
    const whole = lineText(
      text
        .replaceAll(/\\(.)/gs, "$1")
        .split(",")
        .map((part) => part.trim())
        .join(" "),
    ).text.trim();
    const name = cut(whole, categoryLimits.characters).text.trim();
    if (name !== whole) notes.push(`the category ${name} is too long: its end is left out`);
    if (name !== "") names.add(name);
  }
  const kept = [...names].slice(0, categoryLimits.names);
  if (kept.length < names.size) notes.push("it has too many categories: some are left out");
  return kept.length === 0 ? undefined : kept.join();
}

/** Returns what leaves out the categories that a calendar has no room for, with those that it has; they come first. */
export function createRoom(known: readonly string[]): (categories: string) => string {
  const names = new Set(known);
  return (categories) =>
    namesOf(categories)
      .filter((name) => {
        if (names.size < categoryLimits.names) names.add(name);
        return names.has(name);
      })
      .join();
}
