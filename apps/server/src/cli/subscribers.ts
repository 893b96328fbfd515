import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "../db/connect.js";
import type { CalendarRow, SubscriberRow } from "../db/rows.js";
import { block, deleteSubscriber, unblock } from "../subscribers/life.js";
import { type SubscriberFilter, subscribersAfter } from "../subscribers/queries.js";
import { subscriber } from "../subscribers/serialize.js";
import { existingCalendar } from "./calendars.js";
import { moment, type Report, table } from "./database.js";

/** Which subscribers. */
export interface Choice extends Pick<SubscriberFilter, "only"> {
  /** Id of the calendar. */
  readonly calendar: number;
}

/** @throws Error when there is no such calendar. */
export async function listSubscribers(db: Database, { calendar, only }: Choice): Promise<Report> {
  const { timezone } = await existingCalendar(db, calendar);
  const rows: SubscriberRow[] = [];
  for await (const some of batches(db, calendar, only === undefined ? {} : { only })) rows.push(...some);
  return {
    json: { calendar_id: String(calendar), subscribers: rows.map((row) => told(row, timezone)) },
    text: table([
      ["ID", "NAME", "E-MAIL", "APP", "COUNTRY", "FOLLOWED (UTC)", "LAST SEEN (UTC)", "STATE"],
      ...rows.map((row) => [
        String(row.id),
        row.name,
        row.email,
        row.calendar_type,
        row.country ?? "",
        moment(row.subscribed_at),
        moment(row.last_seen_at),
        state(row),
      ]),
    ]),
  };
}

function state({ active, blocked, unfollowed_at }: SubscriberRow): string {
  const life = unfollowed_at === null ? (active === 1 ? "active" : "inactive") : "unfollowed";
  return blocked === 1 ? `${life}, blocked` : life;
}

/** @throws Error when there is no such subscriber. */
export async function blockSubscriber(db: Database, id: number): Promise<Report> {
  return report(id, await block(db, id), "blocked");
}

/** @throws Error when there is no such subscriber. */
export async function unblockSubscriber(db: Database, id: number): Promise<Report> {
  return report(id, await unblock(db, id), "unblocked");
}

/** @throws Error when there is no such subscriber. */
export async function removeSubscriber(db: Database, id: number): Promise<Report> {
  return report(id, await deleteSubscriber(db, id), "deleted");
}

function report(id: number, row: SubscriberRow | undefined, status: string): Report {
  if (row === undefined) throw new Error(`There is no subscriber ${id}; "subscriber list" shows them.`);
  return {
    json: { subscriber_id: String(id), calendar_id: String(row.calendar_id), status },
    text: `Subscriber ${id} of calendar ${row.calendar_id} is ${status}.`,
  };
}

interface Export {
  /** Id of the calendar. */
  readonly calendar: number;
  readonly format: "csv" | "json";
}

/** Prints what `exportSubscribers` gives. @throws Error when there is no such calendar. */
export async function printSubscribers(db: Database, what: Export): Promise<undefined> {
  const text = Readable.from(exportSubscribers(db, what));
  await pipeline(text, process.stdout, { end: false }).catch((error: unknown) => {
    // Whoever reads has seen enough, as `head` does.
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  });
}

/** All that is kept of a calendar's subscribers, as text in pieces. @throws Error when there is no such calendar. */
export async function* exportSubscribers(db: Database, { calendar, format }: Export): AsyncGenerator<string> {
  const row = await existingCalendar(db, calendar);
  yield* format === "csv" ? csv(db, row) : json(db, row);
}

async function* json(db: Database, { id, timezone }: CalendarRow): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of batches(db, id, {})) {
    const items = rows.map((row) => JSON.stringify(told(row, timezone)));
    yield `${before}\n${items.join(",\n")}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}

/** RFC 4180: each cell in quotes, lines end in CR LF. */
async function* csv(db: Database, { id, timezone }: CalendarRow): AsyncGenerator<string> {
  yield line(columns);
  for await (const rows of batches(db, id, {})) {
    const lines = rows.map((row) => {
      const values = told(row, timezone);
      return line(columns.map((column) => String(values[column] ?? "")));
    });
    yield lines.join("");
  }
}

const columns = [
  "id",
  "name",
  "email",
  "ip",
  "postal",
  "city",
  "state",
  "country",
  "date",
  "unixtime_stamp",
  "calendar_type",
  "active",
  "blocked",
  "last_seen_at",
  "unfollowed_at",
] as const;

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/** A spreadsheet runs a cell that begins like a formula; an apostrophe in front makes it text (OWASP, CSV injection). */
function harmless(cell: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

/** A subscriber as the API shows it, and what else is kept of it, in Unix seconds. */
function told(row: SubscriberRow, timezone: string) {
  const { last_seen_at, unfollowed_at } = row;
  return { ...subscriber(row, timezone), last_seen_at, unfollowed_at };
}

const batchSize = 500;

/** All subscribers of a calendar in the order of their ids. */
async function* batches(
  db: Database,
  calendarId: number,
  filter: Pick<SubscriberFilter, "only">,
): AsyncGenerator<readonly SubscriberRow[]> {
  for (let id = 0; ;) {
    const rows = await subscribersAfter(db.read, calendarId, { ...filter, id, limit: batchSize });
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    id = rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
  }
}
