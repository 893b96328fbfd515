// Wall clocks of zones as the browser knows them, for what is shown alone: the server converts what is saved.

import { addDays, type Day } from "./days.js";

const dayMs = 86_400_000;
const halfHourMs = 1_800_000;

/** The wall clock of an instant, `YYYY-MM-DDTHH:MM`. @throws RangeError where the browser lacks the zone */
export function wallIn(timeZone: string, ms: number): string {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  return format.format(ms).replace(" ", "T");
}

/** The instant of a wall clock in ms, the first of two; undefined of one that is skipped, or where the browser lacks the zone. */
export function instantOf(timeZone: string, wall: string): number | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  try {
    const found = [asUtc - dayMs, asUtc + dayMs]
      .map((near) => asUtc - (Date.parse(`${wallIn(timeZone, near)}Z`) - near))
      .filter((ms) => wallIn(timeZone, ms) === wall);
    return found.length === 0 ? undefined : Math.min(...found);
  } catch {
    return undefined;
  }
}

/** Half hours of a day that its clock skips or shows twice, each in minutes from midnight; none on most days. */
export function clockChangesOf(timeZone: string, day: Day): readonly number[] {
  const [start, next] = [day, addDays(day, 1)].map((each) => instantOf(timeZone, `${each}T00:00`));
  if (start === undefined || next === undefined || next - start === dayMs) return [];
  const format = new Intl.DateTimeFormat("sv", { timeZone, timeStyle: "short" });
  const shown: string[] = [];
  for (let ms = start; ms < next; ms += halfHourMs) shown.push(format.format(ms));
  const clocks = Array.from({ length: 48 }, (_none, at) => at * 30);
  return clocks.filter((minute) => shown.filter((clock) => clock === clockOf(minute)).length !== 1);
}

/** "02:30" of 150 minutes. */
export function clockOf(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, "0")).join(":");
}
