import { expect, failure, notTestable } from "./assert.js";
import { isItem, type Item } from "./item.js";
import { idOf, idsOf, list } from "./json.js";
import type { ContractName } from "./operations.js";
import { carries } from "./session.js";
import type { Answer, Params } from "./target.js";

const mostPages = 200;
/** Most pages in a row that show only calendars which were read before. */
const mostMoves = 20;
const mostWalks = 8;
const walksToMissIt = 4;

/** A calendar that was saved this long before the run is older than the run. */
const slackSeconds = 300;

/** Whether a list answer says that there is a next page. */
export function hasNext(body: unknown): boolean {
  const paging = isItem(body) ? body["paging"] : undefined;
  return isItem(paging) && typeof paging["next"] === "string" && paging["next"] !== "";
}

/** Which list to read: the operation, and the member of its answer that holds the items. */
export interface Listing {
  readonly operation: ContractName;
  readonly key: "calendars" | "events" | "subscribers";
}

/**
 * The items of a list over all its pages. A page that repeats another is a failure. The list goes on while `next` says so, and
 * while its count says that items are missing: what is wrong with `next` is for the checks of paging to find.
 */
export async function allPages(
  send: (operation: ContractName, params: Params) => Promise<Answer>,
  { operation, key }: Listing,
  params: Params = {},
): Promise<readonly Item[]> {
  const items = new Map<string, Item>();
  let repeats = 0;
  for (let page = 1; page <= mostPages; page++) {
    const { body } = await send(operation, page === 1 ? params : { ...params, page: String(page) });
    const found = list(body, key);
    repeats = found.length > 0 && idsOf(found).every((id) => items.has(id)) ? repeats + 1 : 0;
    // Other checks and other traffic move calendars to the next page while this reads on.
    expect(
      repeats <= (key === "calendars" ? mostMoves : 0),
      `${operation}: page ${page} repeats the pages before.`,
    );
    for (const item of found) items.set(idOf(item), item);
    if (found.length === 0 || (!hasNext(body) && items.size >= countOf(body))) return [...items.values()];
  }
  if (key === "events") throw failure(`${operation}: over ${mostPages} pages of what the run made.`);
  throw notTestable(`the list has over ${mostPages} pages`);
}

/** The count of all items in the response of a list; 0 when it has none. */
function countOf(body: unknown): number {
  const calendar = isItem(body) ? body["calendar"] : undefined;
  const count = isItem(calendar) ? (calendar["events_count"] ?? calendar["subscribers_count"]) : 0;
  return typeof count === "number" ? count : 0;
}

/** Sends "listCalendars" for one page. */
type SendPage = (params: Params) => Promise<Answer>;

/**
 * Returns the calendars with this name, most recently saved first. Other traffic may move an item to a page already read, so
 * two walks must agree; a calendar that none of several walks has seen does not exist.
 */
export async function calendarsNamed(
  send: SendPage,
  name: string,
  startedAt: number,
): Promise<readonly Item[]> {
  const seen = new Set<string>();
  let before: string | undefined;
  for (let walk = 1; ; walk++) {
    const { found, pages } = await walkCalendars(send, name, startedAt);
    const ids = found.map(idOf);
    for (const id of ids) seen.add(id);
    const isSure =
      seen.size === 0 ? walk >= walksToMissIt : ids.join() === before && ids.length === seen.size;
    if (pages === 1 || isSure || walk === mostWalks) return found;
    before = ids.join();
  }
}

/** The list begins with the last saved calendars, so those of this run come first. */
async function walkCalendars(send: SendPage, name: string, startedAt: number) {
  const found = new Map<string, Item>();
  for (let page = 1; ; page++) {
    const { body } = await send(page === 1 ? {} : { page: String(page) });
    const items = list(body, "calendars");
    for (const calendar of items) {
      const id = idOf(calendar);
      if (carries(calendar, name) && !found.has(id)) found.set(id, calendar);
    }
    const old = items.every(
      ({ date_modified: saved }) => typeof saved === "number" && saved < startedAt - slackSeconds,
    );
    if (old || !hasNext(body) || page === mostPages) return { found: [...found.values()], pages: page };
  }
}
