import type { Params } from "@kalends/spec";
import { pageOf, rowsOf } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { newUniquekey } from "./keys.js";
import { defaultPaletteId } from "./palettes.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";

export const calendarHandlers = {
  async listCalendars(_params, { db, accountId, page, cached }) {
    return cached(await db.readChangeCounter(), async () => {
      const rows = await db.list((on) => queries.listCalendars(on, accountId, rowsOf(page)));
      const { items, paging } = pageOf(page, rows);
      return { calendars: items.map(serialize.calendar), paging };
    });
  },

  async createCalendar(params, { db, accountId, now, wrote }) {
    const calendar = { ...fields(params), description: params.description ?? "", uniquekey: newUniquekey() };
    const row = await db.transaction(async (trx) => {
      const created = await queries.insertCalendar(trx, accountId, calendar, now);
      if (created === undefined) throw new ApiError("token_unknown");
      return created;
    });
    wrote({ calendarId: row.id });
    return { calendar: serialize.calendar(row) };
  },

  async saveCalendar(params, { db, accountId, now, wrote, error }) {
    // Absent keeps the description, empty clears it (rulings R4.6).
    const change = {
      ...fields(params),
      ...(params.description === undefined ? {} : { description: params.description }),
    };
    const row = await db.transaction(async (trx) => {
      const saved = await queries.updateCalendar(trx, accountId, Number(params.calendar_id), change, now);
      if (saved === undefined) throw error("calendar_not_found");
      return saved;
    });
    wrote({ calendarId: row.id });
    return { calendar: serialize.savedCalendar(row) };
  },

  async deleteCalendar({ calendar_id }, { db, accountId, now, wrote, error }) {
    const { id } = await db.transaction(async (trx) => {
      const deleted = await queries.deleteCalendar(trx, accountId, Number(calendar_id), now);
      if (deleted === undefined) throw error("calendar_not_found");
      return deleted;
    });
    wrote({ calendarId: id });
    return { calendar: { id: calendar_id, status: "deleted" } };
  },
} satisfies Pick<Handlers, "listCalendars" | "createCalendar" | "saveCalendar" | "deleteCalendar">;

/** The fields that take their default when absent or empty, on create and on save (service.md 4.2, rulings R4.6). */
function fields(params: Params<"createCalendar"> | Params<"saveCalendar">) {
  return {
    title: params.title,
    calendarname: params.calendarname ?? params.title,
    timezone: params.timezone,
    palette_id: params.palette_id ?? defaultPaletteId,
  };
}
