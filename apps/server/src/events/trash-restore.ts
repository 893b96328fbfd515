import { categoryLimits, type ParameterFailure } from "@kalends/spec";
import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import { trashExpiredAt } from "../calendars/trash-days.js";
import type { Transaction } from "../db/transaction.js";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { requireCategories } from "./fields.js";
import { inOrder } from "./many.js";
import { isReplaced } from "./move-queries.js";
import { restoreEvent } from "./write.js";
import { reviveSeries } from "./series-queries.js";
import * as queries from "./trash-queries.js";

/** Makes the error of what cannot be restored. */
export type Refuse = (
  code: "not_found" | "calendar_deleted" | "event_replaced" | "parameter_invalid",
  failures?: readonly ParameterFailure[],
) => Error;

interface Restoring {
  readonly trx: Transaction;
  readonly now: number;
  readonly refuse: Refuse;
}

/** Restores trashed events. Returns them in the order of their ids, and their calendar. */
export async function restoreEvents(
  { trx, now, refuse }: Restoring,
  accountId: number,
  target: queries.TrashTarget,
): Promise<{ readonly calendar: LockedCalendar; readonly events: readonly EventRow[] }> {
  const after = trashExpiredAt(now);
  const calendarId = await queries.calendarOfTrashed(trx, accountId, target, after);
  if (calendarId === undefined) throw refuse("not_found");
  const calendar = await lockCalendar(trx, { accountId, calendarId });
  if (calendar === undefined) throw refuse("calendar_deleted");
  const sizes = await queries.sizesOfTrashed(trx, accountId, target, after);
  if (sizes.length === 0) throw refuse("not_found");
  const ids = sizes.map(({ id }) => id);
  const trashed = await queries.findTrashed(trx, ids);
  const published = trashed.filter(({ preview_key }) => preview_key === null);
  const areReplaced = await Promise.all(published.map((row) => isReplaced(trx, row)));
  if (areReplaced.includes(true)) throw refuse("event_replaced");
  await requireCategories(trx, calendar, categoriesOf(trashed), () =>
    refuse("parameter_invalid", [
      {
        parameter: "id" in target ? "event_id" : "series_id",
        message: `must be of events with whose categories the calendar has at most ${categoryLimits.names} different ones`,
        code: "too_many",
        limit: categoryLimits.names,
      },
    ]),
  );
  const isWhole = "series_id" in target;
  await reviveSeriesOf(trx, trashed, { isWhole, now });
  const events = await inOrder(trx, trashed, (event) => restoreEvent(trx, { event, calendar }, now));
  return { calendar, events };
}

function categoriesOf(rows: readonly EventRow[]): string {
  return [...new Set(rows.flatMap(({ categories }) => (categories === "" ? [] : [categories])))].join(",");
}

async function reviveSeriesOf(
  trx: Db,
  rows: readonly EventRow[],
  options: { readonly isWhole: boolean; readonly now: number },
): Promise<void> {
  const last = rows.reduce((latest, row) => (row.series_place > latest.series_place ? row : latest));
  if (last.series_id > 0) await reviveSeries(trx, last.series_id, { place: last.series_place, ...options });
}
