import { dayIndex, formatWallClock } from "../time/formats.js";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { paletteSize } from "../calendars/palettes.js";
import { knownPictures } from "../calendars/picture-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import type { Database } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { initial } from "../db/columns.js";
import type { NewEvent } from "../events/revisions.js";
import { keptReportBytes, mostAnswerBytes } from "../http/limits.js";
import { formerKeys } from "./former-keys.js";
import type { Instance, Prepared } from "./instances.js";
import { changeOf, findMatches, type Match, type Refused } from "./match.js";
import { Plan, type PlannedEvent } from "./import-plan.js";
import { keyOf } from "./import-queries.js";
import { isNewer, type Revision, type Texts } from "./read-event.js";
import { createReport, type Outcome, type Report, superseded } from "./report.js";
import type { PreparedFile } from "./run-thread.js";
import {
  findSeries,
  type Occurrence,
  occurrenceOf,
  type SeriesOfFile,
  seriesChanges,
} from "./stored-series.js";
import { createRoom } from "./texts.js";

/** What a file holds, for those who look for what it holds no more. */
export interface Seen {
  /** The keys of its events (match.ts). */
  readonly keys: ReadonlySet<string>;
  /** UIDs of which something was skipped. */
  readonly skipped: ReadonlySet<string>;
  /** UIDs of which something is not for the public. */
  readonly hidden: ReadonlySet<string>;
  /** By their UIDs, series of which dates that have begun are new here: the day of the first date that the file has, on the rule's clock. */
  readonly moved: ReadonlyMap<string, number>;
  /** The ids of the events that it still has, under whatever key. */
  readonly events: Pick<ReadonlySet<number>, "has">;
}

export interface Import {
  readonly now: number;
  readonly isDryRun: boolean;
  readonly syncId: number | null;
  /** Whether the report is stored, so that it is to be short. */
  readonly isKept?: boolean | undefined;
  /** Returns the events to delete, those that vanished from the file. */
  readonly vanished?: ((seen: Seen) => AsyncIterable<EventRow>) | undefined;
}

export interface Decided {
  readonly plan: Plan;
  readonly report: Report;
  /** Events that are deleted since the file has them no more. */
  readonly deleted: number;
  /** Events that were found although the file has new UIDs. */
  readonly renamed: number;
  /** The categories that the calendar had. */
  readonly categories: readonly string[];
}

/** Of an answer, what is not the report. */
const envelopeBytes = 10_000;

/** Decides what an import does with each event of a file. Nothing is stored. @throws ImportTooLarge */
export async function decide(
  reading: Pick<Database, "query" | "dialect" | "reserve">,
  calendar: LockedCalendar,
  prepared: PreparedFile,
  work: Import,
): Promise<Decided> {
  const categories = await listCategories(reading, calendar.id);
  const decider = new Decider(calendar, work, createRoom(categories));
  const formerOf = await formerKeys(reading, work.syncId, prepared.uids);
  let renamed = 0;
  for await (const slice of prepared.slices()) {
    decider.skip(slice.skipped);
    const named = slice.instances.flatMap(({ texts }) => texts.picture_id ?? []);
    for (const hash of await knownPictures(reading, calendar.account_id, named)) decider.pictures.add(hash);
    const instances = slice.instances.map((instance) => decider.fitting(instance));
    const former = formerOf(instances);
    renamed += former.size;
    const matchOf = await findMatches(reading, calendar, instances, work.syncId, former);
    const matched = instances.map((instance) => ({ instance, match: matchOf(instance) }));
    const created = matched.filter(({ match }) => match === undefined).length;
    const ids = work.isDryRun || created === 0 ? [] : [...(await reading.reserve("events", created))];
    await findSeries(reading, calendar.id, decider.series, instances, former, (count) =>
      work.isDryRun ? Promise.resolve([]) : reading.reserve("series", count),
    );
    for (const { instance, match } of matched)
      decider.take(instance, match, match === undefined ? ids.shift() : undefined);
  }
  const deleted = await decider.deleteVanished();
  decider.changeSeries();
  return { plan: decider.plan, report: decider.report.end(), deleted, renamed, categories };
}

