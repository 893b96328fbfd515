import { calendarOf } from "./calendars.js";
import { Refusal } from "./errors.js";
import { eventFields, newEvent, storeEvent } from "./events.js";
import { wallText } from "./extension-form.js";
import type { Params } from "./params.js";
import type { Calendar, CalendarEvent, Call } from "./state.js";
import { isZone, wallClock } from "./zones.js";

/** A property of an event in a file. */
interface Property {
  readonly parameters: string;
  readonly value: string;
}

type Properties = ReadonlyMap<string, Property>;

interface Outcome {
  readonly result: "created" | "changed" | "unchanged" | "skipped";
  readonly event?: CalendarEvent;
  readonly reason?: string;
}

/** extensions.md X6.1, for events of their own: the model does not expand series. */
export function importCalendar(call: Call): object {
  const { params, faulty } = call;
  const calendar = calendarOf(call);
  const isDryRun = params["dry_run"] === "true" && !faulty("X61");
  const outcomes = eventsIn(params["ics"] ?? "").map((event) => ({
    event,
    outcome: importOne(call, calendar, event, isDryRun),
  }));
  const total = (result: Outcome["result"]) =>
    outcomes.filter(({ outcome }) => outcome.result === result).length;
  return {
    import: {
      calendar_id: String(calendar.id),
      dry_run: params["dry_run"] === "true",
      created: total("created"),
      changed: total("changed"),
      unchanged: total("unchanged"),
      skipped: total("skipped"),
      omitted: 0,
    },
    events: outcomes.map(({ event, outcome }) => ({
      result: outcome.result,
      event_id: outcome.event === undefined ? "" : String(outcome.event.id),
      uid: textOf(event, "UID"),
      recurrence_id: "",
      title: textOf(event, "SUMMARY"),
      reason: outcome.reason ?? "",
      notes: [],
      dates: 1,
    })),
  };
}

function importOne(call: Call, calendar: Calendar, event: Properties, isDryRun: boolean): Outcome {
  const isPublic = ["", "PUBLIC"].includes(textOf(event, "CLASS").toUpperCase());
  if (!isPublic && call.params["classes"] !== "all") return { result: "skipped", reason: "it is not public" };
  const sent = paramsOf(event, calendar);
  if (typeof sent === "string") return { result: "skipped", reason: sent };
  const own = { ...call, params: { ...sent, calendar_id: String(calendar.id) } };
  const uid = textOf(event, "UID");
  const status = textOf(event, "STATUS").toLowerCase() || "confirmed";
  const before = [...call.state.events.values()].find(
    (one) => one.calendarId === calendar.id && !one.deleted && [one.importedAs, one.uid].includes(uid),
  );
  if (before === undefined || call.faulty("X60")) {
    if (isDryRun) return { result: "created" };
    const made = { ...newEvent(own), status, importedAs: uid };
    call.state.events.set(made.id, made);
    return { result: "created", event: made };
  }
  // A file does not say the colour.
  const after = { ...before, ...eventFields(own, calendar, before), colorId: before.colorId, status };
  if (JSON.stringify(after) === JSON.stringify(before)) return { result: "unchanged", event: before };
  return { result: "changed", event: isDryRun ? before : storeEvent(call, after) };
}

/** The events of a file (RFC 5545), unfolded. */
function eventsIn(file: string): readonly Properties[] {
  const lines = file.replaceAll(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const events: Map<string, Property>[] = [];
  let isOpen = false;
  for (const line of lines) {
    const [, name = "", parameters = "", value = ""] = /^([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    if (name === "BEGIN" && value === "VEVENT") events.push(new Map());
    if (value === "VCALENDAR") isOpen = name === "BEGIN";
    events.at(-1)?.set(name.toUpperCase(), { parameters, value });
  }
  const message = "The file ends within a VCALENDAR: a part of it is missing";
  if (isOpen) throw new Refusal("calendar_file_invalid", [{ parameter: "ics", message }]);
  return events;
}

function textOf(event: Properties, name: string): string {
  const value = event.get(name)?.value ?? "";
  return value.replaceAll(/\\(.)/g, (_match, code: string) => (/n/i.test(code) ? "\n" : code));
}

/** The parameters that would create the event; why it is skipped. */
function paramsOf(event: Properties, calendar: Calendar): Params | string {
  const start = event.get("DTSTART");
  if (start === undefined) return "it has no DTSTART";
  if (event.has("RRULE")) return "the model does not expand series";
  const zone = /TZID="?([^";]+)/.exec(start.parameters)?.[1] ?? calendar.timezone;
  if (!isZone(zone)) return `the time zone "${zone}" is not known`;
  const isAllDay = /^\d{8}$/.test(start.value);
  const end = event.get("DTEND")?.value ?? start.value;
  const lastDay = isAllDay && end !== start.value ? secondsOf(end) - 86_400 : secondsOf(end);
  return {
    title: textOf(event, "SUMMARY") || "Untitled event",
    description: textOf(event, "DESCRIPTION"),
    location: textOf(event, "LOCATION"),
    timezone: zone,
    all_day_event: String(isAllDay),
    start_date: isAllDay ? wallText(secondsOf(start.value)) : wallIn(zone, start.value),
    end_date: isAllDay ? wallText(lastDay) : wallIn(zone, end),
  };
}

/** The digits of a date as Unix seconds. */
function secondsOf(value: string): number {
  const [, year = "", month = "", day = "", hour = "0", minute = "0"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d))?/.exec(value) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / 1000;
}

function wallIn(zone: string, value: string): string {
  const seconds = secondsOf(value);
  return wallText(value.endsWith("Z") ? wallClock(seconds, zone) : seconds);
}
