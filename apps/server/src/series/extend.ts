import type { Logger } from "pino";
import { runUnit } from "../background/units.js";
import { lockCalendar } from "../calendars/lock-queries.js";
import type { Database } from "../db/open-database.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { AccountFull } from "../db/refusals.js";
import { publishedNow } from "../events/fields.js";
import { budgetOf, mostEvents } from "../http/limits.js";
import { addEvents } from "./member-events.js";
import { followingRules } from "./slow-rules.js";
import { extendSeconds } from "./plan.js";
import * as queries from "./queries.js";
import { readTemplate } from "./template.js";

const batchSize = 50;

/** How long a series may take, and for how long it is claimed, in seconds. One that fails is tried again after the pause. */
const [limitSeconds, claimSeconds, pauseSeconds] = [60, 120, 3_600];

/**
 * Makes the next events of the endless series that are due, each in a transaction of its own: one that fails does not keep the others
 * from it. Returns how many events. With several servers each series is extended once, by the one that has claimed it.
 */
export async function extendSeries(
  { db, log, now }: { readonly db: Database; readonly log: Logger; readonly now: number },
  isStopping: () => boolean = () => false,
): Promise<number> {
  const began = performance.now();
  await db.transaction((trx) => queries.releaseExpired(trx, now));
  for (let made = 0; ;) {
    const due = await queries.findDueSeries(db.read, now, batchSize);
    for (const { id, calendar_id } of due) {
      if (isStopping()) return made;
      const until = now + claimSeconds + Math.ceil((performance.now() - began) / 1_000);
      const isMine = await db.transaction((trx) => queries.claimSeries(trx, id, { now, until }));
      if (!isMine) continue;
      const unit = { log, kind: "series", id, limitMs: limitSeconds * 1_000 } as const;
      const isDone = await runUnit(unit, async () => {
        made += await extend(db, id, calendar_id, now).catch(async (error: unknown) => {
          if (!(error instanceof AccountFull)) throw error;
          await db.transaction((trx) => queries.postponeSeries(trx, id, now + extendSeconds)); // until there is room
          return 0;
        });
      });
      if (!isDone) await db.transaction((trx) => queries.postponeSeries(trx, id, now + pauseSeconds));
    }
    if (due.length < batchSize) return made;
  }
}

/** How many events of a series one transaction makes: as many as a request may; the others a day later. */
function mostAtOnce(series: Parameters<typeof readTemplate>[0]): number {
  return Math.max(1, Math.floor(budgetOf("createSeries").bytesWritten / bytesOfEvent(readTemplate(series))));
}

async function extend(db: Database, id: number, calendarId: number, now: number): Promise<number> {
  return followingRules(`calendar ${calendarId}`, (follow) =>
    db.transaction<number>(async (trx) => {
      const calendar = await lockCalendar(trx, { calendarId });
      if (calendar === undefined) {
        await queries.postponeSeries(trx, id, now + extendSeconds); // it goes with its calendar, or that is restored
        return 0;
      }
      const series = await queries.findSeries(trx, id);
      if (series === undefined || series.next_at === null || series.next_at > now) return 0; // another server was here
      const room = Math.min(
        mostAtOnce(series),
        mostEvents.ofSeries - (await queries.countComing(trx, id, now)),
      );
      const expansion =
        room <= 0 ? undefined : follow(series, { now, after: series.made_until, most: room, lenient: true });
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
    }),
  );
}
