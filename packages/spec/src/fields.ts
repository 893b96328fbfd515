import * as z from "zod";
import { atMost, characters, rule } from "./failures.js";

/** Longest texts, in characters (code points), rulings R4.11. */
export const maxLengths = { short: 255, email: 254, description: 65_535 } as const;

/**
 * Patterns say what the server refuses (rulings R1.4), so that a generated validator is as strict: control characters other than
 * TAB, and in descriptions line breaks. They use `\xHH` and no look-ahead, which RE2, Java and Python read too.
 */
const control = String.raw`\x00-\x08\x0A-\x1F\x7F-\x9F`;
const patterns = {
  short: new RegExp(`^[^${control}]*$`),
  description: new RegExp(String.raw`^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$`),
  /** White space, then something else: each character has one way to match, so a long text takes linear time. */
  title: new RegExp(String.raw`^[^\S\x0A-\x0D]*[^\s${control}][^${control}]*$`),
  email: new RegExp(String.raw`^([^\s@<>()[\]\\,;:"${control}]+@[^\s@<>()[\]\\,;:"${control}]+)?$`),
} as const;

/**
 * Text of at most `max` characters. A schema message says the rule, for `error_message`.
 * zod's own max() counts UTF-16 units, so the length is a refinement, and is printed as maxLength.
 */
function text(form: RegExp, message: string, max: number): z.ZodString {
  return z
    .string()
    .regex(form, message)
    .refine(...atMost(max))
    .meta({ maxLength: max });
}

const pattern = (form: RegExp, message: string): z.ZodString => z.string().regex(form, message);

const idRule = rule(
  "not_an_id",
  "must be a whole number from 1 to 9007199254740991, without sign or leading zeros",
);

/** Identifier: decimal digits, 1 to 2^53-1 (rulings R4.1, R2.6). */
const id = pattern(/^[1-9][0-9]{0,15}$/, idRule).refine((value) => Number(value) <= Number.MAX_SAFE_INTEGER, {
  message: idRule,
});

export const ids = {
  calendar: id.meta({ description: "Id of the calendar: digits, as a string.", example: "1" }),
  event: id.meta({ description: "Id of the event: digits, as a string.", example: "7" }),
  subscriber: id.meta({ description: "Id of the subscriber: digits, as a string.", example: "3" }),
};

/** Shapes of dates and times; whether the day exists is for the server to say (rulings R4.2, R3.6). */
const clock = "([01][0-9]|2[0-3]):[0-5][0-9]";
const year = "(19|[2-9][0-9])[0-9]{2}";
const month = "(0[1-9]|1[0-2])";
const day = "(0[1-9]|[12][0-9]|3[01])";
/** Rule of `start_date` and `end_date`; the server reports it for a day that does not exist, too. */
export const startDateRule = rule(
  "not_a_date",
  "must be a real date and time: MM/DD/YYYY HH:MM or MM/DD/YYYY HH:MM:SS, optionally followed by one blank and AM (00 to 12) " +
    "or PM (01 to 23), or YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS, where T may stand for the blank; without an offset; " +
    "a date alone only when all_day_event is true",
);

/** The contract's form first, then those that existing clients send (rulings R4.2). */
const startDateForm = new RegExp(
  `^(${month}/${day}/${year} ${clock}( [AaPp][Mm])?|${month}/${day}/${year}( ${clock}:[0-5][0-9]( [AaPp][Mm])?)?` +
    `|${year}-${month}-${day}([ T]${clock}(:[0-5][0-9])?)?)$`,
);
const startDate = pattern(startDateForm, startDateRule);
const upcoming = pattern(
  new RegExp(
    `^(now|(${year}-${month}-${day}|${day}-${month}-${year})( ${clock}:[0-5][0-9])?` +
      `|(${year}/${month}/${day}|${month}/${day}/${year})( ${clock} ?[AaPp][Mm])?)$`,
  ),
  rule(
    "not_a_date",
    "must be now, or a real date and time: YYYY-MM-DD or DD-MM-YYYY, optionally with HH:MM:SS; " +
      "or YYYY/MM/DD or MM/DD/YYYY, optionally with HH:MM and am or pm",
  ),
);

const zoneForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
const zoneRule = rule("not_a_time_zone", "must be a time zone label, such as Europe/Paris");
const allDayForm = /^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$/;
const allDayRule = rule("not_allowed", "must be true or false");

/** A parameter that is `true` or `false`. */
export const flag = z.enum(["true", "false"], "must be true or false");

const paletteRule = rule("not_allowed", "must be the id of a palette, 1 to 10");
const paletteId = pattern(/^(?:[1-9]|10)$/, paletteRule);
/** Empty: no colour. */
const colorId = pattern(
  /^(?:[1-9]|1[0-9]|20)?$/,
  rule("out_of_range", "must be a whole number from 1 to 20", 20),
);

