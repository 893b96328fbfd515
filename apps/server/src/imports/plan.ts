import { namesOf } from "../categories/names.js";
import { rowsFoundBy, rowsReplaced } from "../custom-data/stored.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { hashedValues } from "../custom-data/queries.js";
import { initial } from "../db/columns.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { EventRow, StoredEventRow } from "../db/rows.js";
import { announced, changeType } from "../events/announce.js";
import { changesOf } from "../events/record-history.js";
import { type EventChange, type NewEvent, newRow, savedRow, stored } from "../events/revisions.js";
import { type Searched, searchedOf } from "../events/search.js";
import { messageOf } from "../webhooks/message.js";
import { createSpending } from "./import-budget.js";
import type { Place, SeriesChange } from "./homes.js";

/** What an import does with an event; "keep" changes only what it is known as in files. */
export type Action = "create" | "update" | "reschedule" | "keep" | "delete";

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

/** What an event becomes known as in files; null where that stays. */
export type Known = Nullable<Pick<ImportedEventRow, "import_uid" | "import_recurrence_id" | "sync_id">>;

/** An event as an import makes it. Its `feed_version` is that of the event which was there, 0 of a new one. */
export interface PlannedEvent extends StoredEventRow, Searched, Known {
  readonly action: Action;
  /** 1 where what lists find it by is replaced: the values of `custom_data`, the categories. */
  readonly replaces_values: 0 | 1;
  readonly replaces_categories: 0 | 1;
  /** Its message to webhooks; null without one. */
  readonly type: string | null;
  readonly message_id: string | null;
  readonly payload: string | null;
  /** What the history has of it (history-entries/differences.ts). */
  readonly changes: string;
}

/** A value of `custom_data` of an event, or a category, whose hash is empty. */
export interface PlannedValue {
  readonly calendar_id: number;
  readonly event_id: number;
  readonly kind: "value" | "category";
  readonly name: string;
  readonly value_hash: string;
}

interface Planned {
  readonly event: PlannedEvent;
  readonly values: readonly PlannedValue[];
}

const asBefore: Known = { import_uid: null, import_recurrence_id: null, sync_id: null };

/** What only "reschedule" changes: the other indexes stay as they are (docs/decisions/0010-group-commit.md). */
export const indexed = ["start_at", "start_month", "series_id", "series_place"] as const;

/** What an import is to do to a calendar, decided and counted but not stored. */
export class Plan {
  readonly calendar: LockedCalendar;
  /** How many events the calendar will have more. */
  growth = 0;
  /** How many more bytes it will store. */
  bytes = 0;
  series: readonly SeriesChange[] = [];
  /** Series that make no more events. */
  endedSeries: ReadonlySet<number> = new Set();
  /** By their places. */
  private readonly planned = new Map<number, Planned>();
  private places = 0;
  private readonly now: number;
  private readonly spending = createSpending();

  /** @param now in Unix seconds */
  constructor(calendar: LockedCalendar, now: number) {
    this.calendar = calendar;
    this.now = now;
  }

  get events(): readonly PlannedEvent[] {
    return [...this.planned.values()].map(({ event }) => event);
  }

  get values(): readonly PlannedValue[] {
    return [...this.planned.values()].flatMap(({ values }) => values);
  }

  get changes(): number {
    return this.events.filter(({ action }) => action !== "keep").length;
  }

  /** @throws ImportTooLarge, as all of these do */
  changeSeries(series: readonly SeriesChange[], ended: ReadonlySet<number>): void {
    for (const { after } of series)
      this.spending.add(1, Buffer.byteLength(after.template + after.rrule + after.rdate + after.exdate));
    this.series = series;
    this.endedSeries = ended;
  }

  create(id: number, event: NewEvent, known: Known): void {
    const row = { ...newRow(this.calendar, event, this.now), id, feed_version: 0, synced_by: known.sync_id };
    this.add("create", row, initial, known, "event.created");
    this.growth++;
    this.bytes += bytesOfEvent(row);
  }

