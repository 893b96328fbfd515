import * as z from "zod";
import { eventReminder, eventTexts } from "../event-fields.js";
import { characters, ids, parameter } from "../fields.js";

/** Most bytes of `custom_data` as JSON in UTF-8 (extensions X2.4), and most characters of a name in it. */
export const customDataLimits = { bytes: 4096, name: 64 } as const;

const customDataRule = `must be a JSON object of at most ${customDataLimits.bytes} bytes, whose names differ and have 1 to ${customDataLimits.name} characters, and whose numbers are within ±(2^53 - 1)`;

/** The values of `status` (RFC 5545 3.8.1.11, in lower case). */
export const statuses = ["confirmed", "tentative", "cancelled"] as const;

/** An instant: ISO 8601 to the second, in UTC except where the year has five digits there and four on the wall clock. */
export const instant = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$/)
  .meta({ format: "date-time" });

/** A wall clock, to the minute. */
export const wallClock = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$/);

export const count = z.int().min(0).meta({ format: "int64" });

export const customData = z.record(z.string(), z.unknown()).meta({
  type: "object",
  additionalProperties: true,
  description: "What you have stored with it: an object, empty when there is none.",
  example: { room: "2b", seats: 40 },
});

/** `custom_data` as a parameter: the text of a JSON object. A JSON body may hold the object itself. */
export const customDataParameter = z
  .string()
  .refine(isCustomData, customDataRule)
  .meta({
    type: "object",
    additionalProperties: true,
    description:
      `Data of your own, for programs: a JSON object of up to ${customDataLimits.bytes} bytes. It replaces what is there; empty, or ` +
      "`{}`, clears it. In a form it is the text of the object. Numbers beyond ±(2^53 - 1) would be rounded and are refused: send such " +
      "an id as a text. No follower sees it.",
    example: { room: "2b", seats: 40 },
  });

/** Filters of lists (extensions X2.4). */
export const customDataFilters = {
  custom_data_key: z
    .string()
    .min(1)
    .max(customDataLimits.name, `must be at most ${customDataLimits.name} characters`)
    .optional()
    .meta({
      description: "Returns only items whose `custom_data` has this name at its top level.",
      example: "room",
    }),
  custom_data_value: z
    .string()
    .max(customDataLimits.bytes, `must be at most ${customDataLimits.bytes} characters`)
    .optional()
    .meta({
      description:
        "Returns only items whose `custom_data` has this value under `custom_data_key`: a text as it is, a number, `true`, `false` or " +
        "`null` as JSON writes it. Objects and lists are not found.",
      example: "2b",
    }),
};

/** Whether a text is an object that `custom_data` may hold. An empty one clears. */
function isCustomData(text: string): boolean {
  if (text === "") return true;
  const [value, json = ""] = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (countStrings(text) !== countStrings(json)) return false; // of two equal names the parser keeps the last
  const fits = Object.keys(value).every(isName);
  return fits && new TextEncoder().encode(json).length <= customDataLimits.bytes && keepsNumbers(value);
}

function countStrings(json: string): number {
  return json.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0;
}

/** Items are found by it, and PostgreSQL stores no text with U+0000 or with half of a character. */
function isName(name: string): boolean {
  const isText = !name.includes("\0") && name.isWellFormed();
  return isText && name !== "" && characters(name) <= customDataLimits.name;
}

/** Returns a value and its JSON; nothing for a text that is no JSON, or is nested deeper than can be printed. */
function parsed(text: string): readonly [value?: unknown, json?: string] {
  try {
    const value: unknown = JSON.parse(text);
    return [value, JSON.stringify(value)];
  } catch {
    return [];
  }
}

/** Whether all numbers in a value are within the range where none is rounded to another (RFC 8259, section 6). */
function keepsNumbers(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== "object" || value === null || Object.values(value).every(keepsNumbers);
}

/** An event, everywhere in the extensions (extensions X1.3). */
export const event = z
  .object({
    id: ids.event,
    calendar_id: ids.calendar,
    uid: z.string().meta({
      description: "UID of the event in feeds (RFC 5545, section 3.8.4.7). It never changes.",
      example: "0f8fad5b-d9cb-469f-a165-70867728950e",
    }),
    series_id: z
      .string()
      .meta({ description: "Id of the series; empty when it belongs to none.", example: "" }),
    status: z.enum(statuses).meta({
      description: "Whether it takes place: `confirmed`, `tentative` or `cancelled`.",
      example: "confirmed",
    }),
    categories: z.array(z.string()).meta({
      description: "Names of what it is about; followers pick from those of the calendar.",
      example: ["Concerts", "Children"],
    }),
    ...eventTexts,
    start_date: wallClock.meta({
      description:
        "Start on the wall clock of `timezone`: `YYYY-MM-DDTHH:MM`. An all-day event begins at its date.",
      example: "2026-07-04T13:30",
    }),
    end_date: wallClock.meta({
      description: "End on the wall clock of `timezone`. An all-day event ends with the day of its date.",
      example: "2026-07-04T14:30",
    }),
    timezone: z.string().meta({ description: "Time zone label of the event.", example: "America/New_York" }),
    start_at: instant.meta({ description: "Start as an instant, in UTC.", example: "2026-07-04T17:30:00Z" }),
    end_at: instant.meta({
      description:
        "End as an instant, in UTC. Of an all-day event it lies on its last day, with which it ends.",
      example: "2026-07-04T18:30:00Z",
    }),
    all_day_event: z.boolean().meta({ description: "Whether the event takes whole days.", example: false }),
    color_id: z.string().meta({
      description: "Number of the colour in the calendar's palette; empty when not set.",
      example: "4",
    }),
    reminder: eventReminder,
    custom_data: customData,
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
    date_modified: instant.meta({ description: "Time of the last change.", example: "2026-07-02T12:00:00Z" }),
    updated_times: count.meta({
      description: "How often the event was changed: 0 after creation. `If-Match` takes it, in quotes.",
      example: 0,
    }),
  })
  .meta({ id: "Event", description: "An event. The names are those of the parameters that set them." });

