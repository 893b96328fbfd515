import type { Params } from "@kalends/spec";
import { pageOf, rowsOf } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { announceCalendar } from "./announce.js";
import { newUniquekey } from "./keys.js";
import { defaultPaletteId } from "./palettes.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";

export const calendarHandlers = {
  async listCalendars(_params, { db, accountId, page, cached }) {
    return cached(await db.readChangeCounter(), async () => {
      const rows = await db.list(accountId, (on) => queries.listCalendars(on, accountId, rowsOf(page)));
      const { items, paging } = pageOf(page, rows);
      return { calendars: items.map(serialize.calendar), paging };
    });
  },

  async createCalendar(params, { db, accountId, now, wrote }) {
    const calendar = { ...fields(params), description: params.description ?? "", uniquekey: newUniquekey() };
    return db.transaction(async (trx) => {
      const created = await queries.insertCalendar(trx, accountId, calendar, now);
      if (created === undefined) throw new ApiError("token_unknown");
      await announceCalendar(trx, db.dialect, "calendar.created", created, now);
      wrote({ calendarId: created.id });
      return { calendar: serialize.calendar(created) };
    });
  },

  async saveCalendar(params, { db, accountId, now, wrote, error }) {
    // Absent keeps the description, empty clears it (rulings R4.6).
    const change = {
      ...fields(params),
      ...(params.description === undefined ? {} : { description: params.description }),
    };
    return db.transaction(async (trx) => {
      const saved = await queries.updateCalendar(trx, accountId, Number(params.calendar_id), change, now);
      if (saved === undefined) throw error("calendar_not_found");
      await announceCalendar(trx, db.dialect, "calendar.saved", saved, now);
      wrote({ calendarId: saved.id });
      return { calendar: serialize.savedCalendar(saved) };
    });
  },

  async deleteCalendar({ calendar_id }, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const deleted = await queries.deleteCalendar(trx, accountId, Number(calendar_id), now);
      if (deleted === undefined) throw error("calendar_not_found");
      await announceCalendar(trx, db.dialect, "calendar.deleted", deleted, now);
      wrote({ calendarId: deleted.id });
      return { calendar: { id: calendar_id, status: "deleted" } };
    });
  },
} satisfies Pick<Handlers, "listCalendars" | "createCalendar" | "saveCalendar" | "deleteCalendar">;

/** The fields that take their default when absent or empty, on create and on save (contract 4.2, rulings R4.6). */
function fields(params: Params<"createCalendar"> | Params<"saveCalendar">) {
  return {
    title: params.title,
    calendarname: params.calendarname ?? params.title,
    timezone: params.timezone,
    palette_id: params.palette_id ?? defaultPaletteId,
  };
}
