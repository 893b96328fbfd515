import { announceCalendar } from "../calendars/announce.js";
import { hasCalendar, purgeTrashOf, restoreCalendar } from "../calendars/queries.js";
import { calendarDetails } from "../calendars/serialize.js";
import { pageOf, rowsOf } from "../db/paging.js";
import { event as shown } from "./serialize.js";
import type { Handlers } from "../http/handler.js";
import { idsOf } from "./series-serialize.js";
import { extendSeriesOf } from "./series-queries.js";
import { formatWallClock } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";
import { keepsTrash, trashExpiredAt, trashExpiryOf } from "../calendars/trash-days.js";
import { listTrash, purgeOne, type TrashItem } from "./trash-queries.js";
import { type Refuse, restoreEvents } from "./trash-restore.js";

/** What was deleted and can be restored (extensions X8.3). */
export const trashHandlers = {
  async trashList({ calendar_id }, { db, accountId, now, page, error, calendars }) {
    const calendarId = calendar_id === undefined ? undefined : Number(calendar_id);
    if (calendarId !== undefined && !(await hasCalendar(db, accountId, calendarId)))
      throw error("calendar_not_found");
    const filter = { calendarId, calendars, after: trashExpiredAt(now), ...rowsOf(page) };
    const rows = keepsTrash() ? await db.list(accountId, (on) => listTrash(on, accountId, filter)) : [];
    const { items, paging } = pageOf(page, rows);
    return { trash: items.map(item), paging };
  },

  async eventsRestore({ event_id }, { db, accountId, now, base, wrote, error }) {
    return db.transaction(async (trx) => {
      const refuse: Refuse = (code, failures) =>
        error(code === "not_found" ? "event_not_found" : code, failures);
      const target = { id: Number(event_id) };
      const { calendar, events } = await restoreEvents({ trx, now, refuse }, accountId, target);
      const [row] = events;
      if (row === undefined) throw error("event_not_found");
      wrote({ calendarId: calendar.id, eventId: row.id });
      return { event: shown(row, { uniquekey: calendar.uniquekey, base }) };
    });
  },

  async eventsSeriesRestore({ series_id }, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const refuse: Refuse = (code, failures) =>
        error(code === "not_found" ? "series_not_found" : code, failures);
      const target = { series_id: Number(series_id) };
      const { calendar, events } = await restoreEvents({ trx, now, refuse }, accountId, target);
      wrote({ calendarId: calendar.id });
      return { event_ids: idsOf(events) };
    });
  },

  async calendarsRestore({ calendar_id }, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const deleted = { now, after: trashExpiredAt(now) };
      const restored = await restoreCalendar(trx, accountId, Number(calendar_id), deleted);
      if (restored === undefined) throw error("calendar_not_found");
      await extendSeriesOf(trx, restored.id, now);
      await announceCalendar(trx, "restored", [restored, restored], now);
      wrote({ calendarId: restored.id });
      return { calendar: calendarDetails(restored) };
    });
  },

  async trashPurge({ event_id, calendar_id, all }, { db, accountId, now, wrote, error }) {
    const given = [event_id, calendar_id, all].filter((value) => value !== undefined);
    const message = "must be given, or calendar_id, or all, and not two of them";
    if (given.length !== 1)
      throw error("parameter_invalid", [{ parameter: "event_id", message, code: "missing" }]);
    return db.transaction(async (trx) => {
      if (event_id === undefined) {
        const id = calendar_id === undefined ? undefined : Number(calendar_id);
        if ((await purgeTrashOf(trx, accountId, id)) === undefined) throw error("calendar_not_found");
        if (id !== undefined) wrote({ calendarId: id });
      } else {
        const calendarId = await purgeOne(trx, accountId, Number(event_id), trashExpiredAt(now));
        if (calendarId === undefined) throw error("event_not_found");
        wrote({ calendarId, eventId: Number(event_id) });
      }
      return { trash: { status: "purged" as const } };
    });
  },
} satisfies Partial<Handlers>;

function item({ kind, id, calendar_id, title, start_local, series_id, deleted_at }: TrashItem) {
  return {
    kind,
    id: String(id),
    calendar_id: String(calendar_id),
    title,
    start_date: kind === "event" ? formatWallClock(start_local) : "",
    series_id: series_id === 0 ? "" : String(series_id),
    date_deleted: formatInstant(deleted_at),
    date_expires: formatInstant(trashExpiryOf(deleted_at)),
  };
}
