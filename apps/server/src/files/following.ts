import type { Membership } from "./import-series.js";
import { dayOf, localOf, type Moment, momentAt, zoneOfRule } from "./moments.js";
import type { ReadEvent } from "./read-event.js";

/** A date of a UID: the event that it is, and when. */
export interface DateOfUid {
  readonly event: ReadEvent;
  readonly start: Moment;
  /** Undefined where it is that of the event. */
  readonly length?: ReadEvent["times"]["length"] | undefined;
  readonly notes: readonly string[];
  /** Undefined for an event of its own. */
  readonly member: Membership | undefined;
  /** Whether its UID has more dates, which are not known. */
  readonly isPartial?: boolean;
}

interface Changes {
  readonly changed: ReadonlyMap<string, ReadEvent>;
  readonly isLeftOut: (event: ReadEvent) => boolean;
}

/**
 * Changes the dates of a series from each RECURRENCE-ID on that is for the following ones too (RFC 5545 3.8.4.4): they get its texts and its
 * length, and are moved as far as it is.
 */
export function changeFollowing(
  dates: Map<string, DateOfUid>,
  main: ReadEvent,
  { changed, isLeftOut }: Changes,
): void {
  const zone = zoneOfRule(main.times.start, main.times.zone);
  const localIn = (date: Moment): number =>
    main.times.isAllDay ? dayOf(date, main.times.zone) : localOf(date, zone);
  const changes = [...changed.values()]
    .flatMap((event) =>
      event.isForFollowing && event.recurrence !== undefined
        ? [{ event, recurrence: event.recurrence, from: localIn(event.recurrence) }]
        : [],
    )
    .toSorted((one, other) => one.from - other.from);
  const all = [...dates].map(([key, date]) => ({ key, date, local: localIn(date.start) }));
  for (const { event, recurrence, from } of changes) {
    const { start } = event.times;
    const isOfDays = main.times.isAllDay || start.kind === "day";
    const clock = isOfDays ? zoneOfRule(start, event.times.zone) : zone;
    const following = all.filter(({ local }) => local >= from);
    // A day may name a date that has a time.
    const named = recurrence.kind === "day" ? (following[0]?.local ?? from) : from;
    const by = localOf(start, clock) - named;
    for (const { key, date, local } of following) {
      if (isLeftOut(event)) dates.delete(key);
      else {
        const moved = momentAt(local + by, isOfDays ? start : main.times.start, clock);
        dates.set(key, { event, start: moved, notes: [], member: date.member });
      }
    }
  }
}
