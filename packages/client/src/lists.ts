import { success, type Call, type Success } from "./calls.js";

/** One page of a list. */
export interface CalendarPage<Item> {
  /** Number of the page, from 1. */
  readonly page: number;
  /** What is on it. */
  readonly items: readonly Item[];
  /** How many items match, over all pages; undefined where the contract has no such count. */
  readonly total: number | undefined;
}

/**
 * A list over all its pages. Nothing is sent before it is read, and each reading starts anew.
 * Reading rejects with a `CalendarApiError`.
 */
export interface CalendarPages<Item> extends AsyncIterable<Item> {
  /** The list page by page. */
  pages(): AsyncIterable<CalendarPage<Item>>;
}

/** The body of a page. */
interface PageBody extends Success {
  readonly paging?: { readonly next: string };
  readonly calendar?: { readonly events_count?: number; readonly subscribers_count?: number };
}

/**
 * @param key what the body calls its items
 * @param load fetches the page that its parameters name
 */
export function pagesOf<Params extends { readonly page?: string }, Key extends string, Item>(
  params: Params,
  key: Key,
  load: (params: Params) => Call<PageBody & { readonly [K in Key]: readonly Item[] }>,
): CalendarPages<Item> {
  async function* pages(): AsyncGenerator<CalendarPage<Item>, void> {
    for (let query = params; ;) {
      const { [key]: items, calendar, paging } = await success(load(query), key, "list");
      const page = Number(query.page ?? 1);
      yield { page, items, total: calendar?.events_count ?? calendar?.subscribers_count };
      // Only the number is taken out of the URL (service.md 2.2): its host may be another, and would get the token.
      const following = /[?&]page=(\d+)/.exec(paging?.next ?? "")?.[1] ?? "";
      // A page that does not grow, or an empty one, would make the list endless.
      if (Number(following) <= page || items.length === 0) return;
      query = { ...query, page: following };
    }
  }
  async function* items(): AsyncGenerator<Item, void> {
    for await (const page of pages()) yield* page.items;
  }
  return { [Symbol.asyncIterator]: items, pages };
}
