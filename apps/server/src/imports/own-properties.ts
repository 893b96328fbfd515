import { customDataParameter } from "@kalends/spec";
import { storedData } from "../custom-data/stored.js";
import { parseStartDate } from "../time/formats.js";
import { unescaped, valueOf } from "./lines.js";
import type { RawEvent } from "./reader.js";

// What an export says of an event besides what calendar files have, so that an import makes the same event of it (extensions
// X6.2). Undefined: the file does not say it.

/** Most minutes of a reminder. */
export const mostReminderMinutes = 40_320;

/** Returns the number of the color within the palette. */
export function ownColor(raw: RawEvent): string | undefined {
  const value = textOf(raw, "X-KALENDS-COLOR-ID");
  return value !== undefined && /^(?:[1-9]|1[0-9]|20)$/.test(value) ? value : undefined;
}

/** Returns the reminder of a cancelled event, which has no alarm. */
export function ownReminder(raw: RawEvent): string | undefined {
  const value = textOf(raw, "X-KALENDS-REMINDER");
  const isMinutes = value !== undefined && /^\d{1,5}$/.test(value) && Number(value) <= mostReminderMinutes;
  return isMinutes ? String(Number(value)) : undefined;
}

/** Returns `custom_data` as it is stored. */
export function ownData(raw: RawEvent, notes: string[]): string | undefined {
  const [line] = raw.lines.get("X-KALENDS-CUSTOM-DATA") ?? [];
  if (line === undefined) return undefined;
  const { success, data } = customDataParameter.safeParse(unescaped(line));
  if (success) return storedData(data);
  notes.push("X-KALENDS-CUSTOM-DATA is not custom_data as the API takes it: it is left out");
  return undefined;
}

/** Wall clocks in seconds. */
export interface WallClocks {
  readonly start: number;
  readonly end: number;
}

/** Returns when whole days start and end that have times of day. */
export function ownClocks(raw: RawEvent): WallClocks | undefined {
  const [start, end] = ["X-KALENDS-START", "X-KALENDS-END"].map((name) => {
    return parseStartDate(textOf(raw, name) ?? "");
  });
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

function textOf(raw: RawEvent, name: string): string | undefined {
  const [line] = raw.lines.get(name) ?? [];
  return line && valueOf(line)?.trim();
}
