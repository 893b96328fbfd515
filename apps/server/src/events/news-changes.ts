import type { EventRow, HistoryRow } from "../db/rows.js";
import { type Difference, published } from "../calendars/differences.js";
import { daySeconds } from "../time/formats.js";
import { lastLocal } from "./dates.js";

// What followers are told of a calendar's changes (extensions X12.1): what is true at the end of a window, compared with its beginning.

/** When an event is, and where. */
export type TimesAndPlace = Pick<
  EventRow,
  "start_at" | "end_at" | "start_local" | "end_local" | "all_day" | "location"
>;

export interface NewsChange extends TimesAndPlace, Pick<EventRow, "uid" | "title"> {
  readonly kind: "added" | "moved" | "changed" | "cancelled";
  readonly event_id: number;
  /** Names with commas between them. */
  readonly categories: string;
  /** Whether the event still has a page. */
  readonly hasPage: boolean;
  /** What it was, of an event that was moved. */
  readonly before?: TimesAndPlace;
  /** What the organizer says of it; empty for nothing. */
  readonly note: string;
}

/** News of kind "changes". Of more changes than a message lists there is only their number. */
export interface NewsContent {
  readonly changes: readonly NewsChange[];
  readonly total: number;
}

/** Changes that a message lists. */
export const mostListed = 50;

/** How far ahead followers are told of events, in seconds. */
export const horizonSeconds = 14 * 86_400;

export type Entry = Pick<HistoryRow, "event_id" | "calendar_id" | "action" | "quiet" | "note"> & {
  readonly changes: Readonly<Record<string, Difference>>;
};

/** An event as it is now, whatever its state. */
export type CurrentEvent = TimesAndPlace &
  Pick<EventRow, "id" | "calendar_id" | "uid" | "title" | "categories" | "status" | "state" | "preview_key"> &
  Pick<EventRow, "description" | "url" | "organizer">;

const placeColumns = ["start_at", "end_at", "start_local", "end_local", "all_day", "location"] as const;
const otherColumns = ["title", "description", "url", "organizer", "status"] as const;

/** What an event was at the beginning of a window, as far as it is another now. */
interface Before {
  readonly columns: ReadonlyMap<string, Difference[0]>;
  readonly isVisible: boolean | undefined;
  readonly note: string;
}

/** What changes that followers are not told of have made counts as if it had been so before. */
function beforeOf(entries: readonly Entry[], event: CurrentEvent, calendarId: number, is: boolean): Before {
  const columns = new Map<string, Difference[0]>();
  let isVisible: boolean | undefined;
  let isHidden = false;
  let note = "";
  for (const entry of entries) {
    const [was, becomes] = visibility(entry, event, calendarId);
    isVisible ??= entry.quiet === 1 ? becomes : was;
    // Followers have not seen what a draft became after it was taken back.
    const countsAsBefore = entry.quiet === 1 && (is || !isHidden);
    for (const [name, [before, after, from]] of Object.entries(entry.changes))
      // Of a long text that was changed quietly there is an excerpt alone: later changes of it are not told either.
      if (!columns.has(name) && (!countsAsBefore || from === undefined))
        columns.set(name, countsAsBefore ? after : before);
    if (becomes !== undefined) isHidden = !becomes;
    if (entry.quiet === 0 && entry.note !== "") ({ note } = entry);
  }
  return { columns, isVisible, note };
}

/** Whether followers of a calendar saw the event before an entry, and after it; undefined where the entry changes nothing of that. */
function visibility(
  { action, changes, calendar_id }: Entry,
  { preview_key }: CurrentEvent,
  calendarId: number,
): readonly [was: boolean | undefined, is: boolean | undefined] {
  if (action === "created") return [false, preview_key === null];
  if (action === "restored") return [false, preview_key === null];
  if (action === "deleted") return [preview_key === null, false];
  if (changes["calendar_id"] !== undefined) return calendar_id === calendarId ? [false, true] : [true, false];
  const { publication } = changes;
  return publication === undefined
    ? [undefined, undefined]
    : [publication[0] === published, publication[1] === published];
}

/** Returns what followers of a calendar are told of an event; undefined when nothing that they see is another, or it is not soon. */
export function newsOf(
  entries: readonly Entry[],
  event: CurrentEvent,
  calendarId: number,
  now: number,
): NewsChange | undefined {
  const is = event.state === "published" && event.calendar_id === calendarId;
  const { columns, isVisible, note } = beforeOf(entries, event, calendarId, is);
  const was = isVisible ?? is;
  const before = { ...event, ...valuesOf(columns) };
  const kind = kindOf([was, is], before, columns, event);
  const isSoon = (was && soon(before, now)) || (is && soon(event, now));
  if (kind === undefined || !isSoon) return undefined;
  const shown = is ? event : before;
  return {
    kind,
    event_id: event.id,
    uid: event.uid,
    title: shown.title,
    categories: shown.categories,
    hasPage: is,
    ...placeOf(shown),
    ...(kind === "moved" && { before: placeOf(before) }),
    note,
  };
}

function kindOf(
  [was, is]: readonly [boolean, boolean],
  before: TimesAndPlace & Pick<CurrentEvent, "status">,
  columns: Before["columns"],
  event: CurrentEvent,
): NewsChange["kind"] | undefined {
  const [tookPlace, takesPlace] = [was && before.status !== "cancelled", is && event.status !== "cancelled"];
  if (!tookPlace) return takesPlace ? "added" : undefined;
  if (!takesPlace) return "cancelled";
  const differs = (name: keyof CurrentEvent): boolean =>
    columns.has(name) && columns.get(name) !== event[name];
  const shownBefore = shownOf(before);
  if (shownOf(event).some((value, index) => value !== shownBefore[index])) return "moved";
  return otherColumns.some(differs) ? "changed" : undefined;
}

/** What people see of times and place, which another zone alone does not change: the days of an all-day event, else the instants. */
function shownOf({ all_day, location, ...times }: TimesAndPlace): readonly (string | number)[] {
  const { start_at, end_at, start_local } = times;
  const days = [start_local, lastLocal(times)].map((local) => Math.floor(local / daySeconds));
  return [all_day, location, ...(all_day === 1 ? days : [start_at, end_at])];
}

/** The columns of another state that news show. */
function valuesOf(
  columns: Before["columns"],
): Partial<TimesAndPlace & Pick<CurrentEvent, "title" | "categories" | "status">> {
  const known = ["title", "categories", "status", ...placeColumns];
  return Object.fromEntries([...columns].filter(([name]) => known.includes(name)));
}

const soon = (of: TimesAndPlace, now: number): boolean =>
  endOf(of) >= now && of.start_at <= now + horizonSeconds;

/** Returns when it is over. An all-day event lasts to the end of its last day (rulings R4.4): an hour more or less where the clocks change then. */
function endOf({ all_day, start_at, end_at, start_local, end_local }: TimesAndPlace): number {
  if (all_day === 0) return Math.max(start_at, end_at);
  const lastDay = Math.floor(lastLocal({ start_local, end_local }) / daySeconds);
  return (lastDay + 1) * daySeconds + end_at - end_local;
}

function placeOf({
  start_at,
  end_at,
  start_local,
  end_local,
  all_day,
  location,
}: TimesAndPlace): TimesAndPlace {
  return { start_at, end_at, start_local, end_local, all_day, location };
}
