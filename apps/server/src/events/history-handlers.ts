import type { ParameterFailure } from "@kalends/spec";
import { readableCalendars } from "../accounts/principal.js";
import { hasCalendar } from "../calendars/queries.js";
import type { EventRow } from "../db/rows.js";
import { pageOf, rowsOf } from "../db/paging.js";
import { trashExpiredAt } from "../calendars/trash-days.js";
import { storeChange } from "./drafts.js";
import type { Transaction } from "../db/transaction.js";
import { keepPicture } from "../calendars/picture-queries.js";
import { requireCategories } from "./fields.js";
import { fitting } from "./move.js";
import { type LockedEvent, lockEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";
import { changedInstants } from "./rezone.js";
import { event as shown } from "./serialize.js";
import type { Handlers } from "../http/handler.js";
import { monthIndex } from "../time/formats.js";
import { published } from "../calendars/differences.js";
import { calendarOfTrashed } from "./trash-queries.js";
import * as queries from "./history-queries.js";
import * as serialize from "./history-serialize.js";

/** Who has written what, and what it was before (extensions X9.4). */
export const historyHandlers = {
  async historyList({ calendar_id, event_id, person_id }, context) {
    const { db, accountId, principal, page, error, calendars } = context;
    const calendarId = numberOf(calendar_id);
    if (calendarId !== undefined && !(await hasCalendar(db, accountId, calendarId)))
      throw error("calendar_not_found");
    const [eventId, personId] = [numberOf(event_id), numberOf(person_id)];
    const filter = { accountId, calendarId, eventId, personId, calendars, ...rowsOf(page) };
    const rows = await db.list(accountId, async (on) => {
      if (eventId !== undefined && !(await queries.hasEvent(on, accountId, eventId)))
        throw error("event_not_found");
      return queries.listHistory(on, filter);
    });
    const { items, paging } = pageOf(page, rows);
    const { session } = principal ?? {};
    const seesPeople =
      session?.grants.some(({ calendar_id: id, role }) => id === 0 && role === "owner") ?? true;
    const history = items.map((row) => {
      const isOwn = row.author === "person" && row.author_id === session?.personId;
      return serialize.entry(row, { showsName: seesPeople || isOwn || row.author === "token", calendars });
    });
    return { history, paging };
  },

  async eventsRevert({ event_id, entry_id }, context) {
    const { db, accountId, calendars: own, principal, now, base, requireMatch, wrote, error } = context;
    const calendars = principal?.session && readableCalendars(principal.session.grants);
    const [id, entryId] = [Number(event_id), Number(entry_id)];
    const entries = await db.list(accountId, (on) =>
      queries.findEntries(on, accountId, { id: entryId, event_id: id }),
    );
    return db.transaction(async (trx) => {
      const found = await lockEvent(trx, { accountId, calendars: own }, id);
      if (found === undefined)
        throw (await calendarOfTrashed(trx, accountId, { id }, trashExpiredAt(now))) === undefined
          ? error("event_not_found")
          : error("parameter_invalid", [deleted]);
      requireMatch(found.event);
      const of = { id: entryId, event: found.event, calendars, found: entries };
      const state = await queries.stateAfter(trx, of);
      if (state === undefined) throw error("entry_not_found");
      if (state === null) throw error("parameter_invalid", [hidden]);
      const change = await withPicture(trx, accountId, reverted(found, state, now));
      await requireCategories(trx, found.calendar, change.categories, error);
      const row = await storeChange(trx, found, change, { now, error });
      wrote({ calendarId: row.calendar_id, eventId: id });
      return { event: shown(row, { uniquekey: found.calendar.uniquekey, base }) };
    });
  },
} satisfies Partial<Handlers>;

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const deleted: ParameterFailure = {
  parameter: "event_id",
  message: "must not be of a deleted event; restore it first, with events/restore/",
  code: "not_allowed",
};

const hidden: ParameterFailure = {
  parameter: "entry_id",
  message: "must be newer than what the event was in a calendar that is deleted, or that you may not read",
  code: "not_allowed",
};

/** A picture that nothing referred to since may be gone: then the event has none. */
async function withPicture(trx: Transaction, accountId: number, change: EventChange): Promise<EventChange> {
  const { picture_id = "" } = change;
  if (picture_id === "" || (await keepPicture(trx, accountId, picture_id))) return change;
  return { ...change, picture_id: "", picture_alt: "" };
}

/** What makes an event what it was: it stays in its calendar, and zone data that is newer counts. */
function reverted(
  found: LockedEvent,
  {
    publication,
    calendar_id: _calendar,
    ...columns
  }: Readonly<Partial<Record<string, string | number | null>>>,
  now: number,
): EventChange {
  const before: EventRow = { ...found.event, ...columns };
  const row = { ...before, start_month: monthIndex(before.start_local) };
  const change = { ...row, ...fitting(row, found.calendar), ...changedInstants(row) };
  if (publication === undefined) return change;
  const isPublished = publication === published;
  const publish_at = !isPublished && Number(publication) > now ? Number(publication) : null;
  return { ...change, state: isPublished ? "published" : "draft", publish_at };
}
