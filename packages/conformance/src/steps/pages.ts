import { expect, isFailure, notTestable, show, urlOf } from "../engine/assert.js";
import type { ClauseId } from "../clauses.js";
import { alone, type Define, type Defined, followers, type Needs } from "../engine/check.js";
import { isItem } from "../engine/item.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";
import type { Listing } from "../engine/lists.js";
import type { Answer, Params } from "../engine/target.js";
import { followedCalendar, variants } from "./subscribers.js";
import { utc } from "./times.js";

const mostEvents = 450;
const mostCalendars = 220;
const [firstBatch, batch] = [8, 25];
/** Servers with pages up to this size are judged by three pages, others by two: each event costs a write. */
const smallPage = 40;

/** A list, with the parameters that select it. */
export interface Source extends Listing {
  readonly params: Params;
}

export interface Page {
  readonly ids: readonly string[];
  readonly previous: unknown;
  readonly next: unknown;
  /** Count of all items, where the list reports it. */
  readonly count: unknown;
}

function pageOf({ body }: Answer, { key }: Listing): Page {
  const { previous, next } = member(body, "paging");
  const calendar = isItem(body) && isItem(body["calendar"]) ? body["calendar"] : {};
  return {
    ids: idsOf(list(body, key)),
    previous,
    next,
    count: calendar["events_count"] ?? calendar["subscribers_count"],
  };
}

export async function page(kit: Kit, source: Source, params: Params = {}): Promise<Page> {
  return pageOf(await kit.ok(source.operation, { ...source.params, ...params }), source);
}

/** Opens `next` or `previous` by its query: its host may be one that only the public can reach. */
export async function follow(kit: Kit, source: Listing, url: unknown, what: string): Promise<Page> {
  const { search, searchParams } = urlOf(url, what, kit.session.target.baseUrl);
  const as = searchParams.has("token") ? "none" : "first";
  return pageOf(await kit.ok(source.operation, {}, { as, rawQuery: search.slice(1) }), source);
}

/** The ids of a list over all pages, reached by `next`. A page that repeats another is a failure. */
export async function walk(kit: Kit, source: Source, params: Params = {}): Promise<readonly string[]> {
  let here = await page(kit, source, params);
  const found = [...here.ids];
  while (here.next !== "" && here.ids.length > 0) {
    here = await follow(kit, source, here.next, "next");
    const isNew = here.ids.length === 0 || here.ids.some((id) => !found.includes(id));
    expect(isNew, `${source.operation}: next leads to a page that was read before.`);
    found.push(...here.ids);
  }
  return found;
}

