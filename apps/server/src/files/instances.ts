import type { EventDates } from "../events/dates.js";
import { mostEvents } from "../http/limits.js";
import { dayText } from "../time/recurrence-id.js";
import { changeFollowing, type DateOfUid } from "./following.js";
import { type Membership, ownSeriesOf } from "./import-series.js";
import {
  dayOf,
  eventDatesOf,
  EventPrivate,
  EventSkipped,
  keyOf,
  localOf,
  type Moment,
  zoneOfRule,
} from "./moments.js";
import { isNewer, type ReadEvent, type Skipped } from "./read-event.js";
import { FileRefused } from "./reader.js";
import { type DatesOfSeries, datesOfSeries, type SeriesContext } from "./series-dates.js";

export interface Instance extends Pick<ReadEvent, "uid" | "texts" | "revision" | "notes"> {
  /** Which of the events with this UID it is: its time in the series in UTC; "" for an event of its own. */
  readonly recurrenceId: string;
  /** What it is known as when it became part of a series, or was one, since it was imported. */
  readonly formerId: string | undefined;
  readonly isAllDay: boolean;
  readonly zone: string;
  readonly namesZone: boolean;
  readonly dates: EventDates;
  /** Whether the file says the times of day of whole days. */
  readonly namesClocks: boolean;
  /** Undefined for an event of its own. */
  readonly member: Membership | undefined;
  /** Whether its UID has more dates, which are not known. */
  readonly isPartial: boolean;
}

export interface Prepared {
  readonly instances: readonly Instance[];
  readonly skipped: readonly Skipped[];
}

/** Returns the events that a file comes to: series by their dates, changed dates as they are. @throws FileRefused */
export function instancesOf(
  read: readonly (ReadEvent | Skipped)[],
  options: Pick<Context, "now" | "takesPrivate" | "rules">,
): Prepared {
  const instances: Instance[] = [];
  const skipped: Skipped[] = [];
  const context = { ...options, skipped, ownSeries: ownSeriesOf(read) };
  let dates = 0;
  for (const events of byUid(read, skipped).values()) {
    const before = skipped.length;
    const own = instancesOfUid(events, context);
    instances.push(...own);
    dates += own.length + countOf(skipped.slice(before));
    if (dates > mostEvents.ofFile)
      throw new FileRefused(
        `The file has more than ${mostEvents.ofFile} events, the dates of series counted`,
      );
  }
  return { instances, skipped };
}

/** Dates that are skipped count too: each takes its time. */
function countOf(skipped: readonly Skipped[]): number {
  return skipped.reduce((sum, { dates = 1 }) => sum + dates, 0);
}

/** The events of one UID: the event or series itself, and dates of the series that differ. */
interface OfUid {
  /** By their starts; of most files one. */
  readonly mains: Map<string, ReadEvent>;
  /** Whether the event or series itself is not for the public, although it may not have been read. */
  isPrivate: boolean;
  readonly changed: Map<string, ReadEvent>;
}

function byUid(read: readonly (ReadEvent | Skipped)[], skipped: Skipped[]): ReadonlyMap<string, OfUid> {
  const groups = new Map<string, OfUid>();
  const groupOf = (uid: string): OfUid => {
    const group = groups.get(uid) ?? { mains: new Map(), isPrivate: false, changed: new Map() };
    groups.set(uid, group);
    return group;
  };
  for (const event of read) {
    if ("reason" in event) {
      skipped.push(event);
      if (event.isPrivate === true && event.isDate !== true) groupOf(event.uid).isPrivate = true;
      continue;
    }
    const { uid, recurrence, times } = event;
    const group = groupOf(uid);
    const events = recurrence === undefined ? group.mains : group.changed;
    const key = keyOf(recurrence ?? times.start, times.zone);
    const known = events.get(key);
    const [newer, older] =
      known !== undefined && !isNewer(event.revision, known.revision) ? [known, event] : [event, known];
    if (older !== undefined)
      skipped.push({ uid, title: older.texts.title, reason: "another event of the file has the same UID" });
    const kept = older === undefined ? newer : { ...newer, isPrivate: isEitherPrivate(newer, older) };
    events.set(key, kept);
    if (recurrence === undefined) group.isPrivate ||= kept.isPrivate === true;
  }
  return groups;
}

/** Of two states of an event one may be private: neither is shown. One without CLASS is as private as its series. */
function isEitherPrivate(
  { isPrivate: one }: ReadEvent,
  { isPrivate: other }: ReadEvent,
): boolean | undefined {
  if (one === true || other === true) return true;
  return one === false ? other : undefined;
}

interface Context extends SeriesContext {
  readonly takesPrivate: boolean;
  readonly skipped: Skipped[];
}

