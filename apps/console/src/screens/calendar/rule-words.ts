import type { SeriesDetails } from "@kalends/client/extensions";
import { addDays, type Day, isDay } from "../../dates/days.js";
import { dayInWords, weekdayNames } from "../../dates/words.js";
import { locale, t } from "../../texts/current.js";
import { codeOf, frequencies, type Mistake, nthOf, type RuleFields, weekdayCodes } from "./rule-fields.js";

/** A Monday. */
const monday: Day = "2024-01-01";

/** The name of a weekday by RFC 5545's letters. */
export function weekdayOf(code: string, form: "long" | "short" = "long"): string {
  const index = weekdayCodes.findIndex((each) => each === code);
  return weekdayNames(locale, addDays(monday, index))[form];
}

/** Which day of a month the fields choose: "on day 12", "on the second Friday". */
export function dayOfMonth(by: string, day: Day): string {
  const name = weekdayOf(codeOf(day));
  if (by === "last") return t.series.onLast(name);
  return by === "nth" ? t.series.onNth(nthOf(day), name) : t.series.onDay(Number(day.slice(8)));
}

/** "Every 2 weeks on Monday and Friday". @param day of one of the events */
function ruleInWords(fields: RuleFields, day: Day): string {
  const freq = frequencies.find((each) => each === fields.freq);
  if (freq === undefined) return t.series.custom(fields.rule);
  const every =
    fields.interval === "1"
      ? t.series.every[freq]
      : t.series.everyMany(fields.interval, t.series.units[freq]);
  if (freq === "MONTHLY") return `${every} ${dayOfMonth(fields.by, day)}`;
  if (freq !== "WEEKLY") return every;
  const names = (fields.days === "" ? codeOf(day) : fields.days).split(",").map((code) => weekdayOf(code));
  return `${every} ${t.series.onDays(new Intl.ListFormat(locale).format(names))}`;
}

/** The rule that the fields choose and its end: "Every week on Tuesday, until 29 June 2027"; "" when the event is once. */
export function chosenInWords(fields: RuleFields, day: Day): string {
  if (!frequencies.some((each) => each === fields.freq)) return "";
  const end = fields.ends === "count" ? t.series.times(fields.count) : endInWords(fields);
  return [ruleInWords(fields, day), end].filter((text) => text !== "").join(", ");
}

function endInWords({ ends, until }: RuleFields): string {
  if (ends === "never") return t.series.endless;
  return isDay(until) ? t.series.untilDay(dayInWords(locale, until)) : "";
}

/** What a mistake in the fields of a rule is. */
export function sayMistake([, why]: Mistake): string {
  if (typeof why === "number") return t.errors.range(String(why));
  return why === "early" ? t.errors.untilBeforeStart : t.errors.required;
}

/** A series in words: its rule, its end, and what differs from the rule. */
export function seriesInWords(fields: RuleFields, day: Day, details: SeriesDetails): readonly string[] {
  const { series, upcoming_count: coming, changed_event_ids: changed, deleted_dates: deleted } = details;
  const end =
    fields.ends === "until" && fields.freq !== "CUSTOM"
      ? t.series.untilDay(dayInWords(locale, fields.until))
      : series.endless
        ? t.series.endless
        : "";
  const rule = [ruleInWords(fields, day), end].filter((text) => text !== "").join(", ");
  return [
    `${rule}.`,
    t.series.counted(series.events_count, coming),
    changed.length > 0 ? t.series.changedAlone(changed.length) : "",
    deleted.length > 0 ? t.series.leftOut(deleted.length) : "",
  ].filter((text) => text !== "");
}