/** Parameters: strings as they come over the wire, never transformed (docs/decisions/0001). */
export const parameter = {
  page: pattern(
    /^[1-9][0-9]{0,15}$/,
    rule("out_of_range", "must be a whole number from 1", Number.MAX_SAFE_INTEGER),
  )
    .refine((value) => Number(value) <= Number.MAX_SAFE_INTEGER, {
      message: rule("out_of_range", "must be at most 9007199254740991", Number.MAX_SAFE_INTEGER),
    })
    .meta({
      description: "Number of the page to return, from 1. A page after the last one is an empty list.",
      default: "1",
      example: "1",
    }),
  orderBy: z.enum(["date-desc", "id-asc", "id-desc"], "must be date-desc, id-asc or id-desc").meta({
    description:
      "Sort order. `id-desc`: newest created first; `id-asc`: oldest created first; `date-desc`: latest start of an event, or " +
      "latest subscription, first.",
    default: "id-desc",
    example: "id-asc",
  }),
  /** `order` of the extensions, with orders of upcoming events. */
  anyOrder: z
    .enum(
      ["date-asc", "date-desc", "id-asc", "id-desc"],
      rule("not_allowed", "must be date-asc, date-desc, id-asc or id-desc"),
    )
    .meta({
      description:
        "Sort order. `id-desc`: newest created first; `id-asc`: oldest created first; `date-asc`: earliest start first; `date-desc`: " +
        "latest start first.",
      default: "id-desc",
      example: "date-asc",
    }),
  month: pattern(/^(?:0[1-9]|1[0-2])$/, rule("out_of_range", "must have two digits, 01 to 12", 12)).meta({
    description:
      "Returns only what lies in this month: two digits, `01` to `12`. Requires `year`. Events count by the start on their own " +
      "wall clock, subscribers by the subscription date in the calendar's time zone.",
    example: "07",
  }),
  year: pattern(/^[0-9]{4}$/, rule("out_of_range", "must have four digits", 9999)).meta({
    description: "The year of `month`: four digits. Requires `month`.",
    example: "2026",
  }),
  upcoming: upcoming.meta({
    description:
      "Returns only events that start at this moment or later, soonest first; `order_by` is then ignored. `now`, or a date and " +
      "time in the calendar's time zone: `YYYY-MM-DD HH:MM:SS`, `DD-MM-YYYY HH:MM:SS`, `YYYY/MM/DD HH:MMam`, " +
      "`MM/DD/YYYY HH:MMpm`. A date alone means 00:00.",
    example: "now",
  }),
  title: text(
    patterns.title,
    rule("blank", "must hold more than white space, and no control characters"),
    maxLengths.short,
  ),
  short: text(
    patterns.short,
    rule("forbidden_characters", "must hold no control characters"),
    maxLengths.short,
  ),
  description: text(
    patterns.description,
    rule("forbidden_characters", "must hold no control characters but tabs and line breaks"),
    maxLengths.description,
  ),
  email: text(patterns.email, rule("not_an_email", "must be an e-mail address"), maxLengths.email),
  zone: pattern(zoneForm, zoneRule).max(64, "must be at most 64 characters"),
  /** A component of its own: generators take a field with a default for one that must be sent, but not a reference to it. */
  paletteId: paletteId.meta({
    id: "PaletteId",
    description:
      "Id of a colour palette, `1` to `10`. A palette holds the colours that `color_id` of an event counts. Without a value it is " +
      "palette `1`, which has 20 colours.",
    default: "1",
    example: "1",
  }),
  colorId,
  reminder: pattern(
    /^(?:[0-9]|[1-9][0-9]{1,3}|[1-3][0-9]{4}|40[0-2][0-9]{2}|403[01][0-9]|40320)?$/,
    rule("out_of_range", "must be a whole number of minutes, 0 to 40320", 40_320),
  ),
  startDate,
  allDay: pattern(allDayForm, allDayRule).meta({
    id: "AllDayFlag",
    description:
      "Whether the event takes whole days: `true` or `false`, in any case, or `1` or `0`. Feeds then use the dates alone, the end " +
      "date included.",
    default: "false",
    example: "false",
  }),
};

/** Parameters of the extensions that an empty value clears, where those of the contract take an empty value as absent. */
export const clearable = {
  endDate: orEmpty(startDateForm, startDateRule),
  zone: orEmpty(zoneForm, zoneRule).max(64, "must be at most 64 characters"),
  allDay: orEmpty(allDayForm, allDayRule),
  paletteId: orEmpty(/^(?:[1-9]|10)$/, paletteRule),
};