function instancesOfUid(group: OfUid, context: Context): readonly Instance[] {
  const { skipped } = context;
  const isLeftOut = (event: ReadEvent): boolean =>
    !context.takesPrivate && (event.isPrivate ?? group.isPrivate);
  const byStart = [...group.mains].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
  const main = byStart.find(({ repetition }) => repetition !== undefined) ?? byStart[0];
  const all = new Map<string, DateOfUid>();
  let memberOf: DatesOfSeries["memberAt"] = () => undefined;
  if (main !== undefined)
    guarded(main, skipped, () => {
      if (isLeftOut(main)) throw new EventPrivate();
      const series = datesOfSeries(main, context);
      if (main.repetition !== undefined) memberOf = series.memberAt;
      for (const [key, date] of datesOf(main, series, byStart.length === 1)) all.set(key, date);
    });
  const keyOfDay = keysByDay(main, all);
  if (main?.repetition !== undefined) changeFollowing(all, main, { changed: group.changed, isLeftOut });
  for (const event of byStart)
    if (event !== main) guarded(event, skipped, () => addOther(all, event, { context, isLeftOut }));
  for (const [key, event] of group.changed) {
    // The date of a series of whole days is a day, whatever form names it; that of another series may be named by its day.
    const isOfDays = main?.times.isAllDay === true && event.recurrence !== undefined;
    const own = isOfDays ? dayText(dayOf(event.recurrence, main.times.zone)) : (keyOfDay.get(key) ?? key);
    if (isLeftOut(event)) {
      // Not what the series says of that date either: it may be what is private.
      all.delete(own);
      skip(event, skipped, new EventPrivate());
    } else {
      const member = all.get(own)?.member ?? (event.recurrence && memberOf(event.recurrence));
      all.set(own, { event, start: event.times.start, notes: event.notes, member });
    }
  }
  const ownKey = main === undefined ? undefined : keyOf(main.times.start, main.times.zone);
  return [...all].flatMap(([recurrenceId, date]) => {
    const former = recurrenceId === "" ? ownKey : recurrenceId === ownKey ? "" : undefined;
    // An event that the file has too was not renamed.
    const formerId = former === undefined || all.has(former) ? undefined : former;
    const instance = guarded(date.event, skipped, () => instanceOf(date));
    return instance === undefined ? [] : [{ ...instance, recurrenceId, formerId }];
  });
}

/** Returns the dates of an event or series by their keys; that of a single event is its UID alone. */
function datesOf(
  event: ReadEvent,
  { starts, notes, memberAt, lengthAt, isPartial }: DatesOfSeries,
  isAlone: boolean,
): readonly (readonly [string, DateOfUid])[] {
  const isSingle = isAlone && event.repetition === undefined;
  return starts.map((start, index) => {
    const key = isSingle ? "" : keyOf(start, event.times.zone);
    const shown = index === 0 ? [...event.notes, ...notes] : [];
    return [
      key,
      { event, start, length: lengthAt(start), notes: shown, member: memberAt(start), isPartial },
    ] as const;
  });
}

interface Others {
  readonly context: Context;
  readonly isLeftOut: (event: ReadEvent) => boolean;
}

/**
 * Adds an event whose UID another one has with another start. Some programs write a series so, and what replaces one of its dates. A
 * second series is stored as its dates: a series is found again by its UID.
 */
function addOther(all: Map<string, DateOfUid>, event: ReadEvent, { context, isLeftOut }: Others): void {
  if (isLeftOut(event)) {
    all.delete(keyOf(event.times.start, event.times.zone));
    throw new EventPrivate();
  }
  const isSeries = event.repetition !== undefined;
  const series = datesOfSeries(event, context);
  const note = "its rule is kept as its dates: another series of the file has the same UID";
  const notes = isSeries ? [...series.notes, note] : series.notes;
  for (const [key, date] of datesOf(event, { ...series, notes }, false)) {
    const known = all.get(key);
    if (known === undefined || !isSeries)
      all.set(key, { ...date, member: isSeries ? undefined : (known?.member ?? date.member) });
  }
}

/** The keys of the dates of a series with times, by their days. */
function keysByDay(main: ReadEvent | undefined, starts: ReadonlyMap<string, { readonly start: Moment }>) {
  if (main?.repetition === undefined || main.times.isAllDay) return new Map<string, string>();
  const zone = zoneOfRule(main.times.start, main.times.zone);
  return new Map([...starts].map(([key, { start }]) => [dayText(localOf(start, zone)), key]));
}

/** Runs a step of an event; when it must be skipped, it is. Dates that are skipped for one reason are one entry. */
function guarded<T>(event: ReadEvent, skipped: Skipped[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof EventSkipped)) throw error;
    skip(event, skipped, error);
    return undefined;
  }
}

function skip({ uid, texts }: ReadEvent, skipped: Skipped[], error: EventSkipped): void {
  const entry = { uid, title: texts.title, reason: error.message, isPrivate: error instanceof EventPrivate };
  const last = skipped.at(-1);
  if (last?.uid === uid && last.title === entry.title && last.reason === entry.reason)
    skipped[skipped.length - 1] = { ...entry, dates: (last.dates ?? 1) + 1 };
  else skipped.push(entry);
}

function instanceOf({ event, start, length, notes, member, isPartial = false }: DateOfUid) {
  const { uid, texts, times, repetition, revision } = event;
  const { zone, namesZone, isAllDay } = times;
  // They are those of one date, which a date that follows it has not.
  const clocks = repetition === undefined && start === times.start ? times.clocks : undefined;
  const dates = eventDatesOf(start, { ...times, length: length ?? times.length, clocks });
  const namesClocks = clocks !== undefined;
  return { uid, texts, isAllDay, zone, namesZone, dates, namesClocks, revision, notes, member, isPartial };
}
