/** One page of a list: which rows, and how its neighbours are addressed. */
export interface Page {
  /** From 1. */
  readonly number: number;
  /** Items on a page. */
  readonly size: number;
  /** Full URL of this list with another page number (contract 2.2). */
  readonly url: (number: number) => string;
}

/** Orders of lists (rulings R3.4): by a time or by id, up or down. */
export type Order = `${"date" | "id"}-${"asc" | "desc"}`;

/** SQL of an order, with the column of the time; where times are equal the ids decide. `backwards` is the same list from its end. */
export function orderSql(order: Order, time: string, backwards = false, id = "id"): string {
  const direction = order.endsWith("-asc") === backwards ? "desc" : "asc";
  return order.startsWith("date") ? `${time} ${direction}, ${id} ${direction}` : `${id} ${direction}`;
}

export interface Rows {
  readonly limit: number;
  readonly offset: number;
}

/** Rows to read for a page: one more than it shows, which shows whether a next page exists. */
export function rowsOf(page: Page): Rows {
  return { limit: page.size + 1, offset: offsetOf(page) };
}

/** How many rows come before the page. */
export function offsetOf({ number, size }: Page): number {
  return Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER);
}

export interface Neighbours {
  readonly previous: string;
  readonly next: string;
}

/** The neighbours of a page of a list whose length is known. */
export function pagingOf(page: Page, total: number): Neighbours {
  return pageUrls(page, offsetOf(page) + page.size < total);
}

export function pageUrls(page: Page, hasMore: boolean): Neighbours {
  return {
    previous: page.number > 1 ? page.url(page.number - 1) : "",
    next: hasMore ? page.url(page.number + 1) : "",
  };
}

/** The items of the page and its neighbours, from rows read as `rowsOf` says. */
export function pageOf<Row>(
  page: Page,
  rows: readonly Row[],
): { readonly items: readonly Row[]; readonly paging: Neighbours } {
  return { items: rows.slice(0, page.size), paging: pageUrls(page, rows.length > page.size) };
}
