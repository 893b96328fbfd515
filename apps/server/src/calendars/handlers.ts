import type { Params, Payload } from "@kalends/spec";
import { storeCalendarValues } from "./custom-data-queries.js";
import { storedData } from "./custom-data-stored.js";
import type { Transaction } from "../db/transaction.js";
import { pageOf, rowsOf } from "../db/paging.js";
import type { CalendarRow } from "../db/rows.js";
import { ApiError } from "../http/errors.js";
import type { Context, Handlers, WriteDatabase } from "../http/handler.js";
import { announceCalendar } from "./announce.js";
import * as find from "./find-queries.js";
import { defaultPaletteId, listedPalettes } from "./palettes.js";
import * as queries from "./queries.js";
import { pictureAfter, requirePicture } from "./picture-fields.js";
import * as serialize from "./serialize.js";
import { formatOffset, listedZones, standardOffset } from "../time/zones.js";

export const calendarHandlers = {
  async listCalendars(_params, { db, accountId, page, cached }) {
    return cached(await db.readChangeCounter(), async () => {
      const rows = await db.list(accountId, (on) => queries.listCalendars(on, accountId, rowsOf(page)));
      const { items, paging } = pageOf(page, rows);
      return { calendars: items.map(serialize.calendar), paging };
    });
  },

  async createCalendar(params, context) {
    return create(params, context, (row) => ({ calendar: serialize.calendar(row) }));
  },

  async calendarsCreate(params, context) {
    return create(params, context, (row) => ({ calendar: serialize.calendarDetails(row) }));
  },

  async saveCalendar(params, context) {
    // Absent keeps the description, empty clears it (rulings R4.6).
    const change = {
      ...fields(params),
      ...(params.description === undefined ? {} : { description: params.description }),
    };
    return save(
      params.calendar_id,
      () => change,
      context,
      (row) => ({ calendar: serialize.savedCalendar(row) }),
    );
  },

  deleteCalendar: remove,
  calendarsDelete: remove,

  palettesList: () => Promise.resolve({ palettes: listedPalettes() }),

  async calendarsList({ custom_data_key: name, custom_data_value: value }, context) {
    const { db, accountId, page, calendars } = context;
    const has = name === undefined ? undefined : { name, value };
    const rows = await db.list(accountId, ({ read }) =>
      find.findCalendars(read, accountId, { has, calendars }, rowsOf(page)),
    );
    const { items, paging } = pageOf(page, rows);
    return { calendars: items.map(serialize.calendarDetails), paging };
  },

  async calendarsDetails({ calendar_id }, { db, accountId, error }) {
    const row = await db.list(accountId, ({ read }) =>
      find.findWholeCalendar(read, accountId, Number(calendar_id)),
    );
    if (row === undefined) throw error("calendar_not_found");
    return { calendar: serialize.calendarDetails(row) };
  },

  async calendarsUpdate(params, context) {
    const changeOf = (before: CalendarRow) => ({
      ...sentFields(params, before.title),
      ...sentPicture(params, before, context.error),
    });
    return save(params.calendar_id, changeOf, context, (row) => ({
      calendar: serialize.calendarDetails(row),
    }));
  },
} satisfies Partial<Handlers>;

interface Writing<Answer> extends Pick<Context<"calendarsCreate">, "accountId" | "now" | "wrote" | "error"> {
  readonly db: WriteDatabase<Answer>;
}

async function create<Answer>(
  params: Params<"calendarsCreate">,
  { db, accountId, now, wrote, error }: Writing<Answer>,
  answerOf: (row: CalendarRow) => Answer,
) {
  const { description = "", custom_data } = params;
  const picture = sentPicture(params, { picture_id: "", picture_alt: "" }, error);
  return db.transaction(async (trx) => {
    const own = { ...sentExtras(params), ...picture };
    const calendar = { ...fields(params), description, uniquekey: queries.newUniquekey(), ...own };
    const created = await queries.insertCalendar(trx, accountId, calendar, now);
    if (created === undefined) throw new ApiError("token_unknown");
    await requirePicture(trx, accountId, picture.picture_id, error); // once the account is locked, as others do
    if (custom_data !== undefined) await storeValues(trx, created);
    await announceCalendar(trx, "created", [created, created], now);
    wrote({ calendarId: created.id });
    return answerOf(created);
  });
}

