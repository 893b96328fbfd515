import type { Database } from "../db/database.js";
import type { CalendarDayRow } from "../db/rows.js";
import { dayIndex } from "../time/formats.js";
import { addAllToDays } from "./statistics-queries.js";

/** Counts polls in memory, so that no request waits for a write. */
export interface PollCounter {
  /** Counts a poll of a calendar's feed by an app at `now` (Unix seconds). */
  count(calendarId: number, app: string, now: number): void;
  /** Adds the counts to those stored. If it fails, the next call adds those that are left. */
  flush(): Promise<void>;
}

/** Calendars in memory at most, with the counts that could not be stored. Polls of further ones are not counted. */
const capacity = 100_000;

/** Counts of one transaction: few enough that other writers hardly wait. */
const batchSize = 1_000;

export function createPollCounter(db: Database, most = capacity): PollCounter {
  let day = 0;
  let counts = new Map<number, Map<string, number>>();
  let unwritten: readonly CalendarDayRow[] = [];
  let writing: Promise<void> = Promise.resolve();

  const endCounts = (): void => {
    const rows = [...counts].flatMap(([calendar_id, apps]) =>
      [...apps].map(([name, count]) => ({ calendar_id, kind: "polls" as const, day, name, count })),
    );
    unwritten = [...unwritten, ...rows];
    counts = new Map();
  };

  const write = async (): Promise<void> => {
    endCounts();
    while (unwritten.length > 0) {
      const part = unwritten.slice(0, batchSize);
      await db.transaction((trx) => addAllToDays(trx, part));
      unwritten = unwritten.slice(part.length); // a day that ends meanwhile adds to its end
    }
  };

  return {
    count(calendarId, app, now) {
      const today = dayIndex(now);
      if (today !== day) endCounts();
      day = today;
      const apps = counts.get(calendarId);
      if (apps !== undefined) apps.set(app, (apps.get(app) ?? 0) + 1);
      else if (counts.size + unwritten.length < most) counts.set(calendarId, new Map([[app, 1]]));
    },
    flush() {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}
