import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Transaction } from "../db/transaction.js";
import type { Template } from "../events/revisions.js";
import { extendSeconds } from "../events/series-plan.js";
import { printTemplate, readTemplate } from "../events/series-template.js";
import type { FormerKeys } from "./former-keys.js";
import type { Instance } from "./instances.js";
import { textsChange } from "./match.js";
import { findSeriesOfUids } from "./import-queries.js";
import type { Texts } from "./read-event.js";
import type { FileSeries } from "./import-series.js";

/** A series as it is stored, undefined when it is new, and as it is to be. */
export interface SeriesChange {
  readonly before: SeriesRow | undefined;
  readonly after: SeriesRow;
}

/** An event's series and its date there; zeros of an event of its own. */
export type Occurrence = Pick<EventRow, "series_id" | "series_place">;

/** A series of a file, and the series of the calendar that it is. */
interface StoredSeries {
  readonly of: FileSeries;
  /** Of the first one found, else a new one. */
  readonly id: number;
  readonly found: readonly SeriesRow[];
  isUsed: boolean;
  /** Whether it gets new events. */
  isGrown: boolean;
}

/** The series of a file, by their keys there. */
export type SeriesOfFile = Map<string, StoredSeries>;

/** Adds the series of some events of a file to those that were found. `reserve` returns ids of new ones. */
export async function findSeries(
  reading: Pick<Transaction, "query" | "dialect">,
  calendarId: number,
  all: SeriesOfFile,
  instances: readonly Instance[],
  renamed: FormerKeys,
  reserve: (count: number) => Promise<readonly number[]>,
): Promise<void> {
  const fresh = new Map<string, FileSeries>();
  for (const { member } of instances)
    if (member !== undefined && !all.has(member.series.key)) fresh.set(member.series.key, member.series);
  if (fresh.size === 0) return;
  const formerUids = new Map([...renamed].map(([{ uid }, former]) => [uid, former.uid]));
  const uidsOf = (of: FileSeries) => of.uids.flatMap((uid) => [uid, formerUids.get(uid) ?? uid]);
  const uids = [...fresh.values()].flatMap(uidsOf);
  const byUid = await findSeriesOfUids(reading, calendarId, uids);
  const taken = new Set([...all.values()].flatMap(({ found }) => found.map(({ id }) => id)));
  const stored = [...fresh.values()].map((of) => {
    const rows = new Map(
      uidsOf(of)
        .flatMap((uid) => byUid.get(uid) ?? [])
        .map((row) => [row.id, row]),
    );
    const found = [...rows.values()].filter(({ id }) => !taken.has(id)).toSorted((a, b) => a.id - b.id);
    for (const { id } of found) taken.add(id);
    return { of, found };
  });
  const added = stored.filter(({ found }) => found.length === 0).length;
  const ids = added === 0 ? [] : [...(await reserve(added))];
  for (const { of, found } of stored)
    all.set(of.key, { of, id: found[0]?.id ?? ids.shift() ?? 0, found, isUsed: false, isGrown: false });
}

/** Returns which date of which series an event of the file becomes; undefined for an event of its own. `isNew` unless the calendar has it. */
export function occurrenceOf(
  all: SeriesOfFile,
  { member }: Instance,
  isNew: boolean,
): Occurrence | undefined {
  const series = member && all.get(member.series.key);
  if (series === undefined) return undefined;
  series.isUsed = true;
  series.isGrown ||= isNew;
  return { series_id: series.id, series_place: member?.place ?? 0 };
}

interface ChangeOptions {
  readonly calendar: { readonly id: number; readonly account_id: number };
  readonly now: number;
  readonly syncId: number | null;
  /** Returns the texts that the calendar has room for. */
  readonly fit: (texts: Texts) => Texts;
}

/** Returns what becomes of the series. Events that the file does not have stay in theirs, which makes no more of them. */
export function seriesChanges(all: SeriesOfFile, options: ChangeOptions): readonly SeriesChange[] {
  return [...all.values()]
    .filter(({ isUsed }) => isUsed)
    .flatMap((series) => {
      const [before, ...others] = series.found;
      const ended = others
        .filter(({ next_at }) => next_at !== null)
        .map((row) => ({ before: row, after: { ...row, next_at: null } }));
      const after = changedRow(series, before, options);
      return after === undefined ? ended : [{ before, after }, ...ended];
    });
}

const noTexts: Template = {
  title: "",
  description: "",
  location: "",
  organizer: "",
  organizer_email: "",
  color_id: "",
  reminder: "",
  ...initial,
};

/** Returns the row of a series after the import; undefined when it is as the file has it. */
function changedRow(
  { of, id, isGrown }: StoredSeries,
  before: SeriesRow | undefined,
  { calendar, now, syncId, fit }: ChangeOptions,
): SeriesRow | undefined {
  const { key: _key, uids: _uids, isEndless, texts, ...rule } = of;
  const template = before === undefined ? noTexts : readTemplate(before);
  // A sync brings the next events by itself.
  const isExtended = isEndless && syncId === null;
  const after: SeriesRow = {
    ...(before ?? {
      id,
      account_id: calendar.account_id,
      calendar_id: calendar.id,
      created_at: now,
    }),
    ...rule,
    template: printTemplate({ ...template, ...textsChange(template, fit(texts)) }),
    made_until: Math.max(before?.made_until ?? of.made_until, of.made_until),
    next_at: isExtended ? (before?.next_at ?? now + extendSeconds) : null,
  };
  if (before === undefined || isGrown) return after;
  const { made_until } = before;
  return JSON.stringify({ ...after, made_until }) === JSON.stringify(before) ? undefined : after;
}
