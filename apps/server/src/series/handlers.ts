import { lockCalendar } from "../calendars/lock-queries.js";
import { memberTransaction } from "../db/member.js";
import type { Handlers } from "../http/handler.js";
import { requireCategories } from "../events/fields.js";
import { removeEvents } from "../events/many.js";
import { lockEvent } from "../events/queries.js";
import { plannedSeries } from "./create.js";
import { addEvents } from "./events.js";
import { followingRules } from "./follow.js";
import * as queries from "./queries.js";
import { idsOf, seriesPayload } from "./serialize.js";
import { updateMany, updateOne } from "./update.js";

/**
 * Series of events (extensions X5). Each write is a transaction of its own: 366 events would hold up the writes that share a group,
 * and those wait for one such transaction as they do for a group.
 */
export const seriesHandlers = {
  async createSeries(params, { db, accountId, now, wrote, error }) {
    return followingRules(accountId, (follow) =>
      memberTransaction(db, async (trx, knex) => {
        const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
        if (calendar === undefined) throw error("calendar_not_found");
        await requireCategories(trx, calendar, params.categories, error);
        const { series, places } = plannedSeries(params, calendar, { now, follow }, error);
        const row = await queries.insertSeries(knex, series);
        const events = await addEvents(trx, calendar, row, places, now);
        wrote({ calendarId: calendar.id });
        return seriesPayload(row, events, events.length);
      }),
    );
  },

  async updateSeries(params, { db, accountId, now, requireMatch, wrote, error }) {
    return followingRules(accountId, (follow) =>
      memberTransaction(db, async (trx, knex) => {
        const found = await lockEvent(trx, accountId, Number(params.event_id));
        if (found === undefined) throw error("event_not_found");
        requireMatch(found.event);
        await requireCategories(trx, found.calendar, params.categories, error);
        const series = await queries.findSeries(knex, found.event.series_id);
        if (series === undefined) throw error("parameter_invalid", [notInSeries]);
        wrote({ calendarId: found.event.calendar_id, eventId: found.event.id });
        const write = { knex, trx, now, found, series, follow, error };
        return params.scope === "this" ? updateOne(params, write) : updateMany(params, write);
      }),
    );
  },

  async deleteSeries({ event_id, scope }, { db, accountId, now, requireMatch, wrote, error }) {
    return memberTransaction(db, async (trx, knex) => {
      const found = await lockEvent(trx, accountId, Number(event_id));
      if (found === undefined) throw error("event_not_found");
      const { event, calendar } = found;
      requireMatch(event);
      const series = await queries.findSeries(knex, event.series_id);
      if (series === undefined) throw error("parameter_invalid", [notInSeries]);
      const all = await queries.findSeriesEvents(knex, series.id);
      const isDeleted = {
        this: (id: number) => id === event.id,
        following: (_id: number, place: number) => place >= event.series_place,
        all: () => true,
      }[scope];
      const deleted = all.filter((each) => isDeleted(each.id, each.series_place));
      await removeEvents(trx, calendar, deleted, now);
      if (scope === "all" || (scope === "following" && deleted.length === all.length))
        await queries.deleteSeries(knex, series.id);
      else if (scope === "following") {
        await queries.trashSeries(knex, series);
        await queries.updateSeries(knex, { ...series, before_place: event.series_place, next_at: null });
      }
      wrote({ calendarId: event.calendar_id, eventId: event.id });
      return { status: "deleted" as const, event_ids: idsOf(deleted) };
    });
  },
} satisfies Partial<Handlers>;

const notInSeries = {
  parameter: "event_id",
  message: "must be the id of an event of a series",
  code: "not_allowed",
} as const;
