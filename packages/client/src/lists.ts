import { success, type Call, type Success } from "./calls.js";
import { refuseUnknown } from "./options.js";

/** One page of a list. */
export interface CalendarPage<Item> {
  /** Number of the page, from 1. */
  readonly page: number;
  /** The items of the page. */
  readonly items: readonly Item[];
  /** How many items match, over all pages; undefined where the contract has no such count. */
  readonly total: number | undefined;
}

/** How much of a list {@link CalendarPages.toArray} reads. */
export interface ToArrayOptions {
  /** The most items to return; all when not given. No page is requested after them. */
  readonly limit?: number | undefined;
}

/**
 * A list over all its pages. Nothing is sent before it is read, and each iteration starts at the first page.
 * Reading rejects with a `CalendarApiError`.
 */
export interface CalendarPages<Item> extends AsyncIterable<Item> {
  /** Returns the list page by page. */
  pages(): AsyncIterable<CalendarPage<Item>>;
  /** Reads the list into an array. Nothing is read where `limit` is not above 0. */
  toArray(options?: ToArrayOptions): Promise<Item[]>;
}

/** The body of a page. */
interface PageBody extends Success {
  readonly paging?: { readonly next: string };
  readonly calendar?: { readonly events_count?: number; readonly subscribers_count?: number };
}

/** What the query of any list may name. */
interface PagedQuery {
  readonly page?: string | number;
}

/**
 * @param params the query of the list
 * @param key what the body calls its items
 * @param load fetches the page that a query names
 */
export function pagesOf<Params extends PagedQuery, Key extends string, Item>(
  { page: first, ...filter }: Params,
  key: Key,
  load: (
    query: Omit<Params, "page"> & { readonly page?: string },
  ) => Call<PageBody & { readonly [K in Key]: readonly Item[] }>,
): CalendarPages<Item> {
  async function* pages(): AsyncGenerator<CalendarPage<Item>, void> {
    for (let next = first; ;) {
      const query = next === undefined ? filter : { ...filter, page: `${next}` };
      const { [key]: items, calendar, paging } = await success(load(query), key, "list");
      const page = Number(next ?? 1);
      yield { page, items, total: calendar?.events_count ?? calendar?.subscribers_count };
      // Only the number is taken out of the URL (contract 2.2): its host may be another, and would get the token.
      next = Number(/[?&]page=(\d+)/.exec(`${paging?.next}`)?.[1]);
      // A page that does not grow, or an empty one, would make the list endless.
      if (!(next > page && items.length > 0)) return;
    }
  }
  async function* items(): AsyncGenerator<Item, void> {
    for await (const page of pages()) yield* page.items;
  }
  async function toArray({ limit = Infinity, ...rest }: ToArrayOptions = {}): Promise<Item[]> {
    refuseUnknown(rest);
    const found: Item[] = [];
    if (limit > 0) for await (const item of items()) if (found.push(item) >= limit) break;
    return found;
  }
  return { [Symbol.asyncIterator]: items, pages, toArray };
}
