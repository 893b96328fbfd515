import { isFailure, notTestable } from "../engine/assert.js";
import { idOf, type Item, list, member, number, only, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";

export const needs = { writes: false, subscribers: true };

export type ListOperation = "listSubscribers" | "listInactiveSubscribers" | "listBlockedSubscribers";

/** The subscribers of the named calendar over all pages. */
export async function subscribers(
  kit: Kit,
  operation: ListOperation = "listSubscribers",
  params: Readonly<Record<string, string>> = {},
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let page = 1; page <= 50; page++) {
    const { body } = await kit.ok(operation, {
      calendar_id: kit.followed,
      ...params,
      ...(page === 1 ? {} : { page: String(page) }),
    });
    found.push(...list(body, "subscribers"));
    if (member(body, "paging")["next"] === "") return found;
  }
  throw notTestable("the calendar has over 50 pages of subscribers");
}

export async function some(kit: Kit): Promise<readonly [Item, ...Item[]]> {
  const [first, ...more] = await subscribers(kit);
  if (first === undefined) throw notTestable("the calendar of --subscribers-calendar has no subscribers");
  return [first, ...more];
}

export async function details(kit: Kit, id: string): Promise<Item> {
  return only(
    list(
      (await kit.ok("getSubscriber", { calendar_id: kit.followed, subscriber_id: id })).body,
      "subscribers",
    ),
    "subscribers",
  );
}

export async function count(
  kit: Kit,
  operation: ListOperation,
  params: Readonly<Record<string, string>> = {},
): Promise<number> {
  return number(
    member((await kit.ok(operation, { calendar_id: kit.followed, ...params })).body, "calendar"),
    "subscribers_count",
  );
}

/** "06/15/2026 08:00:00" → ["06", "2026"]. */
export function monthOf(subscriber: Item): readonly [string, string] {
  const [month = "", , year = ""] = (text(subscriber, "date").split(" ")[0] ?? "").split("/");
  return [month, year];
}

export const byId = (a: Item, b: Item): number => Number(idOf(a)) - Number(idOf(b));

const mostTurns = 3;
const mostWalks = 4;

/** For checks that compare several readings: on a live server people follow and leave between two of them, so that a finding
 * counts only when it is there each time. */
export const steady =
  (compare: (kit: Kit) => Promise<void>) =>
  async (kit: Kit): Promise<void> => {
    for (let turn = 1; ; turn++) {
      try {
        return await compare(kit);
      } catch (error) {
        if (!isFailure(error) || turn === mostTurns) throw error;
      }
    }
  };

/** The calendar of `--subscribers-calendar`, as the list of calendars shows it. */
export async function followedCalendar(kit: Kit): Promise<Item> {
  // Other traffic may move it to a page already read while this reads on.
  for (let walk = 1; walk <= mostWalks; walk++)
    for (let page = 1; page <= 50; page++) {
      const { body } = await kit.ok("listCalendars", page === 1 ? {} : { page: String(page) });
      const found = list(body, "calendars").find((one) => idOf(one) === kit.followed);
      if (found !== undefined) return found;
      if (member(body, "paging")["next"] === "") break;
    }
  throw notTestable("the calendar of --subscribers-calendar is not in the list of calendars");
}
