import type { EventDates } from "../events/dates.js";
import { mostEvents } from "../http/limits.js";
import { eventDatesOf, EventPrivate, EventSkipped, instantOf, localOf, type Moment } from "./moments.js";
import type { ReadEvent, Repetition, Revision, Skipped, Texts } from "./read-event.js";
import { type RuleTime, startsOf } from "./rules.js";
import { FileRefused } from "./reader.js";
import { dateText, dayText } from "../time/recurrence-id.js";
import { type FileSeries, fileSeries, type Membership, ownSeriesOf } from "./import-series.js";

export interface Instance {
  readonly uid: string;
  /** Which of the events with this UID it is: its time in the series in UTC; "" for an event of its own. */
  readonly recurrenceId: string;
  /** What it is known as when it became part of a series, or was one, since it was imported. */
  readonly formerId: string | undefined;
  readonly texts: Texts;
  readonly isAllDay: boolean;
  readonly zone: string;
  readonly namesZone: boolean;
  readonly dates: EventDates;
  /** Whether the file says the times of day of whole days. */
  readonly namesClocks: boolean;
  readonly revision: Revision;
  readonly notes: readonly string[];
  /** Undefined for an event of its own. */
  readonly member: Membership | undefined;
}

export interface Prepared {
  readonly instances: readonly Instance[];
  readonly skipped: readonly Skipped[];
}

const daySeconds = 86_400;
/** How far ahead a series is imported. */
export const aheadSeconds = 731 * daySeconds;
/** Of a series with more dates, those from so long ago on are taken first. */
const backSeconds = 30 * daySeconds;

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
    dates += own.length + datesOf(skipped.slice(before));
    if (dates > mostEvents.ofFile)
      throw new FileRefused(
        `The file has more than ${mostEvents.ofFile} events, the dates of series counted`,
      );
  }
  return { instances, skipped };
}

/** Dates that are skipped count too: each takes its time. */
function datesOf(skipped: readonly Skipped[]): number {
  return skipped.reduce((sum, { dates = 1 }) => sum + dates, 0);
}

/** The events of one UID: the event or series itself, and dates of the series that differ. */
interface OfUid {
  main: ReadEvent | undefined;
  /** Whether the event or series itself is not for the public, although it may not have been read. */
  isPrivate: boolean;
  readonly changed: Map<string, ReadEvent>;
}

function byUid(read: readonly (ReadEvent | Skipped)[], skipped: Skipped[]): ReadonlyMap<string, OfUid> {
  const groups = new Map<string, OfUid>();
  const groupOf = (uid: string): OfUid => {
    const group = groups.get(uid) ?? { main: undefined, isPrivate: false, changed: new Map() };
    groups.set(uid, group);
    return group;
  };
  for (const event of read) {
    if ("reason" in event) {
      skipped.push(event);
      if (event.isPrivate === true && event.isDate !== true) groupOf(event.uid).isPrivate = true;
      continue;
    }
    const { uid, texts, recurrence, times } = event;
    const group = groupOf(uid);
    const key = recurrence === undefined ? undefined : keyOf(recurrence, times.zone);
    const known = key === undefined ? group.main : group.changed.get(key);
    if (known !== undefined)
      skipped.push({ uid, title: texts.title, reason: "another event of the file has the same UID" });
    // Of two states of an event one may be private: neither is shown.
    const isPrivate = event.isPrivate === true || known?.isPrivate;
    const kept = known === undefined ? event : { ...known, isPrivate };
    if (key !== undefined) group.changed.set(key, kept);
    else {
      group.main = kept;
      group.isPrivate ||= kept.isPrivate === true;
    }
  }
  return groups;
}

interface Context {
  readonly now: number;
  readonly takesPrivate: boolean;
  readonly skipped: Skipped[];
  readonly rules: RuleTime;
  /** The series that an export names, by their ids there. */
  readonly ownSeries: ReadonlyMap<string, FileSeries>;
}