function orEmpty(form: RegExp, message: string): z.ZodString {
  return pattern(new RegExp(`^$|${form.source}`), message);
}

/** Fields of answers (contract 2). */
export const answer = {
  unixTime: z.int().meta({ format: "int64", example: 1782993600 }),
  count: pattern(/^[0-9]+$/, "must be digits").meta({ example: "0" }),
  integer: z.int().min(0).meta({
    description: "How many items match the request, over all pages.",
    format: "int64",
    example: 1,
  }),
  flag: z.enum(["true", "false"]),
  date: pattern(/^[0-9]{2}\/[0-9]{2}\/[0-9]{4}$/, "must be MM/DD/YYYY").meta({ example: "07/04/2026" }),
  clock: pattern(/^[0-9]{2}:[0-9]{2}:[0-9]{2}$/, "must be HH:MM:SS"),
  meridiem: z.enum(["AM", "PM"]).meta({ example: "PM" }),
  zone: z.string(),
  paletteId,
  colorId,
  deleted: z
    .literal("deleted")
    .meta({ description: "State after the call: always `deleted`.", example: "deleted" }),
};

/** Most bytes of `custom_data` as JSON in UTF-8 (extensions X2.4), and most characters of a name in it. */
export const customDataLimits = { bytes: 4096, name: 64 } as const;

const customDataRules = {
  short: rule("too_long", `must be at most ${customDataLimits.bytes} bytes as JSON`, customDataLimits.bytes),
  form: `must be a JSON object of at most ${customDataLimits.bytes} bytes, whose names differ and have 1 to ${customDataLimits.name} characters, and whose numbers are within ±(2^53 - 1)`,
};

/** The values of `status` (extensions X3.1; RFC 5545 3.8.1.11, in lower case). */
export const statuses = ["confirmed", "tentative", "cancelled"] as const;

/** An instant: ISO 8601 to the second, in UTC except where the year has five digits there and four on the wall clock. */
export const instant = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$/)
  .meta({ format: "date-time" });

/** An instant in UTC, or an empty text. */
export const instantOrNone = z.string().regex(/^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/);

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
  .refine(isShortData, customDataRules.short)
  .refine(isCustomData, customDataRules.form)
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

/** Whether a text is JSON of few bytes, or none at all, which breaks another rule. */
function isShortData(text: string): boolean {
  return new TextEncoder().encode(parsed(text)[1]).length <= customDataLimits.bytes;
}

/** Reports whether a text is a valid `custom_data` object, of any length. An empty one clears. */
function isCustomData(text: string): boolean {
  if (text === "") return true;
  const [value, json = ""] = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (countStrings(text) !== countStrings(json)) return false; // of two equal names the parser keeps the last
  return Object.keys(value).every(isName) && keepsNumbers(value);
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

const categoryRules = {
  few: rule("too_many", `must be at most ${categoryLimits.names} names`, categoryLimits.names),
  short: rule(
    "too_long",
    `must be names of at most ${categoryLimits.characters} characters each`,
    categoryLimits.characters,
  ),
  form:
    "must be different names with commas between them, without control characters and line breaks, and without spaces at " +
    "their ends",
} as const;

/** `categories` as a parameter: names with commas between them. An empty one clears. */
export const categoriesParameter = z
  .string()
  .refine((text) => text.split(",").length <= categoryLimits.names, categoryRules.few)
  .refine((text) => text.split(",").every(isShortName), categoryRules.short)
  .refine(areCategories, categoryRules.form)
  .meta({
    type: "array",
    items: { type: "string" },
    description:
      `Names of what the event is about, up to ${categoryLimits.names} of up to ${categoryLimits.characters} characters without ` +
      `commas; the events of a calendar may have ${categoryLimits.names} together. Followers pick from them. In a form, the names ` +
      "with commas between them; an empty value means none.",
    example: ["Concerts", "Children"],
  });

function isShortName(name: string): boolean {
  return characters(name) <= categoryLimits.characters;
}

function areCategories(text: string): boolean {
  if (text === "") return true;
  const names = text.split(",");
  const isName = (name: string): boolean =>
    name !== "" && name === name.trim() && !/[\p{Cc}\u2028\u2029]/u.test(name); // the line breaks of Unicode, which a calendar file cannot hold in a name
  return new Set(names).size === names.length && names.every(isName);
}

export const cursorParameter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be a cursor that this operation has returned")
  .meta({
    description:
      "The `cursor` of the response before. Without it the changes begin with the first event that the calendar has now.",
    example: "MS4xNzgyOTkzNjAwLjE3ODI5OTM2MDAuNw",
  });
