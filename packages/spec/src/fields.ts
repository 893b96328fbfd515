import { z } from "zod";

/** Longest texts, in characters (code points), rulings R4.11. */
export const maxLengths = { short: 255, email: 254, description: 65_535 } as const;

/** Characters as a person counts them: code points, which is also what JSON Schema's maxLength counts. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Free text of at most `max` characters; `pattern` narrows it. A schema message says the rule, for `error_message`.
 * zod's own max() counts UTF-16 units, so the length is a refinement that prints as maxLength.
 */
function text(max: number, pattern?: RegExp): z.ZodString {
  const schema =
    pattern === undefined ? z.string() : z.string().regex(pattern, "must hold more than white space");
  return schema.refine((value) => value.length <= max || characters(value) <= max, {
    message: `must be at most ${max} characters`,
  });
}

const pattern = (rule: RegExp, message: string): z.ZodString => z.string().regex(rule, message);

const idRule = "must be a whole number from 1 to 9007199254740991, without sign or leading zeros";

/** Identifier: decimal digits, 1 to 2^53-1 (rulings R4.1, R2.6). */
const id = pattern(/^[1-9][0-9]{0,15}$/, idRule).refine((value) => Number(value) <= Number.MAX_SAFE_INTEGER, {
  message: idRule,
});

export const ids = {
  calendar: id.meta({ description: "Id of the calendar.", example: "1" }),
  event: id.meta({ description: "Id of the event.", example: "7" }),
  subscriber: id.meta({ description: "Id of the subscriber.", example: "3" }),
};

/** Fields of answers (service.md 2). */
export const answer = {
  unixTime: z.int().meta({ description: "Unix time in seconds.", example: 1782993600 }),
  count: pattern(/^[0-9]+$/, "must be digits").meta({
    description: "A whole number as a string.",
    example: "12",
  }),
  integer: z.int().min(0).meta({ description: "How many items match, over all pages.", example: 12 }),
  flag: z.enum(["true", "false"]).meta({ description: "`true` or `false`, as a string.", example: "true" }),
  date: pattern(/^[0-9]{2}\/[0-9]{2}\/[0-9]{4}$/, "must be MM/DD/YYYY").meta({
    description: "`MM/DD/YYYY`, on the wall clock of the event's time zone.",
    example: "07/04/2026",
  }),
  clock: pattern(/^[0-9]{2}:[0-9]{2}:[0-9]{2}$/, "must be HH:MM:SS").meta({
    description: "`HH:MM:SS`, 24-hour clock.",
    example: "13:30:00",
  }),
  meridiem: z.enum(["AM", "PM"]).meta({ description: "Half of the day.", example: "PM" }),
  zone: z.string().meta({ description: "Time zone label, as it was sent.", example: "America/New_York" }),
  deleted: z.literal("deleted").meta({ description: "Always `deleted` (service.md 3).", example: "deleted" }),
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
const startDate = pattern(
  new RegExp(
    `^(${month}/${day}/${year} ${clock}( [AaPp][Mm])?|${month}/${day}/${year}( ${clock}:[0-5][0-9]( [AaPp][Mm])?)?` +
      `|${year}-${month}-${day}([ T]${clock}(:[0-5][0-9])?)?)$`,
  ),
  startDateRule,
);
const upcoming = pattern(
  new RegExp(
    `^(now|(${year}-${month}-${day}|${day}-${month}-${year})( ${clock}:[0-5][0-9])?` +
      `|(${year}/${month}/${day}|${month}/${day}/${year})( ${clock} ?[AaPp][Mm])?)$`,
  ),
  "must be now, or a real date and time in one of the documented forms",
);

const emailRule = "must be an e-mail address";

/** Parameters: strings as they come over the wire, never transformed (docs/decisions/0002). */
export const parameter = {
  page: pattern(/^[1-9][0-9]{0,15}$/, "must be a whole number from 1")
    .refine((value) => Number(value) <= Number.MAX_SAFE_INTEGER, {
      message: "must be at most 9007199254740991",
    })
    .meta({ description: "Page number, from 1. A page past the end is empty.", example: "1" }),
  orderBy: z
    .enum(["date-desc", "id-asc", "id-desc"], "must be date-desc, id-asc or id-desc")
    .meta({ description: "Sort order. Default: newest created first.", example: "id-asc" }),
  month: pattern(/^(?:0[1-9]|1[0-2])$/, "must have two digits, 01 to 12").meta({
    description: "Month, two digits. Goes with `year`.",
    example: "07",
  }),
  year: pattern(/^[0-9]{4}$/, "must have four digits").meta({
    description: "Year, four digits. Goes with `month`.",
    example: "2026",
  }),
  upcoming: upcoming.meta({
    description:
      "`now` or a date/time in the calendar's time zone: what starts then or later, soonest first; `order_by` is then " +
      "ignored. Forms: `YYYY-MM-DD HH:MM:SS`, `DD-MM-YYYY HH:MM:SS`, `YYYY/MM/DD HH:MMam`, `MM/DD/YYYY HH:MMpm`, or " +
      "the date alone.",
    example: "now",
  }),
  title: text(maxLengths.short, /\S/).meta({
    description: "Title.",
    maxLength: maxLengths.short,
    example: "Summer concerts",
  }),
  short: text(maxLengths.short).meta({ maxLength: maxLengths.short }),
  description: text(maxLengths.description).meta({ maxLength: maxLengths.description }),
  email: text(maxLengths.email)
    .regex(/^([^\s@]+@[^\s@]+)?$/, emailRule)
    .refine((value) => !/[<>()[\]\\,;:"]/.test(value), emailRule)
    .meta({ maxLength: maxLengths.email }),
  zone: pattern(
    /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/,
    "must be a time zone label, such as Europe/Paris",
  ).max(64, "must be at most 64 characters"),
  paletteId: pattern(/^(?:[1-9]|10)$/, "must be the id of a palette, 1 to 10").meta({
    description: "Colour palette, 1 to 10.",
    example: "1",
  }),
  colorId: pattern(/^(?:[1-9]|1[0-9]|20)?$/, "must be a whole number from 1 to 20").meta({ example: "4" }),
  reminder: pattern(
    /^(?:[0-9]|[1-9][0-9]{1,3}|[1-3][0-9]{4}|40[0-2][0-9]{2}|403[01][0-9]|40320)?$/,
    "must be a whole number of minutes, 0 to 40320",
  ).meta({ example: "30" }),
  startDate: startDate.meta({ example: "07/04/2026 01:30 PM" }),
  allDay: pattern(/^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$/, "must be true or false").meta({
    description: "`true` or `false` (also `1`, `0`, any case). Default `false`.",
    example: "false",
  }),
};
