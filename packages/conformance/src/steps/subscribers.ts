import { equal, expect, isFailure, notTestable, sameSet } from "../engine/assert.js";
import type { Item } from "../engine/item.js";
import { idOf, idsOf, list, member, number, only, text, withId } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { Params } from "../engine/target.js";

/** The list of subscribers, and its two variants (contract 4.9). */
export const variants = ["listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"] as const;

export type Variant = (typeof variants)[number];

/** The subscribers of the named calendar over all pages. */
export async function subscribers(
  kit: Kit,
  operation: Variant = "listSubscribers",
  params: Params = {},
): Promise<readonly Item[]> {
  return kit.all({ operation, key: "subscribers" }, { calendar_id: kit.followed, ...params });
}

/** The subscribers of the plain list. None may be listed only where the calendar says that it has none. */
export async function some(kit: Kit): Promise<readonly [Item, ...Item[]]> {
  const [first, ...more] = await subscribers(kit);
  if (first !== undefined) return [first, ...more];
  const { followers_total: total } = await followedCalendar(kit);
  equal(Number(total), 0, "followers_total of a calendar that lists no subscribers");
  for (const operation of ["listInactiveSubscribers", "listBlockedSubscribers"] as const)
    equal(await subscribers(kit, operation), [], `${operation} of a calendar that lists no subscribers`);
  throw notTestable("the calendar of --subscribers-calendar has no subscribers");
}

/** Everyone that any of the three lists names: whether the plain one has all is not stated. */
export async function everyone(kit: Kit): Promise<readonly Item[]> {
  const found = new Map<string, Item>();
  for (const operation of variants)
    for (const one of await subscribers(kit, operation)) found.set(idOf(one), one);
  return [...found.values()];
}

/** A variant lists those whose flag has this value, and only those. */
export async function lists(
  kit: Kit,
  operation: Variant,
  flag: "active" | "blocked",
  value: string,
): Promise<void> {
  const [all, found] = [await subscribers(kit), await subscribers(kit, operation)];
  expect(
    found.every((one) => String(one[flag]) === value),
    `${operation}: expected only those with ${flag} ${value}.`,
  );
  sameSet(idsOf(found), idsOf(all.filter((one) => String(one[flag]) === value)), operation);
  if (found.length === 0) throw notTestable(`the calendar has no subscriber with ${flag} ${value}`);
}

export async function details(kit: Kit, id: string): Promise<Item> {
  const { body } = await kit.ok("getSubscriber", { calendar_id: kit.followed, subscriber_id: id });
  return only(list(body, "subscribers"), "subscribers");
}

export async function count(kit: Kit, operation: Variant, params: Params = {}): Promise<number> {
  const { body } = await kit.ok(operation, { calendar_id: kit.followed, ...params });
  return number(member(body, "calendar"), "subscribers_count");
}

/** "06/15/2026 08:00:00" → the parameters of that month. */
export function monthOf(subscriber: Item): { readonly month: string; readonly year: string } {
  const [month = "", , year = ""] = (text(subscriber, "date").split(" ")[0] ?? "").split("/");
  return { month, year };
}

export const byId = (a: Item, b: Item): number => Number(idOf(a)) - Number(idOf(b));

const mostWalks = 4;

/** The calendar of `--subscribers-calendar`, as the list of calendars shows it; the run began with knowing that it exists. */
export async function followedCalendar(kit: Kit): Promise<Item> {
  for (let walk = 1; ; walk++) {
    try {
      return withId(
        await kit.all({ operation: "listCalendars", key: "calendars" }),
        kit.followed,
        "calendars",
      );
    } catch (error) {
      // Other traffic may move it to a page already read while this reads on.
      if (!isFailure(error) || walk === mostWalks) throw error;
    }
  }
}