  /** Returns the place of the change, for `takeBack`. */
  change(event: EventRow, change: EventChange, known: Known | undefined, place?: Place): number {
    const row = { ...savedRow(event, change, event.feed_version, this.now), ...place };
    const isInPlace = indexed.every((name) => row[name] === event[name]);
    this.bytes += bytesOfEvent(row) - bytesOfEvent(event);
    const action = isInPlace ? "update" : "reschedule";
    return this.add(action, row, event, known, changeType(event, row), changesOf(event, row));
  }

  /** Changes only what an event is known as. */
  rename(event: EventRow, known: Known): number {
    return this.add("keep", event, event, known, undefined);
  }

  /** Takes a change or another name of an event back. It has still been a part of the work of the import. */
  takeBack(event: EventRow, place: number): void {
    const planned = this.planned.get(place);
    if (planned === undefined) return;
    this.bytes -= bytesOfEvent(planned.event) - bytesOfEvent(event);
    this.planned.delete(place);
  }

  delete(event: EventRow): void {
    this.add("delete", event, event, undefined, "event.deleted");
    this.growth--;
    this.bytes -= bytesOfEvent(event);
  }

  private add(
    action: Action,
    row: EventRow,
    before: Pick<EventRow, "custom_data" | "categories">,
    known: Known = asBefore,
    type: string | undefined,
    changes: ReturnType<typeof changesOf> = {},
  ): number {
    const place = this.places++;
    const replaces_values = row.custom_data === before.custom_data ? 0 : 1;
    const replaces_categories = row.categories === before.categories ? 0 : 1;
    const values = this.valuesOf(row, replaces_values === 1, replaces_categories === 1);
    const message = this.messageOf(row, type);
    const event = {
      ...stored(row),
      ...searchedOf(row),
      ...known,
      ...message,
      action,
      replaces_values,
      replaces_categories,
      changes: JSON.stringify(changes),
    } as const;
    const isDeleted = action === "delete";
    const found = isDeleted ? 1 + rowsFoundBy(before) / 2 : rowsReplaced(row, before);
    this.spend(event, values, found);
    this.planned.set(place, { event, values });
    return place;
  }

  private valuesOf(row: EventRow, hasValues: boolean, hasCategories: boolean): readonly PlannedValue[] {
    const of = { calendar_id: row.calendar_id, event_id: row.id };
    const values = hasValues ? hashedValues(row.custom_data) : [];
    const categories = hasCategories ? namesOf(row.categories) : [];
    return [
      ...values.map(([name, value_hash]) => ({ ...of, kind: "value" as const, name, value_hash })),
      ...categories.map((name) => ({ ...of, kind: "category" as const, name, value_hash: "" })),
    ];
  }

  private messageOf(row: EventRow, type: string | undefined) {
    if (type === undefined || this.calendar.webhooks === 0)
      return { type: null, message_id: null, payload: null };
    const { messageId, payload } = messageOf({ type, now: this.now, data: announced(row) });
    return { type, message_id: messageId, payload };
  }

  /** A message is stored once for each endpoint; in place of an event that is deleted a row says so. */
  private spend(event: PlannedEvent, values: readonly PlannedValue[], found: number): void {
    const { webhooks } = this.calendar;
    const { payload, folded: _folded, changes: _changes, ...row } = event; // as write.ts charges it
    const messages = payload === null ? 0 : webhooks;
    const rows = (event.action === "keep" ? 0 : 1) + (event.import_uid === null ? 0 : 1);
    const texts = [...Object.values(row), ...values.flatMap(({ name, value_hash }) => [name, value_hash])];
    const bytes = texts.reduce<number>(
      (sum, text) => sum + (typeof text === "string" ? Buffer.byteLength(text) : 0),
      0,
    );
    this.spending.add(rows + found + messages, bytes + messages * Buffer.byteLength(payload ?? ""));
  }
}
