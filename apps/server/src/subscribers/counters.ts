import type { Db } from "../db/connect.js";
import type { CalendarRow, SubscriberRow } from "../db/rows.js";

type Flags = Pick<SubscriberRow, "active" | "blocked">;
type Counter = "followers_total" | "followers_active" | "followers_inactive" | "followers_blocked";

/** How much each of a calendar's counters moves. */
export type Count = Readonly<Record<Counter, number>>;

/** What one subscriber adds to the counters of its calendar (rulings R5.2); no subscriber adds nothing. */
export function countOf(flags: Flags | undefined): Count {
  const active = flags?.active === 1;
  const blocked = flags?.blocked === 1;
  return {
    followers_total: flags === undefined ? 0 : 1,
    followers_active: active && !blocked ? 1 : 0,
    followers_inactive: flags !== undefined && !active ? 1 : 0,
    followers_blocked: blocked ? 1 : 0,
  };
}

/** The counters moved by many changes, each a subscriber's flags before and after. */
export function moved(
  changes: readonly (readonly [before: Flags | undefined, after: Flags | undefined])[],
): Count {
  const sum = { followers_total: 0, followers_active: 0, followers_inactive: 0, followers_blocked: 0 };
  for (const [before, after] of changes) {
    const [old, fresh] = [countOf(before), countOf(after)];
    sum.followers_total += fresh.followers_total - old.followers_total;
    sum.followers_active += fresh.followers_active - old.followers_active;
    sum.followers_inactive += fresh.followers_inactive - old.followers_inactive;
    sum.followers_blocked += fresh.followers_blocked - old.followers_blocked;
  }
  return sum;
}

/** Moves a calendar's counters in one statement. Call it in the transaction of the change itself. */
export async function moveCounters(db: Db, calendarId: number, by: Count): Promise<void> {
  const step = (counter: Counter) => db.raw("?? + ?", [counter, by[counter]]);
  await db<CalendarRow>("calendars")
    .where({ id: calendarId })
    .update({
      followers_total: step("followers_total"),
      followers_active: step("followers_active"),
      followers_inactive: step("followers_inactive"),
      followers_blocked: step("followers_blocked"),
    });
}

/** Counts followers, of whatever calendars, that have just become active (1) or inactive (0). */
export async function countFlips(
  db: Db,
  rows: readonly Pick<SubscriberRow, "calendar_id" | "blocked">[],
  active: 0 | 1,
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
    await moveCounters(db, calendarId, moved(changes));
  }
}
