import type { Db } from "../db/open-database.js";
import type { CalendarRow, SubscriberRow } from "../db/rows.js";
import { addToDays } from "./statistics-queries.js";
import { dayIndex } from "../time/formats.js";

type Flags = Pick<SubscriberRow, "active" | "blocked"> & Partial<Pick<SubscriberRow, "unfollowed_at">>;
const counters = ["followers_total", "followers_active", "followers_inactive", "followers_blocked"] as const;
type Counter = (typeof counters)[number];

/** The change of each of a calendar's counters. */
export type CounterChange = Readonly<Record<Counter, number>>;

/** The same, and how many began and ended to follow. */
type FollowerChange = Readonly<Record<Counter | "followed" | "unfollowed", number>>;

/** Returns what one subscriber adds to the counters of its calendar (rulings R5.2); zeros without a subscriber. */
export function countOf(flags: Flags | undefined): CounterChange {
  const active = flags?.active === 1;
  const blocked = flags?.blocked === 1;
  return {
    followers_total: flags === undefined ? 0 : 1,
    followers_active: active && !blocked ? 1 : 0,
    followers_inactive: flags !== undefined && !active ? 1 : 0,
    followers_blocked: blocked ? 1 : 0,
  };
}

/** Returns the sum of many changes, each given as a subscriber's flags before and after. */
export function counterChange(
  changes: readonly (readonly [before: Flags | undefined, after: Flags | undefined])[],
): FollowerChange {
  const sum = { ...countOf(undefined), followed: 0, unfollowed: 0 };
  for (const [before, after] of changes) {
    const [old, current] = [countOf(before), countOf(after)];
    for (const counter of counters) sum[counter] += current[counter] - old[counter];
    if (follows(after) && !follows(before)) sum.followed++;
    if (follows(before) && !follows(after)) sum.unfollowed++;
  }
  return sum;
}

/** Whether the feed has events: a subscriber who is blocked or has unfollowed is lost, as one who is deleted. */
function follows(flags: Flags | undefined): boolean {
  return flags !== undefined && flags.blocked === 0 && (flags.unfollowed_at ?? null) === null;
}

/** Adds to a calendar's counters, and to those of its day. Call it in the transaction that changes the subscriber. */
export async function addToCounters(
  db: Db,
  calendarId: number,
  by: FollowerChange,
  now: number,
): Promise<void> {
  const sum = (counter: Counter) => db.raw("?? + ?", [counter, by[counter]]);
  await db<CalendarRow>("calendars")
    .where({ id: calendarId })
    .update({
      followers_total: sum("followers_total"),
      followers_active: sum("followers_active"),
      followers_inactive: sum("followers_inactive"),
      followers_blocked: sum("followers_blocked"),
    });
  const row = { calendar_id: calendarId, day: dayIndex(now), name: "" };
  await addToDays(db, [
    { ...row, kind: "followed", count: by.followed },
    { ...row, kind: "unfollowed", count: by.unfollowed },
    { ...row, kind: "active", count: by.followers_active },
  ]);
}

/** Updates the counters for subscribers, of any calendars, that have just become active (1) or inactive (0). */
export async function countActivityChanges(
  db: Db,
  rows: readonly Pick<SubscriberRow, "calendar_id" | "blocked">[],
  active: 0 | 1,
  now: number,
): Promise<void> {
  for (const calendarId of new Set(rows.map(({ calendar_id }) => calendar_id))) {
    const changes = rows
      .filter(({ calendar_id }) => calendar_id === calendarId)
      .map(
        ({ blocked }) =>
          [
            { active: 1 - active, blocked },
            { active, blocked },
          ] as const,
      );
    await addToCounters(db, calendarId, counterChange(changes), now);
  }
}