/** What an event of the file was taken for. */
interface Taken {
  readonly revision: Revision;
  /** Undefined without a change. */
  readonly planned: PlannedEvent | undefined;
  readonly outcome: Outcome;
  /** Its place in the report. */
  readonly reported: number;
}

class Decider {
  readonly plan: Plan;
  readonly report: ReturnType<typeof createReport>;
  readonly series: SeriesOfFile = new Map();
  private readonly calendar: LockedCalendar;
  private readonly work: Import;
  private readonly room: ReturnType<typeof createRoom>;
  /** Those of the account that events of the file have. */
  readonly pictures = new Set<string>();
  private readonly keys = new Set<string>();
  private readonly skipped = new Set<string>();
  private readonly hidden = new Set<string>();
  private readonly moved = new Map<string, number>();
  /** Series that make no more events, since the file has a single one. */
  private readonly ended = new Set<number>();
  /** The events that are one of the file, by their ids. */
  private readonly taken = new Map<number, Taken>();

  constructor(calendar: LockedCalendar, work: Import, room: ReturnType<typeof createRoom>) {
    this.calendar = calendar;
    this.work = work;
    this.report = createReport(work.isKept === true ? keptReportBytes : mostAnswerBytes - envelopeBytes);
    this.room = room;
    this.plan = new Plan(calendar, work.now);
  }

  skip(entries: Prepared["skipped"]): void {
    const none = { result: "skipped", recurrenceId: "", eventId: undefined, notes: [] } as const;
    for (const { uid, title, reason, isPrivate = false, dates = 1 } of entries)
      this.add({ ...none, uid, title, reason, isPrivate, dates });
  }

  /** A colour that the palette lacks is none, and so is a category that the calendar has no room for. */
  fitting(instance: Instance): Instance {
    const { notes } = instance;
    const texts = this.fittingTexts(instance.texts);
    const isSame = texts.categories === instance.texts.categories;
    const note = isSame ? [] : ["the calendar has too many categories: some are left out"];
    return { ...instance, texts, notes: [...notes, ...note] };
  }

  private fittingTexts(texts: Texts): Texts {
    const color_id =
      Number(texts.color_id) <= paletteSize(this.calendar.palette_id) ? texts.color_id : undefined;
    const categories = texts.categories === undefined ? undefined : this.room(texts.categories);
    // Programs of the owner trust custom_data: what others publish, which a sync reads, does not set it.
    const custom_data = this.work.syncId === null ? texts.custom_data : undefined;
    const isKnown = this.work.syncId === null && this.pictures.has(texts.picture_id ?? "");
    const picture = isKnown ? {} : { picture_id: undefined, picture_alt: undefined };
    return { ...texts, color_id, categories, custom_data, ...picture };
  }

  /** @param id that of the event where it is created; undefined in a dry run */
  take(instance: Instance, match: Match | Refused | undefined, id: number | undefined): void {
    const { uid, recurrenceId, texts, notes } = instance;
    if (instance.isPartial) this.skipped.add(uid);
    const known = { import_uid: uid, import_recurrence_id: recurrenceId };
    const shown = shownOf(instance);
    const common = { uid, recurrenceId, title: texts.title, shown, reason: "", notes, dates: 1 };
    if (match === undefined) {
      const event = { ...newEvent(instance), ...occurrenceOf(this.series, instance, true) };
      this.plan.create(id ?? 0, event, { ...known, sync_id: this.work.syncId });
      this.noteMoved(instance);
      this.add({ ...common, result: "created", eventId: id });
      return;
    }
    if (typeof match === "string") {
      this.add({ ...common, result: "skipped", eventId: undefined, reason: match });
      return;
    }
    const { event, isRenamed, syncId } = match;
    const before = this.taken.get(event.id);
    if (before !== undefined && !isNewer(instance.revision, before.revision)) {
      this.add(superseded({ ...common, result: "skipped", eventId: undefined }));
      return;
    }
    if (before !== undefined) this.supersede(event, before);
    const renamed = isRenamed ? { ...known, sync_id: syncId } : undefined;
    const occurrence = this.occurrenceOf(instance, match);
    const isSame = occurrence === undefined || isSameOccurrence(occurrence, event);
    const change = changeOf(event, instance) ?? (isSame ? undefined : {});
    const planned =
      change !== undefined
        ? this.plan.change(event, change, renamed, occurrence)
        : renamed && this.plan.rename(event, renamed);
    const result = change === undefined ? "unchanged" : "changed";
    const outcome: Outcome = { ...common, result, eventId: event.id };
    const { revision } = instance;
    this.taken.set(event.id, { revision, planned, outcome, reported: this.add(outcome) });
  }

