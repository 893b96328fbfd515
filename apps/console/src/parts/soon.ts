import type { BatchChange, Event } from "@kalends/client/extensions";
import { instantOf } from "../dates/zones.js";

// Of which events followers are told (extensions X12.1): those of the next days that are no drafts.

/** How far ahead followers are told, in days. */
export const toldDays = 14;
const dayMs = 86_400_000;

interface Times {
  /** On the wall clock; a date alone where it lasts all day. */
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

/** Whether an event is not over, and begins soon. */
export function isSoon({ start, end, timezone }: Times, now: number): boolean {
  const [from, to] = [msOf(start, timezone), msOf(end, timezone)];
  const last = end.length > 10 ? to : to + dayMs;
  return Math.max(from, last) >= now && from <= now + toldDays * dayMs;
}

/** A time that the clock skips is taken for that in UTC: an hour does not matter. */
function msOf(wall: string, timezone: string): number {
  const minute = wall.length > 10 ? wall : `${wall}T00:00`;
  return instantOf(timezone, minute) ?? Date.parse(`${minute}Z`);
}

export type Known = Pick<Event, "published" | "status" | "start_date" | "end_date" | "timezone">;

/** Whether followers know an event that takes place soon: they are told when it is changed, cancelled or deleted. */
export function isKnownSoon(event: Known, now: number = Date.now()): boolean {
  const { published, status, start_date: start, end_date: end, timezone } = event;
  return published && status !== "cancelled" && isSoon({ start, end, timezone }, now);
}

/** Whether followers are told when events are changed together: not of a colour or a category alone. */
export function areTold(
  change: BatchChange | undefined,
  events: readonly Known[],
  now: number = Date.now(),
): boolean {
  const { shift_days = 0, shift_minutes = 0, ...fields } = change ?? {};
  const shiftMs = shift_days * dayMs + shift_minutes * 60_000;
  if (shiftMs === 0 && Object.keys(fields).every((name) => ["categories", "color_id"].includes(name)))
    return false;
  return events.some((event) => {
    const after = {
      ...event,
      published: event.published || fields.published === "true",
      status: fields.status ?? event.status,
    };
    return isKnownSoon(event, now) || isKnownSoon(after, now) || isKnownSoon(after, now - shiftMs);
  });
}
