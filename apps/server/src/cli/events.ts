import { operations, type Payload } from "@kalends/spec";
import type { Command } from "commander";
import { command } from "./arguments.js";
import { printable, table } from "./database.js";
import { counted } from "./terminal.js";
import { addShortCommand, reporting, type ShortCommand } from "./short-commands.js";

const event = ["event_id", "event"] as const;

function eventReport(became?: string) {
  return reporting(operations.getEvent.payload, ({ event: { id, calendar_id, title, ...times } }) => {
    const [mark, end] = became === undefined ? [":", ""] : [",", `, ${became}`];
    return `Event ${id} of calendar ${calendar_id}, ${printable(title)}${mark} ${whenOf(times)}${end}.`;
  });
}

const eventCommands: readonly ShortCommand[] = [
  {
    name: "create",
    does: "create an event; without --end it lasts an hour",
    operation: "addEvent",
    report: eventReport(),
  },
  {
    name: "list",
    does: "list the events of a calendar, soonest first",
    operation: "findEvents",
    fixed: { order_by: "date-desc" },
    limit: 1_000_000, // more than a calendar has
    report: reporting(operations.findEvents.payload, ({ calendar, events: found }) => {
      const events = found.toSorted((one, other) => Date.parse(one.start_at) - Date.parse(other.start_at));
      const rows = events.map((each) => [
        each.id,
        whenOf(each),
        each.timezone,
        each.status,
        each.title,
        each.location,
      ]);
      return {
        json: { calendar, events },
        text: table([["ID", "WHEN", "TIME ZONE", "STATUS", "TITLE", "LOCATION"], ...rows]),
      };
    }),
  },
  {
    name: "change",
    does: "change what is given of an event, and nothing else; an empty value clears",
    operation: "updateEvent",
    argument: event,
    report: eventReport("is changed"),
  },
  {
    name: "cancel",
    does: "cancel an event: it stays, and apps and pages show that it does not take place",
    operation: "updateEvent",
    argument: event,
    fixed: { status: "cancelled" },
    report: eventReport("is cancelled"),
  },
  {
    name: "restore",
    does: "undo the cancellation of an event",
    operation: "updateEvent",
    argument: event,
    fixed: { status: "confirmed" },
    report: eventReport("takes place"),
  },
  {
    name: "delete",
    does: "delete an event; one that people have in their apps is better cancelled",
    operation: "deleteEvent",
    argument: event,
    report: reporting(operations.deleteEvent.payload, ({ event: { id } }) => `Event ${id} is deleted.`),
  },
];

function seriesReport(what: string) {
  return reporting(operations.createSeries.payload, ({ series, event_ids: ids }) => {
    const named = `Series ${series.id} of calendar ${series.calendar_id}`;
    return `${named}: ${counted(ids.length, "event")} ${what}, ${idsOf(ids)}.`;
  });
}

const seriesCommands: readonly ShortCommand[] = [
  {
    name: "create",
    does: "create an event that repeats",
    operation: "createSeries",
    report: seriesReport("created"),
  },
  {
    name: "change",
    does: "change what is given of this event of a series, of it and those that follow, or of all",
    operation: "updateSeries",
    argument: event,
    report: seriesReport("changed"),
  },
  {
    name: "delete",
    does: "delete this event of a series, it and those that follow, or all",
    operation: "deleteSeries",
    argument: event,
    report: reporting(
      operations.deleteSeries.payload,
      ({ event_ids: ids }) => `${counted(ids.length, "event")} deleted: ${idsOf(ids)}.`,
    ),
  },
];

function idsOf(ids: readonly string[]): string {
  const [first = "none", last = first] = [ids[0], ids.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

/** The wall clock of the event's zone, such as 2026-12-31 20:00; of whole days the dates. */
function whenOf({
  start_date,
  end_date,
  all_day_event,
}: Pick<Payload<"getEvent">["event"], "start_date" | "end_date" | "all_day_event">): string {
  if (!all_day_event) return start_date.replace("T", " ");
  const [first, last] = [start_date.slice(0, dateLength), end_date.slice(0, dateLength)];
  return first === last ? first : `${first} to ${last}`;
}

const dateLength = "YYYY-MM-DD".length;

export function addEvents(program: Command): void {
  const event = command(program, "event", "events of a calendar");
  for (const short of eventCommands) addShortCommand(event, short);
  const series = command(program, "series", "events that repeat");
  for (const short of seriesCommands) addShortCommand(series, short);
}