  private noteMoved({ uid, dates, member }: Instance): void {
    if (member === undefined || dates.start_at > this.work.now) return;
    const { start_local, from_place } = member.series;
    this.moved.set(uid, dayIndex(Math.max(start_local, from_place)));
  }

  /** An event that was a date of a series may be a single one now: then its series makes no more events. */
  private occurrenceOf(instance: Instance, { event, isFormer }: Match): Occurrence | undefined {
    if (!isFormer || instance.recurrenceId !== "" || event.series_id === 0)
      return occurrenceOf(this.series, instance, false);
    this.ended.add(event.series_id);
    return { series_id: 0, series_place: 0 };
  }

  changeSeries(): void {
    const fit = (texts: Texts): Texts => this.fittingTexts(texts);
    this.plan.changeSeries(
      seriesChanges(this.series, { ...this.work, calendar: this.calendar, fit }),
      this.ended,
    );
  }

  /** The file has an event twice, such as under its own UID and under the one that it was imported with: the newer one is taken. */
  private supersede(event: EventRow, { planned, reported, outcome }: Taken): void {
    if (planned !== undefined) this.plan.takeBack(event, planned);
    this.report.supersede(reported, outcome);
    this.skipped.add(outcome.uid);
  }

  async deleteVanished(): Promise<number> {
    const { vanished, isDryRun } = this.work;
    // A file without an event is more often broken than meant.
    const isEmpty = this.keys.size + this.skipped.size + this.hidden.size === 0;
    if (vanished === undefined || isDryRun || isEmpty) return 0;
    const { keys, skipped, hidden, moved, taken: events } = this;
    let deleted = 0;
    for await (const event of vanished({ keys, skipped, hidden, moved, events })) {
      this.plan.delete(event);
      deleted++;
    }
    return deleted;
  }

  private add(outcome: Outcome): number {
    const { uid, recurrenceId, result, isPrivate } = outcome;
    if (isPrivate === true) this.hidden.add(uid);
    else if (result !== "skipped") this.keys.add(keyOf(uid, recurrenceId));
    else if (uid !== "") this.skipped.add(uid); // components that are no events have no UID (prepare.ts)
    return this.report.add(outcome);
  }
}

const isSameOccurrence = (one: Occurrence, other: Occurrence): boolean =>
  one.series_id === other.series_id && one.series_place === other.series_place;

function shownOf({ texts, isAllDay, dates }: Instance): Outcome["shown"] {
  const print = (local: number): string => formatWallClock(local).slice(0, isAllDay ? 10 : 16);
  const { location, status } = texts;
  return { startDate: print(dates.start_local), endDate: print(dates.end_local), location, status };
}

function newEvent({ texts, zone, isAllDay, dates }: Instance): NewEvent {
  return {
    ...texts,
    timezone: zone,
    color_id: texts.color_id ?? "",
    reminder: texts.reminder ?? "",
    categories: texts.categories ?? "",
    custom_data: texts.custom_data ?? initial.custom_data,
    url: texts.url ?? initial.url,
    picture_id: texts.picture_id ?? initial.picture_id,
    picture_alt: texts.picture_alt ?? initial.picture_alt,
    all_day: isAllDay ? 1 : 0,
    ...dates,
  };
}
