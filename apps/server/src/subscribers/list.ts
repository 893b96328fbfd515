import type { Db, Reader } from "../db/connect.js";
import { formatDateTime } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import { listSubscribers } from "./queries.js";

/*
 * A page of a list as one text: the database prints the items, and here only their dates are put in, which are in the
 * calendar's time zone. Measured: a page of 100 takes two thirds of the CPU time that reading and printing rows takes.
 */

/** SQL of the fields of an item (service.md 2.5), which serialize.ts makes of a row; the date is a time in Unix seconds yet. */
const fields = {
  id: "cast(id as text)",
  name: "name",
  email: "email",
  ip: "ip",
  postal: "coalesce(postal, 'null')",
  city: "coalesce(city, 'null')",
  state: "coalesce(state, 'null')",
  country: "coalesce(country, 'ZZ')",
  date: "subscribed_at",
  unixtime_stamp: "subscribed_at",
  calendar_type: "calendar_type",
  active: "case when active = 1 then 'true' else 'false' end",
  blocked: "case when blocked = 1 then 'true' else 'false' end",
};

type Wanted = Parameters<typeof listSubscribers>[2];

/** A page's items as JSON, joined with commas, and whether more follow. `zone` is the calendar's. */
export async function readSubscriberPage(
  on: Reader,
  { id, timezone }: { readonly id: number; readonly timezone: string },
  wanted: Wanted,
): Promise<{ readonly items: Buffer; readonly hasMore: boolean }> {
  const { between = [], limit, offset } = wanted;
  const values = [id, ...between, limit + 1, ...(offset > 0 ? [offset] : [])]; // Knex leaves "offset 0" out
  const [row] = await on.ask<{ readonly items: Buffer | string | null }>(
    pageSql(on, id, { ...wanted, limit: limit + 1 }, values),
    values,
  );
  const { items, hasMore } = withDates(row?.items?.toString() ?? "", timezone, limit);
  return { items: Buffer.from(items), hasMore };
}

/** In a text of somebody's a quote is escaped, so that it is taken for neither of these. */
const unprintedDate = /"date":(-?\d+)/g;
const itemStart = ',{"id"';

/** Puts in the dates of the first `most` items, and leaves the others out. */
function withDates(
  text: string,
  zone: string,
  most: number,
): { readonly items: string; readonly hasMore: boolean } {
  let items = "";
  let from = 0;
  let found = 0;
  for (const { 0: field, 1: seconds, index } of text.matchAll(unprintedDate)) {
    if (found === most)
      return { items: items + text.slice(from, text.lastIndexOf(itemStart, index)), hasMore: true };
    items += `${text.slice(from, index)}"date":"${formatDateTime(toLocal(Number(seconds), zone))}"`;
    from = index + field.length;
    found++;
  }
  return { items: items + text.slice(from), hasMore: false };
}

/** The text of each shape of page, since Knex takes as long to make one as SQLite to read the page. */
const pageTexts = new WeakMap<Db, Map<string, string>>();

function pageSql(on: Reader, calendarId: number, wanted: Wanted, values: readonly number[]): string {
  const texts = pageTexts.get(on.read) ?? new Map<string, string>();
  pageTexts.set(on.read, texts);
  const shape = `${wanted.order} ${wanted.only} ${values.length} ${wanted.between === undefined}`;
  const known = texts.get(shape);
  if (known !== undefined) return known;
  const { sql, bindings } = listSubscribers(on.read, calendarId, wanted).select("*").toSQL();
  if (bindings.map(Number).join(",") !== values.join(","))
    throw new Error(`other values than expected: ${sql}`);
  const text = `select ${on.joined(on.jsonObject(fields))} as items from (${sql}) as page`;
  texts.set(shape, text);
  return text;
}
