import { operations, type Params } from "@kalends/spec";
import type { Database } from "../db/connect.js";
import type { EventRow } from "../db/rows.js";
import { eventHandlers } from "../events/handlers.js";
import { eventsAfter, findEvents } from "../events/queries.js";
import { event } from "../events/serialize.js";
import { existingCalendar } from "./calendars.js";
import { printable, type Report, table } from "./database.js";
import { accepted, handlerContext, namingOptions } from "./operations.js";

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
  const { event: created } = await namingOptions(
    eventHandlers.createEvent(params, handlerContext(db, account_id, now)),
  );
  const [row] = await findEvents(db.read, [created.id]);
  const when = row === undefined ? "" : `: ${whenOf(event(row))}`; // deleted by now
  return {
    json: { event: created },
    text: `Event ${created.id} of calendar ${calendar}, ${printable(created.title)}${when}.`,
  };
}

/** Lists all events of a calendar in the order of their starts. @throws Error when the calendar does not exist */
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
  const events = rows.toSorted((one, other) => one.start_at - other.start_at).map(event);
  return {
    json: { calendar_id: String(calendar), events },
    text: table([
      ["ID", "WHEN", "TIME ZONE", "STATUS", "TITLE", "LOCATION"],
      ...events.map((each) => [each.id, whenOf(each), each.timezone, each.status, each.title, each.location]),
    ]),
  };
}

const batchSize = 500;

type Times = Pick<ReturnType<typeof event>, "start_date" | "end_date" | "all_day_event">;

/** The wall clock of the event's zone, such as 2026-12-31 20:00; of whole days the dates. */
function whenOf({ start_date, end_date, all_day_event }: Times): string {
  if (!all_day_event) return start_date.replace("T", " ");
  const [first, last] = [start_date.slice(0, dateLength), end_date.slice(0, dateLength)];
  return first === last ? first : `${first} to ${last}`;
}

const dateLength = "YYYY-MM-DD".length;
