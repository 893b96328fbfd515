import type { Knex } from "knex";

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
  /** Full URL of this list with another page number (contract 2.2). */
  readonly url: (number: number) => string;
}

/** Orders of lists (rulings R3.4): by a time or by id, up or down. */
export type Order = `${"date" | "id"}-${"asc" | "desc"}`;

/** Returns SQL of an order by the column `time`, then by id. `backwards` reverses the list. */
export function orderSql(order: Order, time: string, backwards = false, id = "id"): string {
  const direction = order.endsWith("-asc") === backwards ? "desc" : "asc";
  return order.startsWith("date") ? `${time} ${direction}, ${id} ${direction}` : `${id} ${direction}`;
}

export interface Rows {
  readonly limit: number;
  readonly offset: number;
}

/** Rows to read for a page: one more than it shows, which tells whether a next page exists. */
export function rowsOf(page: Page): Rows {
  return { limit: page.size + 1, offset: offsetOf(page) };
}

export function offsetOf({ number, size }: Page): number {
  return Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER);
}

export interface Neighbours {
  readonly previous: string;
  readonly next: string;
}

/** Returns the neighbours of a page of a list of known length. */
export function pagingOf(page: Page, total: number): Neighbours {
  return pageUrls(page, offsetOf(page) + page.size < total);
}

export function pageUrls(page: Page, hasMore: boolean): Neighbours {
  return {
    previous: page.number > 1 ? page.url(page.number - 1) : "",
    next: hasMore ? page.url(page.number + 1) : "",
  };
}

/** Returns the items of a page and its neighbours from the rows of `rowsOf`. */
export function pageOf<Row>(
  page: Page,
  rows: readonly Row[],
): { readonly items: readonly Row[]; readonly paging: Neighbours } {
  return { items: rows.slice(0, page.size), paging: pageUrls(page, rows.length > page.size) };
}

export async function countRows(rows: Knex.QueryBuilder): Promise<number> {
  const [row]: readonly { readonly total: number | string }[] = await rows.count({ total: "*" });
  return Number(row?.total ?? 0);
}
