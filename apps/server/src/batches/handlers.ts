import type { Params, Payload } from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { lockCalendar } from "../calendars/lock-queries.js";
import type { Member } from "../db/batch.js";
import { memberTransaction } from "../db/member.js";
import { requireCategories } from "../events/fields.js";
import { changeEvents, removeEvents } from "../events/many.js";
import { lockEvent, lockEvents } from "../events/queries.js";
import type { Handlers } from "../http/handler.js";
import { type Change, namedEvents, plannedChanges } from "./change.js";
import { copyEvents } from "./copy.js";

/** Writes of many events (extensions X8.4), each in a transaction of its own, as those of series are. */
export const batchHandlers = {
  async changeEvents(params, { db, accountId, now, wrote, error }) {
    return memberTransaction(db, async (trx) => {
      const named = namedEvents(params.events);
      const found = await lockEvents(
        trx,
        accountId,
        named.map(({ id }) => id),
      );
      const calendars = new Set([...found.values()].map(({ calendar }) => calendar));
      for (const calendar of calendars) await requireCategories(trx, calendar, params.categories, error);
      const { changes, failed } = plannedChanges(params, named, found, error);
      const done = params.dry_run !== "true" && (failed.length === 0 || params.partial === "true");
      for (const calendar of done ? calendars : []) {
        const ofCalendar = changes.filter((change) => change.calendar.id === calendar.id);
        await store(trx, calendar, ofCalendar, params, now);
        wrote({ calendarId: calendar.id });
      }
      const event_ids = changes.map(({ event }) => String(event.id));
      return { done, event_ids, failed } satisfies Payload<"changeEvents">;
    });
  },

  async copyEvent({ event_id, start_dates, calendar_id }, { db, accountId, now, wrote, error }) {
    return memberTransaction(db, async (trx) => {
      const [found, target] = await Promise.all([
        lockEvent(trx, accountId, Number(event_id)),
        calendar_id === undefined
          ? undefined
          : lockCalendar(trx, { accountId, calendarId: Number(calendar_id) }),
      ]);
      if (found === undefined) throw error("event_not_found");
      const calendar = calendar_id === undefined ? found.calendar : target;
      if (calendar === undefined) throw error("calendar_not_found");
      await requireCategories(trx, calendar, found.event.categories, error);
      const copies = await copyEvents(trx, { event: found.event, calendar }, start_dates.split(","), {
        now,
        error,
      });
      wrote({ calendarId: calendar.id });
      return { event_ids: copies.map(({ id }) => String(id)) };
    });
  },
} satisfies Partial<Handlers>;

async function store(
  trx: Member,
  calendar: LockedCalendar,
  changes: readonly Change[],
  params: Params<"changeEvents">,
  now: number,
): Promise<void> {
  const events = changes.map(({ event }) => event);
  if (params.delete === "true") return removeEvents(trx, calendar, events, now);
  await changeEvents(
    trx,
    calendar,
    changes.map(({ event, change }) => [event, change]),
    now,
  );
}
