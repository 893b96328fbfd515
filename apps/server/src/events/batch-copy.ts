import { startDateRule } from "@kalends/spec";
import { paletteSize } from "../calendars/palettes.js";
import type { EventRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { datesOf, type EventDates, lengthOf } from "./dates.js";
import type { InvalidParameter } from "./fields.js";
import { addMany } from "./many.js";
import type { LockedEvent } from "./queries.js";
import { templateOf } from "./series-template.js";
import { isDateAlone, parseStartDate, pastYear9999 } from "../time/formats.js";

/** Stores copies of an event in a locked calendar, which may be another one than its own, at these starts. */
export function copyEvents(
  trx: Transaction,
  { event, calendar }: LockedEvent,
  starts: readonly string[],
  {
    now,
    error,
    state,
  }: { readonly now: number; readonly error: InvalidParameter; readonly state: EventRow["state"] },
): Promise<readonly EventRow[]> {
  const isInPalette = Number(event.color_id) <= paletteSize(calendar.palette_id);
  const template = {
    ...templateOf(event),
    color_id: isInPalette ? event.color_id : "",
    timezone: event.timezone,
    all_day: event.all_day,
    state,
  };
  const items = starts.map((start) => datesOfCopy(event, start, error));
  return addMany(trx, calendar, { template, items, fieldsOf: (dates) => dates }, now);
}

/** The times of a copy, whose length on the wall clock is that of the event. */
function datesOfCopy(event: EventRow, start: string, error: InvalidParameter): EventDates {
  const isAllDay = event.all_day === 1;
  const local = isDateAlone(start) && !isAllDay ? undefined : parseStartDate(start);
  const refused = (message: string, code: "not_a_date" | "too_late"): Error =>
    error("parameter_invalid", [{ parameter: "start_dates", message, code }]);
  if (local === undefined) throw refused(startDateRule, "not_a_date");
  const { timezone } = event;
  const dates = datesOf({ start: local, length: lengthOf(event), allDay: isAllDay, timezone });
  if (dates.end_local >= pastYear9999) throw refused("must end before the year 10000", "too_late");
  return dates;
}
