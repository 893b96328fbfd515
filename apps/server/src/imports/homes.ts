import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { initial } from "../db/columns.js";
import type { Template } from "../events/revisions.js";
import { extendSeconds } from "../series/plan.js";
import { printTemplate, readTemplate } from "../series/template.js";
import { textsChange } from "./compare.js";
import type { Texts } from "./read-event.js";
import type { Instance } from "./instances.js";
import { findSeriesOfUid } from "./queries.js";
import type { FileSeries } from "./series.js";

/** A series as it is stored, undefined when it is new, and as it is to be. */
export interface SeriesChange {
  readonly before: SeriesRow | undefined;
  readonly after: SeriesRow;
}

export type Place = Pick<EventRow, "series_id" | "series_place">;

interface HomeOptions {
  readonly calendar: { readonly id: number; readonly account_id: number };
  readonly now: number;
  readonly syncId: number | null;
  /** Returns the texts that the calendar has room for. */
  readonly fit: (texts: Texts) => Texts;
}

interface Home {
  readonly of: FileSeries;
  readonly id: number;
  readonly found: readonly SeriesRow[];
  isUsed: boolean;
  isGrown: boolean;
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

/** The series of the calendar that are those of a file. */
export class Homes {
  private readonly options: HomeOptions;
  private readonly homes = new Map<string, Home>();
  /** Series that make no more events, since the file has a single one. */
  readonly ended = new Set<number>();
  private readonly taken = new Set<number>();

  constructor(options: HomeOptions) {
    this.options = options;
  }

  /** Finds the series of events. `reserve` returns ids of new ones. */
  async find(
    reading: Pick<Transaction, "query" | "dialect">,
    instances: readonly Instance[],
    reserve: (count: number) => Promise<readonly number[]>,
  ): Promise<void> {
    const fresh = new Map<string, FileSeries>();
    for (const { member } of instances)
      if (member !== undefined && !this.homes.has(member.series.key))
        fresh.set(member.series.key, member.series);
    const calendarId = this.options.calendar.id;
    const all = await Promise.all(
      [...fresh.values()].map(async (of) => {
        const byUid = of.uids.map((uid) => findSeriesOfUid(reading, { calendarId, uid }));
        const rows = new Map((await Promise.all(byUid)).flat().map((row) => [row.id, row]));
        return { of, rows };
      }),
    );
    const homes = all.map(({ of, rows }) => {
      const found = [...rows.values()]
        .filter(({ id }) => !this.taken.has(id))
        .toSorted((a, b) => a.id - b.id);
      for (const { id } of found) this.taken.add(id);
      return { of, found };
    });
    const added = homes.filter(({ found }) => found.length === 0).length;
    const ids = added === 0 ? [] : [...(await reserve(added))];
    for (const { of, found } of homes) {
      const id = found[0]?.id ?? ids.shift() ?? 0;
      this.homes.set(of.key, { of, id, found, isUsed: false, isGrown: false });
    }
  }

  /** Returns the series of an event and its place there, which it takes. `isNew` unless the calendar has the event. */
  placeOf({ member }: Instance, isNew: boolean): Place | undefined {
    const home = member && this.homes.get(member.series.key);
    if (home === undefined) return undefined;
    home.isUsed = true;
    home.isGrown ||= isNew;
    return { series_id: home.id, series_place: member?.place ?? 0 };
  }

  /** Returns the place of an event that was a date of a series and is a single one now. */
  leave({ series_id }: EventRow): Place {
    this.ended.add(series_id);
    return { series_id: 0, series_place: 0 };
  }

  /** What becomes of the series. Events that the file says nothing of stay in theirs, which makes no more of them. */
  changes(): readonly SeriesChange[] {
    return [...this.homes.values()]
      .filter(({ isUsed }) => isUsed)
      .flatMap((home) => {
        const [before, ...others] = home.found;
        const ended = others
          .filter(({ next_at }) => next_at !== null)
          .map((row) => ({ before: row, after: { ...row, next_at: null } }));
        const after = this.rowOf(home, before);
        return after === undefined ? ended : [{ before, after }, ...ended];
      });
  }

  /** Undefined when the series is as the file has it. */
  private rowOf({ of, id, isGrown }: Home, before: SeriesRow | undefined): SeriesRow | undefined {
    const { calendar, now, syncId, fit } = this.options;
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
}
