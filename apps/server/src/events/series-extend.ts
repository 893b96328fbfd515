import { overItems } from "../background/failures.js";
import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import type { Database, Db } from "../db/open-database.js";
import { AccountFull, mostBytesOfWrite } from "../db/refusals.js";
import { publishedNow } from "./fields.js";
import { mostEvents } from "../http/limits.js";
import { addEvents } from "./series-create.js";
import { extendSeconds, followRule } from "./series-plan.js";
import { readTemplate } from "./series-template.js";
import * as queries from "./series-queries.js";

const batchSize = 50;

/** When a series is tried again whose next events could not be made, in seconds. */
const pauseSeconds = 3_600;

/**
 * Makes the next events of the endless series that are due, each in a transaction of its own: one that fails does not keep the others
 * from it. Returns how many events. When a series is tried again is stored before it is tried, so that several servers extend it once.
 */
export async function extendSeries(
  { db, now }: { readonly db: Database; readonly now: number },
  isStopping: () => boolean = () => false,
): Promise<number> {
  const until = now + pauseSeconds;
  return overItems(async (doItem) => {
    for (let made = 0; ;) {
      const due = await queries.findDueSeries(db.read, now, batchSize);
      for (const { id, calendar_id } of due) {
        if (isStopping()) return made;
        if (!(await db.transaction((trx) => queries.takeSeries(trx, id, now, until)))) continue;
        await doItem(id, async () => {
          made += await extend(db, id, calendar_id, { now, until }).catch(async (error: unknown) => {
            if (!(error instanceof AccountFull)) throw error;
            await db.transaction((trx) => queries.postponeSeries(trx, id, now + extendSeconds)); // until there is room
            return 0;
          });
        });
      }
      if (due.length < batchSize) return made;
    }
  });
}

export async function isSeriesDue(db: Db, now: number): Promise<boolean> {
  return (await queries.findDueSeries(db, now, 1)).length > 0;
}

/** How many events of a series one transaction makes: as many as a request may; the others a day later. */
function mostAtOnce(series: Parameters<typeof readTemplate>[0], { webhooks }: LockedCalendar): number {
  return Math.max(1, Math.floor(mostBytesOfWrite / (1 + webhooks) / bytesOfEvent(readTemplate(series))));
}

async function extend(
  db: Database,
  id: number,
  calendarId: number,
  { now, until }: Readonly<Record<"now" | "until", number>>,
): Promise<number> {
  return db.transaction<number>(async (trx) => {
    const calendar = await lockCalendar(trx, { calendarId });
    if (calendar === undefined) {
      await queries.postponeSeries(trx, id, now + extendSeconds); // it goes with its calendar, or that is restored
      return 0;
    }
    const series = await queries.findSeries(trx, id);
    if (series === undefined || series.next_at !== until) return 0; // changed since
    const room = Math.min(
      mostAtOnce(series, calendar),
      mostEvents.ofSeries - (await queries.countComing(trx, id, now)),
    );
    const expansion =
      room <= 0
        ? undefined
        : await followRule(series, { now, after: series.made_until, most: room, lenient: true });
    const refusal = expansion !== undefined && "message" in expansion ? expansion : undefined;
    const extended = expansion === undefined || "message" in expansion ? undefined : expansion;
    const hasEnded = refusal !== undefined && refusal.isTooSlow !== true; // past the year 9999
    await queries.updateSeries(trx, {
      ...series,
      made_until: extended?.madeUntil ?? series.made_until,
      next_at: hasEnded ? null : now + extendSeconds,
    });
    const places = extended?.places ?? [];
    const last = await queries.findLastOfSeries(trx, id);
    const publication = last ?? publishedNow;
    const created = await addEvents(trx, calendar, series, places, { now, ...publication });
    if (publication.state === "published") await queries.knowAsImported(trx, series, created);
    return places.length;
  });
}
