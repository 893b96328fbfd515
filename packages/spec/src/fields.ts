import * as z from "zod";

/** Longest texts, in characters (code points), rulings R4.11. */
export const maxLengths = { short: 255, email: 254, description: 65_535 } as const;

/** Characters as a person counts them: code points, which is also what JSON Schema's maxLength counts. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

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
function text(rule: RegExp, message: string, max: number): z.ZodString {
  const isShort = (value: string): boolean => value.length <= max || characters(value) <= max;
  return z
    .string()
    .regex(rule, message)
    .refine(isShort, { message: `must be at most ${max} characters` })
    .meta({ maxLength: max });
}

const pattern = (rule: RegExp, message: string): z.ZodString => z.string().regex(rule, message);

const idRule = "must be a whole number from 1 to 9007199254740991, without sign or leading zeros";

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
/** What `start_date` and `end_date` must be; the server says the same of a day that does not exist. */
export const startDateRule =
  "must be a real date and time: MM/DD/YYYY HH:MM or MM/DD/YYYY HH:MM:SS, optionally followed by one blank and AM (00 to 12) " +
  "or PM (01 to 23), or YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS, where T may stand for the blank; without an offset; " +
  "a date alone only when all_day_event is true";

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
  "must be now, or a real date and time: YYYY-MM-DD or DD-MM-YYYY, optionally with HH:MM:SS; " +
    "or YYYY/MM/DD or MM/DD/YYYY, optionally with HH:MM and am or pm",
);

const zoneForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
const zoneRule = "must be a time zone label, such as Europe/Paris";
const allDayForm = /^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$/;
const allDayRule = "must be true or false";

const paletteId = pattern(/^(?:[1-9]|10)$/, "must be the id of a palette, 1 to 10");
/** Empty: no colour. */
const colorId = pattern(/^(?:[1-9]|1[0-9]|20)?$/, "must be a whole number from 1 to 20");

/** Parameters: strings as they come over the wire, never transformed (docs/decisions/0001). */
export const parameter = {
  page: pattern(/^[1-9][0-9]{0,15}$/, "must be a whole number from 1")
    .refine((value) => Number(value) <= Number.MAX_SAFE_INTEGER, {
      message: "must be at most 9007199254740991",
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
  month: pattern(/^(?:0[1-9]|1[0-2])$/, "must have two digits, 01 to 12").meta({
    description:
      "Returns only what lies in this month: two digits, `01` to `12`. Requires `year`. Events count by the start on their own " +
      "wall clock, subscribers by the subscription date in the calendar's time zone.",
    example: "07",
  }),
  year: pattern(/^[0-9]{4}$/, "must have four digits").meta({
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
  title: text(patterns.title, "must hold more than white space, and no control characters", maxLengths.short),
  short: text(patterns.short, "must hold no control characters", maxLengths.short),
  description: text(
    patterns.description,
    "must hold no control characters but tabs and line breaks",
    maxLengths.description,
  ),
  email: text(patterns.email, "must be an e-mail address", maxLengths.email),
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
    "must be a whole number of minutes, 0 to 40320",
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
  paletteId: orEmpty(/^(?:[1-9]|10)$/, "must be the id of a palette, 1 to 10"),
};

function orEmpty(form: RegExp, rule: string): z.ZodString {
  return pattern(new RegExp(`^$|${form.source}`), rule);
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
