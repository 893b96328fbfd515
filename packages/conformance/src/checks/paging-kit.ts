import { notTestable, urlOf } from "../engine/assert.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";

export const mostEvents = 450;
export const mostCalendars = 220;
export const batch = 25;
/** Servers with pages up to this size are judged by three pages, others by two: each event costs a write. */
const smallPage = 40;

export interface Page {
  readonly body: unknown;
  readonly ids: readonly string[];
  readonly previous: unknown;
  readonly next: unknown;
}

export async function page(kit: Kit, params: Readonly<Record<string, string>>): Promise<Page> {
  const { body } = await kit.ok("listEvents", params);
  const paging = member(body, "paging");
  return { body, ids: idsOf(list(body, "events")), previous: paging["previous"], next: paging["next"] };
}

/** A calendar with two or more pages of events, the last one not full; starts alternate, so that orders differ. */
export const severalPages = fixture(async (kit) => {
  const calendar = idOf(await kit.calendar());
  const ids: string[] = [];
  const add = async (count: number): Promise<void> => {
    const made = Array.from({ length: count }, (_, index) =>
      kit.event(calendar, { start_date: `0${1 + (index % 9)}/15/2026 10:00`, title: `event ${index}` }),
    );
    for (const event of await Promise.all(made)) ids.push(idOf(event));
  };
  for (;;) {
    await add(batch);
    const { ids: first, next } = await page(kit, { calendar_id: calendar });
    const wanted = first.length + 1 + (first.length <= smallPage ? first.length : 0);
    if (typeof next !== "string" || next === "" || first.length === 0) {
      if (ids.length + batch > mostEvents) throw notTestable(`a page holds over ${ids.length} events`);
      continue;
    }
    if (wanted > mostEvents) throw notTestable(`a page holds ${first.length} events`);
    while (ids.length < wanted) await add(Math.min(batch, wanted - ids.length));
    const size = first.length;
    const full = Math.ceil(ids.length / size) * size === ids.length;
    if (full && size > 1) await add(1);
    return {
      calendar,
      size,
      lastPage: Math.ceil(ids.length / size),
      ids: ids
        .map(Number)
        .sort((a, b) => a - b)
        .map(String),
    };
  }
});

/** Follows `next` to the end, by its query only: its host may be one that only the public can reach. */
export async function walk(kit: Kit, params: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { calendar, ids } = await severalPages(kit);
  const found: string[] = [];
  let query: Readonly<Record<string, string>> = { calendar_id: calendar, ...params };
  for (let pages = 0; pages <= ids.length; pages++) {
    const { ids: here, next } = await page(kit, query);
    found.push(...here);
    if (typeof next !== "string" || next === "" || here.length === 0) return found;
    const { token: _same, ...rest } = Object.fromEntries(
      urlOf(next, "next", kit.session.target.baseUrl).searchParams,
    );
    query = rest;
  }
  return found;
}

export const numeric = (a: string, b: string): number => Number(a) - Number(b);