/** A calendar, everywhere in the extensions. */
export const calendarDetails = z
  .object({
    id: ids.calendar,
    uniquekey: z.string().meta({
      description: "Short unique key of the calendar, used in its public address `/c/{uniquekey}`.",
      example: "k3m9x7q2w8ra",
    }),
    calendarname: z.string().meta({ description: "Name of the calendar.", example: "Concerts" }),
    title: z.string().meta({ description: "Title of the calendar.", example: "Summer concerts" }),
    description: z.string().meta({
      description: "Description of the calendar; empty when not set.",
      example: "Open air, free entry.",
    }),
    timezone: z
      .string()
      .meta({ description: "Time zone label of the calendar.", example: "America/New_York" }),
    palette_id: z.string().meta({ description: "Id of the colour palette.", example: "1" }),
    custom_data: customData,
    followers_active: count.meta({
      description: "Number of subscribers that are active and not blocked.",
      example: 0,
    }),
    followers_total: count.meta({ description: "Number of all subscribers.", example: 0 }),
    events_total: count.meta({ description: "Number of events in the calendar.", example: 0 }),
    feed_omits: z.enum(["nothing", "past", "upcoming"]).meta({
      description:
        "Which events the feed omits, because with all of them it would be larger than 1,000,000 bytes: `nothing`, the oldest of the " +
        "`past` ones, or all past and the most distant `upcoming` ones. As the feed was when it was last read in full.",
      example: "nothing",
    }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
    date_modified: instant.meta({ description: "Time of the last save.", example: "2026-07-02T12:00:00Z" }),
  })
  .meta({ id: "CalendarDetails", description: "A calendar. Counters are integers, times are ISO 8601." });

/** The empty value is not printed: some generators name a member of an enum after it. */
export const statusParameter = z.enum(["", ...statuses], "must be confirmed, tentative or cancelled").meta({
  enum: [...statuses],
  description:
    "Whether the event takes place: `confirmed`, which an empty value means too, `tentative` or `cancelled`. A cancelled event stays in " +
    "lists, feeds and pages, marked as cancelled; Google Calendar removes it, other apps strike it through.",
  example: "confirmed",
});

/** Most categories of an event, and of all events of a calendar; and most characters of a name. */
export const categoryLimits = { names: 20, characters: 40 } as const;

const categoriesRule =
  `must be up to ${categoryLimits.names} different names with commas between them, each of 1 to ${categoryLimits.characters} ` +
  "characters without control characters and line breaks, and without spaces at its ends";

/** `categories` as a parameter: names with commas between them. An empty one clears. */
export const categoriesParameter = z
  .string()
  .refine(areCategories, categoriesRule)
  .meta({
    type: "array",
    items: { type: "string" },
    description:
      `Names of what the event is about, up to ${categoryLimits.names} of up to ${categoryLimits.characters} characters without ` +
      `commas; the events of a calendar may have ${categoryLimits.names} together. Followers pick from them. In a form, the names ` +
      "with commas between them; an empty value means none.",
    example: ["Concerts", "Children"],
  });

function areCategories(text: string): boolean {
  if (text === "") return true;
  const names = text.split(",");
  const isName = (name: string): boolean =>
    name !== "" &&
    name === name.trim() &&
    characters(name) <= categoryLimits.characters &&
    !/[\p{Cc}\u2028\u2029]/u.test(name); // the line breaks of Unicode, which a calendar file cannot hold in a name
  return names.length <= categoryLimits.names && new Set(names).size === names.length && names.every(isName);
}

export const cursorParameter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be a cursor that this operation has returned")
  .meta({
    description:
      "The `cursor` of the response before. Without it the changes begin with the first event that the calendar has now.",
    example: "MS4xNzgyOTkzNjAwLjE3ODI5OTM2MDAuNw",
  });

/** Page parameter etc. of lists, as in the contract. */
export const listParameters = {
  order_by: parameter.orderBy.optional(),
  month: parameter.month.optional(),
  year: parameter.year.optional(),
  upcoming: parameter.upcoming.optional(),
  page: parameter.page.optional(),
};
