import { parseStartDate, parseUpcoming } from "../time/formats.js";
import { isZone } from "../time/zones.js";

/** Parameters by name, as sent. */
export type Values = Readonly<Record<string, string>>;

/** Says what is wrong with a value whose form is already right; undefined when nothing is. */
type Rule = (value: string, all: Values) => string | undefined;

const realDate = "must be a real date and time; with AM the hour is 01 to 12, with PM 01 to 23";

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    "timezone",
    (zone) =>
      isZone(zone) ? undefined : "must be a time zone label from /api/v1/timezones or an IANA alias",
  ],
  ["start_date", (date) => (parseStartDate(date) === undefined ? realDate : undefined)],
  ["end_date", (date, { start_date }) => endRule(date, start_date)],
  ["upcoming", (text) => (text === "now" || parseUpcoming(text) !== undefined ? undefined : realDate)],
]);

/** The rule of a parameter beyond its schema. A name means the same in every operation. */
export function ruleOf(parameter: string): Rule {
  return rules.get(parameter) ?? (() => undefined);
}

function endRule(date: string, start: string | undefined): string | undefined {
  const end = parseStartDate(date);
  if (end === undefined) return realDate;
  const begin = start === undefined ? undefined : parseStartDate(start);
  return begin !== undefined && end < begin ? "must not be before start_date" : undefined;
}
