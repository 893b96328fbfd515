import { operations, type Params } from "@kalends/spec";
import type { Database } from "../db/connect.js";
import type { EventRow } from "../db/rows.js";
import { eventHandlers } from "../events/handlers.js";
import { eventsAfter } from "../events/queries.js";
import { listedEvent } from "../events/serialize.js";
import { existingCalendar } from "./calendars.js";
import { printable, type Report, table } from "./database.js";
import { accepted, handlerContext, namingParameters } from "./operations.js";

/** The options of `event create`. */
export interface NewEvent {
  readonly calendar: number;
  readonly title: string;
  readonly start: string;
  readonly end?: string;
  readonly timezone?: string;
  readonly location?: string;
  readonly description?: string;
  readonly allDay?: boolean;
}

/** Creates an event by the rules of the API. @throws Error when the calendar does not exist or a value is refused */
export async function createEvent(db: Database, options: NewEvent, now: number): Promise<Report> {
  const { calendar, start, end, allDay = false, ...texts } = options;
  const { account_id } = await existingCalendar(db, calendar);
  const params: Params<"createEvent"> = accepted(operations.createEvent, operations.createEvent.params, {
    calendar_id: String(calendar),
    title: texts.title,
    start_date: start,
    end_date: end,
    timezone: texts.timezone,
    location: texts.location,
    description: texts.description,
    all_day_event: allDay ? "true" : undefined,
  });
  const { event } = await namingParameters(
    eventHandlers.createEvent(params, handlerContext(db, account_id, now)),
  );
  return {
    json: { event },
    text: `Event ${event.id} of calendar ${calendar}, ${printable(event.title)}: ${whenOf(event)}.`,
  };
}

/** Lists all events of a calendar in the order of their ids. @throws Error when the calendar does not exist */
export async function listEvents(db: Database, calendar: number): Promise<Report> {
  await existingCalendar(db, calendar);
  const rows: EventRow[] = [];
  for (let id = 0; ;) {
    const batch = await eventsAfter(db.read, calendar, { id, limit: batchSize });
    rows.push(...batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) break;
    id = last.id;
  }
  const events = rows.map(listedEvent);
  return {
    json: { calendar_id: String(calendar), events },
    text: table([
      ["ID", "TITLE", "WHEN", "TIME ZONE", "LOCATION"],
      ...events.map((event) => [event.id, event.title, whenOf(event), event.timezone, event.location]),
    ]),
  };
}

const batchSize = 500;

type Dates = Pick<
  ReturnType<typeof listedEvent>,
  "date_start" | "date_start_time" | "date_end" | "all_day_event"
>;

function whenOf({ date_start, date_start_time, date_end, all_day_event }: Dates): string {
  if (all_day_event === "false") return `${date_start} ${date_start_time.slice(0, 5)}`;
  return date_start === date_end ? date_start : `${date_start} to ${date_end}`;
}
