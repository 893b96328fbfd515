import type { Params } from "@kalends/spec";
import { storeCalendarValues } from "../custom-data/queries.js";
import { storedData } from "../custom-data/stored.js";
import type { Db } from "../db/database.js";
import { memberOf } from "../db/member.js";
import { pageOf, rowsOf } from "../db/paging.js";
import type { Dialect } from "../db/query.js";
import type { CalendarRow } from "../db/rows.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { announceAlone } from "../webhooks/outbox-queries.js";
import * as find from "./find-queries.js";
import { defaultPaletteId } from "./palettes.js";
import { newUniquekey } from "./keys.js";
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

  async findCalendars({ custom_data_key: name, custom_data_value: value }, { db, accountId, page }) {
    const has = name === undefined ? undefined : { name, value };
    const rows = await db.list(accountId, ({ read }) =>
      find.findCalendars(read, accountId, has, rowsOf(page)),
    );
    const { items, paging } = pageOf(page, rows);
    return { calendars: items.map(serialize.calendarDetails), paging };
  },

  async getCalendar({ calendar_id }, { db, accountId, error }) {
    const row = await db.list(accountId, ({ read }) =>
      find.findWholeCalendar(read, accountId, Number(calendar_id)),
    );
    if (row === undefined) throw error("calendar_not_found");
    return { calendar: serialize.calendarDetails(row) };
  },

  async updateCalendar(params, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const found = await find.lockWholeCalendar(trx, accountId, Number(params.calendar_id));
      if (found === undefined) throw error("calendar_not_found");
      const saved = await queries.updateCalendar(
        trx,
        accountId,
        found.id,
        sentFields(params, found.title),
        now,
      );
      if (saved === undefined) throw error("calendar_not_found");
      if (params.custom_data !== undefined)
        await storeCalendarValues(memberOf(trx, db.dialect), {
          owner: accountId,
          item: saved.id,
          json: saved.custom_data,
        });
      await announceCalendar(trx, db.dialect, "calendar.saved", saved, now);
      wrote({ calendarId: saved.id });
      return { calendar: serialize.calendarDetails(saved) };
    });
  },
} satisfies Partial<Handlers>;

/** The fields that take their default when absent or empty, on create and on save (contract 4.2, rulings R4.6). */
function fields(params: Params<"createCalendar"> | Params<"saveCalendar">) {
  return {
    title: params.title,
    calendarname: params.calendarname ?? params.title,
    timezone: params.timezone,
    palette_id: params.palette_id ?? defaultPaletteId,
  };
}

/** The fields that were sent; an empty value clears, which where a field has a default means the default. */
function sentFields(
  { title, calendarname, timezone, palette_id, description, custom_data }: Params<"updateCalendar">,
  titleBefore: string,
) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(calendarname === undefined ? {} : { calendarname: calendarname || (title ?? titleBefore) }),
    ...(timezone === undefined ? {} : { timezone: timezone || "America/Los_Angeles" }),
    ...(palette_id === undefined ? {} : { palette_id: palette_id || defaultPaletteId }),
    ...(description === undefined ? {} : { description }),
    ...(custom_data === undefined ? {} : { custom_data: storedData(custom_data) }),
  };
}

/** Announces a change of a calendar, in its transaction (extensions X4.1). */
async function announceCalendar(
  trx: Db,
  dialect: Dialect,
  type: "calendar.created" | "calendar.saved" | "calendar.deleted",
  row: CalendarRow,
  now: number,
): Promise<void> {
  const id = String(row.id);
  // Of a deleted one the message is kept after its texts have been removed.
  const calendar = type === "calendar.deleted" ? { id, status: "deleted" } : serialize.calendarDetails(row);
  const change = { accountId: row.account_id, calendarId: row.id, type, now, data: { calendar } };
  await announceAlone(trx, dialect, change);
}