/** Starts in February, in April, and all others in March, so that a month has several pages and is not all. */
function startOf(number: number): string {
  const month = number < 2 ? "02" : number < 4 ? "04" : "03";
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${month}/${twoDigits(1 + ((number * 5) % 28))}/2026 ${twoDigits((number * 7) % 24)}:00`;
}

export const march = { month: "03", year: "2026" };

/** A calendar with two or more pages of events, and of events in March; the last page of neither is full. */
export const severalPages = fixture(async (kit) => {
  const calendar_id = idOf(await kit.calendar({ timezone: utc }));
  const source = { operation: "listEvents", key: "events", params: { calendar_id } } as const;
  const [before, inMarch, after]: [string[], string[], string[]] = [[], [], []];
  const made = (): readonly string[] => [...before, ...inMarch, ...after];
  const add = async (count: number): Promise<void> => {
    const numbers = Array.from({ length: count }, (_, index) => made().length + index);
    const make = (number: number) =>
      kit.event(calendar_id, { start_date: startOf(number), title: `event ${number}` });
    const events = await Promise.all(numbers.map(make));
    for (const [index, event] of events.entries()) {
      const number = numbers[index] ?? 0;
      (number < 2 ? before : number < 4 ? after : inMarch).push(idOf(event));
    }
  };
  await add(firstBatch);
  let size = (await page(kit, source)).ids.length;
  // All that was made is on the page: only then may there be no second one.
  while (size >= made().length) {
    if (size + batch > mostEvents) throw notTestable(`a page holds ${size} events or more`);
    await add(batch);
    size = (await page(kit, source)).ids.length;
  }
  expect(size > 0, `events: the run made ${made().length}, and the list has none.`);
  const wanted = size * (size <= smallPage ? 2 : 1) + 5;
  while (made().length < wanted) await add(Math.min(batch, wanted - made().length));
  const isFull = (ids: readonly string[]): boolean => size > 2 && ids.length % size === 0;
  while (isFull(made()) || isFull(inMarch)) await add(1);
  const ascending = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b));
  const ids = ascending(made());
  return {
    source,
    calendar: calendar_id,
    size,
    ids,
    inMarch: ascending(inMarch),
    fromMarch: ascending([...inMarch, ...after]),
    lastPage: Math.ceil(ids.length / size),
  };
});

/** More calendars than a page holds, the last saved of the account. */
export const severalCalendars = fixture(async (kit) => {
  const name = kit.name();
  const source = { operation: "listCalendars", key: "calendars", params: {} } as const;
  const ids: string[] = [];
  for (let count = 4; ; count = batch) {
    const more = Array.from({ length: count }, (_, index) => kit.calendar({ title: `${name} ${index}` }));
    for (const calendar of await Promise.all(more)) ids.push(idOf(calendar));
    const first = await page(kit, source);
    if (ids.some((id) => !first.ids.includes(id))) return { source, name, ids };
    if (ids.length + batch > mostCalendars) throw notTestable(`a page holds ${ids.length} calendars or more`);
  }
});

/** The lists of subscribers that have more than one page, by anything that the server says of them. */
export async function severalSubscribers(kit: Kit): Promise<readonly Source[]> {
  const { followers_total: total } = await followedCalendar(kit);
  const sources: Source[] = [];
  for (const operation of variants) {
    const source = { operation, key: "subscribers", params: { calendar_id: kit.followed } } as const;
    const { ids, next, count } = await page(kit, source);
    const second = await kit.call(operation, { ...source.params, page: "2" }); // may be refused past the end
    const counted = operation === "listSubscribers" ? Math.max(Number(count), Number(total)) : Number(count);
    const isSeveral =
      next !== "" ||
      counted > ids.length ||
      (second.status === 200 && pageOf(second, source).ids.some((id) => !ids.includes(id)));
    if (ids.length > 0 && isSeveral) sources.push(source);
  }
  if (sources.length === 0) throw notTestable("each list of subscribers is on one page");
  return sources;
}

/** The URL has the path and all parameters of the request, once each. */
export function repeats(
  kit: Kit,
  url: unknown,
  sent: Params,
  { what, number }: { readonly what: string; readonly number: number },
): void {
  const { searchParams } = urlOf(url, what, kit.session.target.baseUrl);
  const wanted = { ...sent, token: kit.session.target.token, page: String(number) };
  for (const [name, value] of Object.entries(wanted)) {
    const isSame = searchParams.getAll(name).join("\n") === value;
    const got = name === "token" ? "another value, or none" : show(searchParams.getAll(name));
    expect(isSame, `${what}: expected ${name} once, as it was sent, got ${got}.`);
  }
}

/** Lists that are judged alike. */
interface Lists {
  /** Between "paging." and the rest of the id. */
  readonly name: string;
  readonly words: string;
  readonly sources: (kit: Kit) => Promise<readonly Source[]>;
  readonly needs: Needs;
  /** Parameters that select all of several pages. */
  readonly query: Params;
}

const lists: readonly Lists[] = [
  {
    name: "",
    words: "events",
    sources: async (kit) => [(await severalPages(kit)).source],
    needs: {},
    query: { order_by: "id-asc", ...march },
  },
  // The list of calendars changes with every check: these run when all others have ended.
  {
    name: "calendars.",
    words: "calendars",
    sources: async (kit) => [(await severalCalendars(kit)).source],
    needs: alone,
    query: {},
  },
  {
    name: "subscribers.",
    words: "subscribers",
    sources: severalSubscribers,
    needs: followers,
    query: { order_by: "id-asc" },
  },
];

type Judge = (kit: Kit, source: Source, query: Params) => Promise<void>;

/** The end of the id, the clause, the guarantee with * for what is listed, and what it does with a list. */
export type ListRow = readonly [id: string, clause: ClauseId, title: string, judge: Judge];

/** A check of each row for each list that has several pages. */
export function ofEachList(define: Define, rows: readonly ListRow[]): readonly Defined[] {
  return lists.flatMap(({ name, words, sources, needs, query }) =>
    rows.map(([id, clause, title, judge]) =>
      define(`paging.${name}${id}`, clause, title.replace("*", words), needs, async (kit) => {
        for (const source of await sources(kit)) await steadily(source, () => judge(kit, source, query));
      }),
    ),
  );
}

/** How often a finding on the list of calendars must come again before it counts. */
const mostTries = 5;

/** Judges a list. That of calendars changes under the hands of other runs and people: each new one moves all others on. */
async function steadily({ operation }: Source, judge: () => Promise<void>): Promise<void> {
  for (let left = operation === "listCalendars" ? mostTries : 1; ; left--) {
    try {
      return await judge();
    } catch (error) {
      if (left === 1 || !isFailure(error)) throw error;
    }
  }
}
