import type { Params } from "@kalends/spec";
import { storeCalendarValues } from "../custom-data/queries.js";
import { storedData } from "../custom-data/stored.js";
import { pageOf, rowsOf } from "../db/paging.js";
import type { Handlers } from "../http/handler.js";
import { memberOf } from "../db/member.js";
import { announceCalendar } from "./announce.js";
import { findCalendars, findWholeCalendar, lockWholeCalendar } from "./find.js";
import { defaultPaletteId } from "./palettes.js";
import { updateCalendar } from "./queries.js";
import * as serialize from "./serialize.js";

/** The operations of calendars beyond the contract (extensions X2). */
export const calendarExtensionHandlers = {
  async findCalendars({ custom_data_key: name, custom_data_value: value }, { db, accountId, page }) {
    const has = name === undefined ? undefined : { name, value };
    const rows = await db.list(accountId, ({ read }) => findCalendars(read, accountId, has, rowsOf(page)));
    const { items, paging } = pageOf(page, rows);
    return { calendars: items.map(serialize.calendarDetails), paging };
  },

  async getCalendar({ calendar_id }, { db, accountId, error }) {
    const row = await db.list(accountId, ({ read }) =>
      findWholeCalendar(read, accountId, Number(calendar_id)),
    );
    if (row === undefined) throw error("calendar_not_found");
    return { calendar: serialize.calendarDetails(row) };
  },

  async updateCalendar(params, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const found = await lockWholeCalendar(trx, accountId, Number(params.calendar_id));
      if (found === undefined) throw error("calendar_not_found");
      const saved = await updateCalendar(trx, accountId, found.id, sentFields(params, found.title), now);
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
} satisfies Pick<Handlers, "findCalendars" | "getCalendar" | "updateCalendar">;

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
