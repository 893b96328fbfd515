import { type BrokenRule, startDateRule } from "@kalends/spec";
import { isDateAlone, parseMoment, parseStartDate, parseUpcoming } from "../time/formats.js";
import { similarZone, isZone } from "../time/zones.js";

/** Parameters by name, as sent. */
export type Values = Readonly<Record<string, string>>;

/** Returns what is wrong with a value whose form is already right; undefined when nothing is. */
type Rule = (value: string, all: Values) => BrokenRule | undefined;

const realMoment = {
  message: "must be a real date and time; with AM the hour is 00 to 12, with PM 01 to 23",
  code: "not_a_date",
} as const;
const realStart = { message: startDateRule, code: "not_a_date" } as const;

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["timezone", zoneRule],
  [
    "custom_data_value",
    (_value, { custom_data_key }) =>
      custom_data_key === undefined
        ? { message: "must be given together with custom_data_key", code: "missing" }
        : undefined,
  ],
  ["start_date", startRule],
  ["end_date", endRule],
  ["from", momentRule],
  ["to", momentRule],
  ["upcoming", (text) => (text === "now" || parseUpcoming(text) !== undefined ? undefined : realMoment)],
]);

function zoneRule(zone: string): BrokenRule | undefined {
  if (isZone(zone)) return undefined;
  const meant = similarZone(zone);
  const hint = meant === undefined ? "" : `; you may mean ${meant}`;
  const message = `must be a time zone label from /api/v1/timezones or an IANA alias${hint}`;
  return { message, code: "not_a_time_zone" };
}

/** The rule of a parameter beyond its schema. A name means the same in every operation. */
export function ruleOf(parameter: string): Rule {
  return rules.get(parameter) ?? (() => undefined);
}

function momentRule(text: string): BrokenRule | undefined {
  const broken = { message: "must be a real date and time", code: "not_a_date" } as const;
  return parseMoment(text) === undefined ? broken : undefined;
}

/** A date alone is for all-day events (rulings R4.2). */
function startRule(date: string, { all_day_event = "false" }: Values): BrokenRule | undefined {
  const isAllowed = !isDateAlone(date) || isTrue(all_day_event);
  return isAllowed && parseStartDate(date) !== undefined ? undefined : realStart;
}

/** Whether a flag is set (rulings R4.4). */
export function isTrue(flag: string): boolean {
  return /^(?:true|1)$/i.test(flag);
}

function endRule(date: string, all: Values): BrokenRule | undefined {
  const malformed = startRule(date, all);
  if (malformed !== undefined) return malformed;
  const [end, begin] = [parseStartDate(date), parseStartDate(all.start_date ?? "")];
  return begin !== undefined && end !== undefined && end < begin
    ? { message: "must not be before start_date", code: "too_early" }
    : undefined;
}
