import type { Params } from "@kalends/spec";
import { findCalendar, type ListedCalendar } from "../calendars/queries.js";
import type { LookupDatabase } from "../db/database.js";
import type { Page } from "../db/paging.js";
import { parseMoment } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
import { invalid, type InvalidParameter } from "./fields.js";
import type { FindIn, FindOptions } from "./find-queries.js";
import { listOptions } from "./list-options.js";
import type { Moment } from "./part-queries.js";
import { wordsOf } from "./search.js";

// What `events/list/` of the extensions looks for (extensions X8.1).

/** The calendars of a list; none when one of them does not exist for this account. */
export async function findListed(
  db: LookupDatabase,
  accountId: number,
  { calendar_id, calendar_ids }: Params<"eventsList">,
): Promise<readonly ListedCalendar[]> {
  const ids = new Set([calendar_id, ...(calendar_ids?.split(",") ?? [])]);
  const found = await Promise.all([...ids].map((id) => findCalendar(db, accountId, Number(id))));
  const calendars = found.filter((calendar) => calendar !== undefined);
  return calendars.length < found.length ? [] : calendars;
}

/** Where a list looks: the calendars by their time zones, since `from` and `to` may be on the wall clock of each. */
export function rangesOf(
  { from, to }: Params<"eventsList">,
  zones: ReadonlyMap<number, string>,
  error: InvalidParameter,
): readonly FindIn[] {
  const hasRange = from !== undefined || to !== undefined;
  const groups = new Map<string, number[]>();
  for (const [id, timezone] of zones) {
    const zone = hasRange ? timezone : "UTC";
    groups.set(zone, [...(groups.get(zone) ?? []), id]);
  }
  return [...groups].map(([zone, calendarIds]) => {
    const range = { from: momentOf(from, zone), to: momentOf(to, zone) };
    if (range.from !== undefined && range.to !== undefined && range.to.at <= range.from.at)
      throw invalid("to", "must be after from", "too_early", error);
    return { calendarIds, ...range };
  });
}

function momentOf(text: string | undefined, zone: string): Moment | undefined {
  const moment = text === undefined ? undefined : parseMoment(text);
  if (moment === undefined) return undefined;
  if ("unix" in moment) return { at: moment.unix, local: toLocal(moment.unix, zone) };
  return { at: toUnix(moment.local, zone), local: moment.local };
}

/** What a list looks for in each calendar. `zone` is that of the first one, for `upcoming`. */
export function findOptions(
  params: Params<"eventsList">,
  zone: string,
  now: number,
  page: Page,
): FindOptions {
  const {
    custom_data_key: name,
    custom_data_value: value,
    q,
    status,
    category,
    series_id,
    published,
  } = params;
  return {
    ...listOptions(params, zone, now, page),
    has: name === undefined ? undefined : { name, value },
    words: q === undefined ? undefined : wordsOf(q),
    status,
    category,
    isDraft: published === "false",
    seriesId: series_id === undefined ? undefined : Number(series_id),
  };
}
