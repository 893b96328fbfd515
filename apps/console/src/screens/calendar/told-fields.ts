import { type EventFields, whenOf } from "./event-fields.js";
import { ruleOf } from "./rule-fields.js";
import { isKnownSoon, isSoon, type Known } from "../../parts/soon.js";

/** What followers see in their news of an event. */
const shownFields = ["title", "location", "description", "url", "organizer", "timezone", "allDay"] as const;
const timeFields = ["startDay", "startTime", "endDay", "endTime", "published"] as const;

/**
 * Whether a save of these fields sends news to followers. Which events of a series are changed is not known yet: any that is soon counts.
 * @param hasSoon whether the series has events soon
 */
export function isTold(
  {
    event,
    initial,
    fields,
  }: { readonly event: Known | undefined } & Readonly<Record<"initial" | "fields", EventFields>>,
  hasSoon: boolean,
  now: number = Date.now(),
): boolean {
  const { start, end } = whenOf(fields);
  const becomesSoon =
    fields.published === "true" &&
    event?.status !== "cancelled" &&
    isSoon({ start, end, timezone: fields.timezone }, now);
  if (event === undefined) return becomesSoon;
  const isChanged = [...shownFields, ...timeFields].some((name) => fields[name] !== initial[name]);
  return (
    (isChanged || ruleOf(fields) !== ruleOf(initial)) && (hasSoon || becomesSoon || isKnownSoon(event, now))
  );
}
