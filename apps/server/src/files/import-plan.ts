import { bytesOfEvent } from "../calendars/stored-bytes.js";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { namesOf } from "../calendars/category-names.js";
import { hashedValues } from "../calendars/custom-data-queries.js";
import { rowsFoundBy, rowsReplaced } from "../calendars/custom-data-stored.js";
import { initial } from "../db/columns.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { EventRow, StoredEventRow } from "../db/rows.js";
import { mostOfImport } from "../db/refusals.js";
import { announced, changeType } from "../events/announce.js";
import { changesOf } from "../events/record-history.js";
import { type EventChange, type NewEvent, newRow, savedRow, stored } from "../events/revisions.js";
import { type Searched, searchedOf } from "../events/search.js";
import { messageOf } from "../webhooks/message.js";
import type { Occurrence, SeriesChange } from "./stored-series.js";

/** Why an import is refused whose rows would be more than one may store. The text is for the owner of the file. */
export class ImportTooLarge extends Error {}

/** What an import does with an event; "keep" changes only what it is known as in files. */
export type Action = "create" | "update" | "reschedule" | "keep" | "delete";

/** What an event becomes known as in files. */
export type Known = Pick<ImportedEventRow, "import_uid" | "import_recurrence_id" | "sync_id">;

/** An event as an import makes it. Its `feed_version` is that of the event which was there, 0 of a new one. */
export interface PlannedEvent {
  readonly action: Action;
  readonly row: StoredEventRow & Searched;
  /** Undefined where that stays. */
  readonly known: Known | undefined;
  /** What lists find it by; undefined where that stays. */
  readonly values: ReturnType<typeof hashedValues> | undefined;
  readonly categories: readonly string[] | undefined;
  /** Its message to webhooks. */
  readonly message:
    | { readonly type: string; readonly messageId: string; readonly payload: string }
    | undefined;
  /** For the history. */
  readonly changes: ReturnType<typeof changesOf>;
}

/** The columns that only "reschedule" changes: the other indexes stay as they are (docs/decisions/0010-group-commit.md). */
export const indexed = ["start_at", "start_month", "series_id", "series_place"] as const;

/** What an import is to do to a calendar, decided and counted but not stored. */
export class Plan {
  readonly calendar: LockedCalendar;
  readonly events = new Set<PlannedEvent>();
  /** How many events the calendar will have more. */
  growth = 0;
  /** How many more bytes it will store. */
  bytes = 0;
  series: readonly SeriesChange[] = [];
  /** Series that make no more events. */
  endedSeries: ReadonlySet<number> = new Set();
  private readonly now: number;
  private rowsWritten = 0;
  private bytesWritten = 0;

  /** @param now in Unix seconds */
  constructor(calendar: LockedCalendar, now: number) {
    this.calendar = calendar;
    this.now = now;
  }

  get changes(): number {
    return [...this.events].filter(({ action }) => action !== "keep").length;
  }

  /** @throws ImportTooLarge, as all of these do */
  changeSeries(series: readonly SeriesChange[], ended: ReadonlySet<number>): void {
    for (const { after } of series)
      this.spend(1, Buffer.byteLength(after.template + after.rrule + after.rdate + after.exdate));
    this.series = series;
    this.endedSeries = ended;
  }

  create(id: number, event: NewEvent, known: Known): void {
    const row = { ...newRow(this.calendar, event, this.now), id, feed_version: 0, synced_by: known.sync_id };
    this.add("create", row, initial, known, "event.created");
    this.growth++;
    this.bytes += bytesOfEvent(row);
  }

  change(
    event: EventRow,
    change: EventChange,
    known: Known | undefined,
    occurrence?: Occurrence,
  ): PlannedEvent {
    const row = { ...savedRow(event, change, event.feed_version, this.now), ...occurrence };
    const isInPlace = indexed.every((name) => row[name] === event[name]);
    this.bytes += bytesOfEvent(row) - bytesOfEvent(event);
    const action = isInPlace ? "update" : "reschedule";
    return this.add(action, row, event, known, changeType(event, row), changesOf(event, row));
  }

  /** Changes only what an event is known as. */
  rename(event: EventRow, known: Known): PlannedEvent {
    return this.add("keep", event, event, known, undefined);
  }

  /** Takes a change or another name of an event back. It has still been a part of the work of the import. */
  takeBack(event: EventRow, planned: PlannedEvent): void {
    this.bytes -= bytesOfEvent(planned.row) - bytesOfEvent(event);
    this.events.delete(planned);
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
    known: Known | undefined,
    type: string | undefined,
    changes: ReturnType<typeof changesOf> = {},
  ): PlannedEvent {
    const { webhooks } = this.calendar;
    const isAnnounced = type !== undefined && webhooks > 0;
    const message = isAnnounced
      ? { type, ...messageOf({ type, now: this.now, data: announced(row) }) }
      : undefined;
    const event = {
      action,
      row: { ...stored(row), ...searchedOf(row) },
      known,
      values: row.custom_data === before.custom_data ? undefined : hashedValues(row.custom_data),
      categories: row.categories === before.categories ? undefined : namesOf(row.categories),
      message,
      changes,
    };
    const found = action === "delete" ? 1 + rowsFoundBy(before) / 2 : rowsReplaced(row, before);
    const rows = (action === "keep" ? 0 : 1) + (known === undefined ? 0 : 1) + found;
    const { folded: _folded, ...texts } = event.row;
    const bytes = bytesOf([
      ...Object.values(texts),
      ...Object.values(known ?? {}),
      ...(event.values ?? []).flat(),
      ...(event.categories ?? []),
    ]);
    // A message is stored once for each endpoint.
    const messageBytes = webhooks * Buffer.byteLength(message?.payload ?? "");
    this.spend(rows + (message === undefined ? 0 : webhooks), bytes + messageBytes);
    this.events.add(event);
    return event;
  }

  /** Counts rows, and the bytes of their texts, before anything is stored. */
  private spend(rows: number, bytes: number): void {
    this.rowsWritten += rows;
    this.bytesWritten += bytes;
    if (this.bytesWritten > mostOfImport.bytes)
      throw new ImportTooLarge(
        `Its events would store more than ${Math.round(mostOfImport.bytes / 1_048_576)} MiB, since each date of a series has all its texts: divide the file, or shorten its texts`,
      );
    if (this.rowsWritten > mostOfImport.rows)
      throw new ImportTooLarge(
        `Its events would store more than ${mostOfImport.rows} rows, categories, names of custom_data and messages to webhooks counted: divide the file`,
      );
  }
}

function bytesOf(values: readonly (string | number | null | undefined)[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0),
    0,
  );
}
