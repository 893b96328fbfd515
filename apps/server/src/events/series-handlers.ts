import type { Payload } from "@kalends/spec";
import { requireExtras } from "./fields.js";
import { removeEvents } from "./many.js";
import { lockEvent } from "./queries.js";
import type { Handlers } from "../http/handler.js";
import { createFrom, createNew, requireNew } from "./series-create.js";
import { readTemplate } from "./series-template.js";
import * as queries from "./series-queries.js";
import { preview, seriesDetails } from "./reads.js";
import { deletedPayload, nothingDone } from "./series-serialize.js";
import { updateMany, updateOne } from "./series-update.js";

/** Series of events (extensions X5). */
export const seriesHandlers = {
  async eventsSeriesDetails({ series_id }, { db, accountId, now, error }) {
    return db.list(accountId, async ({ read }) => {
      const series = await queries.findSeriesOf(read, accountId, Number(series_id));
      if (series === undefined) throw error("series_not_found");
      const events = await queries.compareSeriesEvents(read, series.id, readTemplate(series));
      return seriesDetails(series, events, now);
    });
  },

  eventsSeriesPreview: (params, { now, error }) => preview(params, now, error),

  async eventsSeriesCreate(params, { db, accountId, calendars, now, wrote, error }) {
    return orDryRun<Payload<"eventsSeriesCreate">>(params.dry_run, (finish) =>
      db.transaction(async (trx) => {
        const create = { trx, accountId, calendars, now, wrote, error };
        const payload =
          params.event_id === undefined
            ? await createNew(requireNew(params, error), create)
            : await createFrom(params, Number(params.event_id), create);
        return finish(payload);
      }),
    );
  },

  async eventsSeriesUpdate(params, { db, accountId, calendars, now, requireMatch, wrote, error }) {
    return orDryRun<Payload<"eventsSeriesUpdate">>(params.dry_run, (finish) =>
      db.transaction(async (trx) => {
        const found = await lockEvent(trx, { accountId, calendars }, Number(params.event_id));
        if (found === undefined) throw error("event_not_found");
        requireMatch(found.event);
        await requireExtras(trx, found.calendar, params, error);
        const series = await queries.findSeries(trx, found.event.series_id);
        if (series === undefined) throw error("parameter_invalid", [notInSeries]);
        wrote({ calendarId: found.event.calendar_id, eventId: found.event.id });
        const write = { trx, now, found, series, error };
        return finish(await (params.scope === "this" ? updateOne : updateMany)(params, write));
      }),
    );
  },

  async eventsSeriesDelete(
    { event_id, scope, dry_run },
    { db, accountId, calendars, now, requireMatch, wrote, error },
  ) {
    return orDryRun<Payload<"eventsSeriesDelete">>(dry_run, (finish) =>
      db.transaction(async (trx) => {
        const found = await lockEvent(trx, { accountId, calendars }, Number(event_id));
        if (found === undefined) throw error("event_not_found");
        const { event, calendar } = found;
        requireMatch(event);
        const series = await queries.findSeries(trx, event.series_id);
        if (series === undefined) throw error("parameter_invalid", [notInSeries]);
        const all = await queries.findSeriesPlaces(trx, series.id);
        const isDeleted = {
          this: (id: number) => id === event.id,
          following: (_id: number, place: number) => place >= event.series_place,
          all: () => true,
        }[scope];
        const chosen = all.filter((each) => isDeleted(each.id, each.series_place));
        const deleted = await queries.findSeriesEvents(trx, series.id, chosen);
        await removeEvents(trx, calendar, deleted, now);
        if (scope === "all" || (scope === "following" && deleted.length === all.length))
          await queries.deleteSeries(trx, series.id);
        else if (scope === "following") {
          await queries.trashSeries(trx, series);
          await queries.updateSeries(trx, { ...series, before_place: event.series_place, next_at: null });
        }
        wrote({ calendarId: event.calendar_id, eventId: event.id });
        const outcome = { ...nothingDone, deleted, kept: all.length - deleted.length };
        return finish(deletedPayload(series, outcome, dry_run));
      }),
    );
  },
} satisfies Partial<Handlers>;

const notInSeries = {
  parameter: "event_id",
  message: "must be the id of an event of a series",
  code: "not_allowed",
} as const;

/** Carries the answer of a dry run out of its transaction, which is rolled back. */
class DryRun extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super("a dry run is rolled back");
    this.payload = payload;
  }
}

/**
 * Runs a write, or, for a dry run, the same write up to its end and then takes it back: so what a dry run returns is what the write
 * does, its errors too (extensions X8.2).
 * @param write calls `finish` with its payload, last of all
 */
async function orDryRun<Result>(
  dryRun: "true" | "false" | undefined,
  write: (finish: (result: Result) => Result) => Promise<Result>,
): Promise<Result> {
  let payload: Result | undefined;
  const finish = (result: Result): Result => {
    if (dryRun !== "true") return result;
    payload = result;
    throw new DryRun(result);
  };
  try {
    return await write(finish);
  } catch (error) {
    if (error instanceof DryRun && payload !== undefined && error.payload === payload) return payload;
    throw error;
  }
}