/** Applies the change that `changeOf` derives from the stored calendar, and announces it. */
async function save<Answer>(
  calendarId: string,
  changeOf: (before: CalendarRow) => Parameters<typeof queries.updateCalendar>[3],
  { db, accountId, now, wrote, error }: Writing<Answer>,
  answerOf: (row: CalendarRow) => Answer,
) {
  return db.transaction(async (trx) => {
    const found = await find.lockWholeCalendar(trx, accountId, Number(calendarId));
    if (found === undefined) throw new ApiError("calendar_not_found");
    const change = changeOf(found);
    await requirePicture(trx, accountId, change.picture_id, error);
    const saved = await queries.updateCalendar(trx, accountId, found.id, change, now);
    if (saved === undefined) throw new ApiError("calendar_not_found");
    if (change.custom_data !== undefined) await storeValues(trx, saved);
    await announceCalendar(trx, "changed", [found, saved], now);
    wrote({ calendarId: saved.id });
    return answerOf(saved);
  });
}

async function storeValues(trx: Transaction, { account_id, id, custom_data: json }: CalendarRow) {
  await storeCalendarValues(trx, { owner: account_id, item: id, json });
}

async function remove(
  { calendar_id }: Params<"deleteCalendar">,
  { db, accountId, now, wrote, error }: Context<"deleteCalendar">,
): Promise<Payload<"deleteCalendar">> {
  return db.transaction(async (trx) => {
    const deleted = await queries.deleteCalendar(trx, accountId, Number(calendar_id), now);
    if (deleted === undefined) throw error("calendar_not_found");
    await announceCalendar(trx, "deleted", [deleted, deleted], now);
    wrote({ calendarId: deleted.id });
    return { calendar: { id: calendar_id, status: "deleted" } };
  });
}

const defaultZone = "America/Los_Angeles";

/** Returns the fields that take their default when absent or empty, on create and on save (contract 4.2, rulings R4.6). */
function fields(params: Params<"calendarsCreate" | "saveCalendar">) {
  return {
    title: params.title,
    calendarname: params.calendarname ?? params.title,
    timezone: params.timezone ?? defaultZone,
    palette_id: params.palette_id ?? defaultPaletteId,
  };
}

function sentPicture(
  { picture_id: id, picture_alt: alt }: Params<"calendarsCreate" | "calendarsUpdate">,
  before: Pick<CalendarRow, "picture_id" | "picture_alt">,
  error: Parameters<typeof pictureAfter>[3],
): Partial<Pick<CalendarRow, "picture_id" | "picture_alt">> {
  const own = { id: before.picture_id, alt: before.picture_alt };
  const after = pictureAfter("picture", { id, alt }, own, error);
  return after === undefined ? {} : { picture_id: after.id, picture_alt: after.alt };
}

/** Returns the fields of the extensions that were sent; an empty value clears. */
function sentExtras({ custom_data, accent, listed }: Params<"calendarsCreate" | "calendarsUpdate">) {
  return {
    ...(custom_data === undefined ? {} : { custom_data: storedData(custom_data) }),
    ...(accent === undefined ? {} : { accent: accent.toLowerCase() }),
    ...(listed === undefined ? {} : { listed: listed === "true" ? 1 : 0 }),
  };
}

/** Returns the fields that were sent; an empty value clears the field, or sets its default. */
function sentFields(
  { title, calendarname, timezone, palette_id, description, ...others }: Params<"calendarsUpdate">,
  titleBefore: string,
) {
  return {
    ...sentExtras(others),
    ...(title === undefined ? {} : { title }),
    ...(calendarname === undefined ? {} : { calendarname: calendarname || (title ?? titleBefore) }),
    ...(timezone === undefined ? {} : { timezone: timezone || defaultZone }),
    ...(palette_id === undefined ? {} : { palette_id: palette_id || defaultPaletteId }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The list changes only when the rules of some zone do, so it is computed at most once an hour. */
const lifetimeSeconds = 3600;

export const timezoneHandlers = {
  listTimeZones: (_params, { now, cached }) =>
    cached(Math.floor(now / lifetimeSeconds), () => Promise.resolve({ data: zones(now) })),

  timezonesList: (_params, { now, cached }) =>
    cached(Math.floor(now / lifetimeSeconds), () => Promise.resolve({ timezones: zones(now) })),
} satisfies Partial<Handlers>;

function zones(now: number) {
  return listedZones().map((label) => ({ label, offset: formatOffset(standardOffset(label, now)) }));
}