function instancesOfUid({ main, isPrivate, changed }: OfUid, context: Context): readonly Instance[] {
  const { skipped } = context;
  const isLeftOut = (event: ReadEvent): boolean => !context.takesPrivate && (event.isPrivate ?? isPrivate);
  const all = new Map<
    string,
    Pick<Instance, "notes" | "member"> & { readonly event: ReadEvent; readonly start: Moment }
  >();
  let memberOf: DatesOfSeries["memberAt"] = () => undefined;
  if (main !== undefined)
    guarded(main, skipped, () => {
      if (isLeftOut(main)) throw new EventPrivate();
      const { starts, notes, memberAt } = datesOfSeries(main, context);
      if (main.repetition !== undefined) memberOf = memberAt;
      for (const start of starts) {
        const key = main.repetition === undefined ? "" : keyOf(start, main.times.zone);
        const shown = all.size === 0 ? [...main.notes, ...notes] : [];
        all.set(key, { event: main, start, notes: shown, member: memberAt(start) });
      }
    });
  const keyOfDay = keysByDay(main, all);
  for (const [key, event] of changed) {
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
  return [...all].flatMap(([recurrenceId, { event, start, notes, member }]) => {
    const former = recurrenceId === "" ? ownKey : recurrenceId === ownKey ? "" : undefined;
    // An event that the file has too was not renamed.
    const formerId = former === undefined || all.has(former) ? undefined : former;
    const instance = guarded(event, skipped, () => instanceOf(event, start));
    return instance === undefined ? [] : [{ ...instance, recurrenceId, formerId, notes, member }];
  });
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

function instanceOf({ uid, texts, times, repetition, revision }: ReadEvent, start: Moment) {
  const { zone, namesZone, isAllDay } = times;
  const clocks = repetition === undefined ? times.clocks : undefined; // which are those of one date
  const dates = eventDatesOf(start, { ...times, clocks });
  return { uid, texts, isAllDay, zone, namesZone, dates, namesClocks: clocks !== undefined, revision };
}

interface DatesOfSeries {
  /** Of an event, or of all dates of a series, oldest first. */
  readonly starts: readonly Moment[];
  readonly notes: readonly string[];
  /** Returns what the date that begins at a time is of its series. */
  readonly memberAt: (start: Moment) => Membership | undefined;
}

function datesOfSeries(event: ReadEvent, context: Context): DatesOfSeries {
  const { times, repetition, own } = event;
  if (repetition !== undefined) return datesByRule(event, repetition, context);
  const series = own && context.ownSeries.get(own.id);
  return { starts: [times.start], notes: [], memberAt: () => series && { series, place: own.place } };
}

function datesByRule(event: ReadEvent, repetition: Repetition, { now, rules }: Context): DatesOfSeries {
  const { times } = event;
  const { start } = times;
  const { rule, rdates, exdates } = repetition;
  const zone = zoneOfRule(start, times.zone);
  const first = localOf(start, zone);
  const horizon = now + aheadSeconds;
  const byRule =
    rule === undefined
      ? { locals: [first], isCut: false, isEndless: false }
      : startsOf({ rule, start: first, zone, isAllDay: times.isAllDay }, { horizon, rules });
  const localIn = (date: Moment): number => (start.kind === "day" ? dayOf(date, zone) : localOf(date, zone));
  const added = rdates.map((date) => (start.kind === "day" ? wholeDay(localOf(date, zone)) : localIn(date)));
  const isLeftOut = leftOut(exdates, start, zone);
  const isLikeStart = ({ kind }: Moment) => start.kind === "day" || kind !== "day";
  const named = [...new Set([...byRule.locals, ...added])].toSorted((a, b) => a - b);
  const locals = named.filter((local) => !isLeftOut(local));
  const kept = locals.length > mostEvents.ofSeries ? nearest(locals, now) : locals;
  const left = locals.length - kept.length;
  const { series, placeOf, hasRule } = fileSeries(event, {
    zone,
    first,
    kept,
    added,
    horizon,
    isEndless: byRule.isEndless,
    excluded: [...named.filter(isLeftOut), ...exdates.filter(isLikeStart).map(localIn)],
    isCutBefore: left > 0 && kept[0] !== locals[0],
    isCutAfter: byRule.isCut || (left > 0 && kept.at(-1) !== locals.at(-1)),
  });
  return {
    starts: kept.map((local) => momentAt(local, start, zone)),
    notes: notesOf(left, byRule.isCut, hasRule),
    memberAt: (date) => ({ series, place: placeOf(localIn(date)) }),
  };
}

function notesOf(left: number, isCut: boolean, hasRule: boolean): readonly string[] {
  return [
    ...(left === 0
      ? []
      : [`${left} dates of the series are left out: it has more than ${mostEvents.ofSeries}`]),
    ...(isCut ? ["its dates more than two years ahead are left out"] : []),
    ...(hasRule ? [] : ["its rule is kept as its dates: it runs on another clock than the event"]),
  ];
}

/** A rule runs on the wall clock on which its start is written. */
function zoneOfRule(start: Moment, zone: string): string {
  if (start.kind === "utc") return "UTC";
  return start.kind === "zoned" ? start.zone : zone;
}

function momentAt(local: number, like: Moment, zone: string): Moment {
  if (like.kind === "day") return { kind: "day", local };
  return like.kind === "utc" ? { kind: "utc", at: local } : { kind: "zoned", local, zone };
}

/** A day leaves out all dates of that day; a time the date at that instant. */
function leftOut(exdates: readonly Moment[], start: Moment, zone: string): (local: number) => boolean {
  const days = new Set<number>();
  const instants = new Set<number>();
  for (const date of exdates) {
    if (start.kind === "day" || date.kind === "day") days.add(dayOf(date, zone));
    else instants.add(instantOf(date, zone));
  }
  return (local) => days.has(wholeDay(local)) || instants.has(instantOf(momentAt(local, start, zone), zone));
}

/**
 * The day that a time means which names a whole day: Exchange writes the midnight with which it begins in some zone, or that in UTC.
 * @param zone where it is tried first
 */
function dayOf(moment: Moment, zone: string): number {
  if (moment.kind !== "utc") return wholeDay(moment.local);
  const local = localOf(moment, zone);
  return wholeDay(local) === local ? local : wholeDay(moment.at + daySeconds / 2);
}

function wholeDay(local: number): number {
  return Math.floor(local / daySeconds) * daySeconds;
}

/** The next dates of a long series, and of the past as many as there is room for. */
function nearest(locals: readonly number[], now: number): readonly number[] {
  const found = locals.findIndex((local) => local >= now - backSeconds);
  const from = found === -1 ? locals.length : found;
  const to = Math.min(locals.length, from + mostEvents.ofSeries);
  return locals.slice(to - mostEvents.ofSeries, to);
}

/** RECURRENCE-ID as it is compared: a day, or an instant in UTC. */
export function keyOf(moment: Moment, zone: string): string {
  const seconds = moment.kind === "day" ? moment.local : instantOf(moment, zone);
  return moment.kind === "day" ? dayText(seconds) : dateText(seconds);
}
