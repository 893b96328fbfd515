import { equal, expect, notTestable, sameSet, urlOf } from "../engine/assert.js";
import { alone, followers, observed, reads, recommended, required } from "../engine/check.js";
import { idsOf, list, member } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { hasNext } from "../engine/lists.js";
import { operations } from "../engine/operations.js";
import type { Params } from "../engine/target.js";
import { outcome } from "../steps/observations.js";
import {
  follow,
  march,
  page,
  repeats,
  severalCalendars,
  severalPages,
  severalSubscribers,
  type Source,
  walk,
  type ListRow,
  ofEachList,
  type Page,
} from "../steps/pages.js";

const isUrl = (url: unknown, what: string, { operation }: Source): void => {
  const { protocol, pathname } = urlOf(url, what);
  const isSame = pathname.replace(/\/$/, "").endsWith(operations[operation].path.replace(/\/$/, ""));
  expect(/^https?:$/.test(protocol) && isSame, `${what}: expected a full URL of ${operations[operation].path}, got ${pathname}.`);
};

/** What holds for each list with several pages; * stands for what it lists. */
const rows: readonly ListRow[] = [
  [
    "next.full-url",
    "2.2 next",
    "next of * is a full URL of the same path",
    async (kit, source) => isUrl((await page(kit, source)).next, "next", source),
  ],
  [
    "next.repeats-the-query",
    "2.2 next",
    "next of * repeats every parameter of the request, the token too",
    async (kit, source, query) => {
      repeats(kit, (await page(kit, source, query)).next, { ...source.params, ...query }, { what: "next", number: 2 });
    },
  ],
  [
    "next.repeats-unknown-parameters",
    "2.2 next",
    "next of * repeats parameters that the list does not know",
    async (kit, source) => {
      const other = { x_unknown: "a b&c=d" };
      const { status } = await kit.call(source.operation, { ...source.params, ...other });
      if (status >= 400 && status < 500) throw notTestable("the server refuses unknown parameters");
      repeats(kit, (await page(kit, source, other)).next, { ...source.params, ...other }, { what: "next", number: 2 });
    },
  ],
  [
    "next.one-page-number",
    "2.2 next",
    "next of * carries one page number, the next one",
    async (kit, source) => {
      for (const number of [undefined, "1", "2"]) {
        const { next } = await page(kit, source, { page: number });
        const wanted = String(Number(number ?? "1") + 1);
        if (number !== "2" || next !== "") equal(urlOf(next, "next").searchParams.getAll("page"), [wanted], "page numbers in next");
      }
    },
  ],
  [
    "next.leads-on",
    "2.2 next",
    "next of * leads to page 2, with other items than page 1",
    async (kit, source) => {
      const first = await page(kit, source);
      const second = await follow(kit, source, first.next, "next");
      isOther(source, second, first, "next");
      sameItems(source, second, await page(kit, source, { page: "2" }), "items that next leads to");
    },
  ],
  [
    "previous.first-page",
    "2.2 previous",
    "previous of * is an empty text on the first page",
    async (kit, source) => {
      equal((await page(kit, source)).previous, "", "previous");
      equal((await page(kit, source, { page: "1" })).previous, "", "previous of page=1");
    },
  ],
  [
    "previous.url",
    "2.2 previous",
    "previous of * is a full URL that leads to the page before",
    async (kit, source) => {
      const [first, second] = [await page(kit, source), await page(kit, source, { page: "2" })];
      isUrl(second.previous, "previous", source);
      sameItems(source, await follow(kit, source, second.previous, "previous"), first, "items that previous of page 2 leads to");
      if (second.next === "") return;
      const third = await page(kit, source, { page: "3" });
      sameItems(source, await follow(kit, source, third.previous, "previous"), second, "items that previous of page 3 leads to");
    },
  ],
  [
    "page.is-honoured",
    "2.2 page",
    "page=2 of * answers other items than page=1",
    async (kit, source) => {
      const [plain, one] = [await page(kit, source), await page(kit, source, { page: "1" })];
      sameItems(source, one, plain, "items of page=1");
      isOther(source, await page(kit, source, { page: "2" }), one, "page=2");
    },
  ],
];

/** Fails unless both are the same page. Calendars move on while others are created, so a part is enough. */
function sameItems({ operation }: Source, found: Page, wanted: Page, what: string): void {
  const isMoving = operation === "listCalendars" && found.ids.some((id) => wanted.ids.includes(id));
  if (!isMoving) equal(found.ids, wanted.ids, what);
}

/** All items are new; of calendars, which move to the next page while others are created, at least one. */
function isOther({ operation }: Source, second: Page, first: Page, what: string): void {
  const isNew = (id: string): boolean => !first.ids.includes(id);
  const areNew = operation === "listCalendars" ? second.ids.some(isNew) : second.ids.length > 0 && second.ids.every(isNew);
  expect(areNew, `${what}: expected other items than on page 1.`);
}

const inOrder = (ids: readonly string[]): readonly string[] => ids.toSorted((a, b) => Number(a) - Number(b));

/** What pages of a filtered list hold; when its first page shows that the filter does nothing, that is not for paging to judge. */
async function holds(kit: Kit, filter: Params, wanted: readonly string[]): Promise<void> {
  const { source, ids } = await severalPages(kit);
  const first = await page(kit, source, filter);
  const isFiltered = first.ids.every((id) => wanted.includes(id));
  sameSet(await walk(kit, source, filter), isFiltered ? wanted : ids, `events over all pages with ${Object.keys(filter).join(", ")}`);
}

/** contract 2.2: pages, on every list. */
export const checks = [
  ...ofEachList(required, rows),
  required("paging.next.is-encoded", ["1.4 encoding", "2.2 next"], "Values in next are URL-encoded", async (kit) => {
    const { source } = await severalPages(kit);
    const plain = await kit.call(source.operation, { ...source.params, x_unknown: `a b"<c>` });
    // Where unknown parameters are refused, a date has characters to encode, too.
    const known = { upcoming: "2020/01/01 01:30am" };
    const { body } = plain.status === 200 ? plain : await kit.ok(source.operation, { ...source.params, ...known });
    const { next } = member(body, "paging");
    expect(typeof next === "string" && next !== "" && !/[\s"<>]/.test(next), "next: expected an encoded URL.");
    if (plain.status === 200) equal(urlOf(next, "next").searchParams.get("x_unknown"), `a b"<c>`, "x_unknown in next");
  }),
  required("paging.pages.complete", "2.2 page", "The pages together hold every event once", async (kit) => {
    const { source, ids } = await severalPages(kit);
    sameSet(await walk(kit, source), ids, "events over all pages");
    sameSet(idsOf(await kit.events(source.params.calendar_id)), ids, "events over all page numbers");
  }),
  recommended("paging.pages.full", ["R3.1", "2.2 page"], "All pages but the last hold the same number of events", async (kit) => {
    const { source, size, ids, lastPage } = await severalPages(kit);
    for (const number of new Set([1, 2, lastPage])) {
      const wanted = Math.min(size, ids.length - (number - 1) * size);
      equal((await page(kit, source, { page: String(number) })).ids.length, wanted, `events of page ${number}`);
    }
  }),
  required("paging.pages.month", ["4.5 month", "2.2 page"], "The pages of a month hold every event of it once", async (kit) => {
    await holds(kit, march, (await severalPages(kit)).inMarch);
  }),
  required("paging.pages.upcoming", ["4.5 upcoming", "2.2 page"], "The pages of upcoming hold every event once", async (kit) => {
    await holds(kit, { upcoming: "2026-03-01 00:00:00" }, (await severalPages(kit)).fromMarch);
  }),
  required("paging.pages.order", ["4.5 order_by", "2.2 page"], "id-asc and id-desc hold over all pages", async (kit) => {
    const { source, ids, inMarch } = await severalPages(kit);
    equal(await walk(kit, source, { order_by: "id-asc" }), ids, "events by id-asc");
    equal(await walk(kit, source, { order_by: "id-desc" }), ids.toReversed(), "events by id-desc");
    const month = await walk(kit, source, { order_by: "id-asc", ...march });
    equal(month, month.length === ids.length ? ids : inMarch, "events of a month by id-asc");
  }),
  required("paging.subscribers.complete", "2.2 page", "The pages together hold every subscriber once", followers, async (kit) => {
    for (const source of await severalSubscribers(kit)) {
      const [linked, numbered] = [await walk(kit, source), idsOf(await kit.all(source, source.params))];
      sameSet(linked, numbered, `${source.operation} over all pages`);
      equal(await walk(kit, source, { order_by: "id-asc" }), inOrder(numbered), `${source.operation} by id-asc`);
    }
  }),
  required(
    "paging.calendars.complete",
    ["2.2 page", "4.1 fields"],
    "The pages of calendars hold every calendar of the account",
    alone,
    async (kit) => {
      const { source, ids } = await severalCalendars(kit);
      // One that moves to the next page while this reads on is met twice.
      const mine = (found: readonly string[]): readonly string[] => [...new Set(found)].filter((id) => ids.includes(id));
      sameSet(mine(await walk(kit, source)), ids, "calendars over all pages");
      sameSet(mine(idsOf(await kit.all(source))), ids, "calendars over all page numbers");
    },
  ),
  required(
    "paging.calendars.shape",
    ["2.1 paging", "2.2 previous", "4.1 fields"],
    "The list of calendars has paging, with texts",
    reads,
    async (kit) => {
      const paging = member((await kit.ok("listCalendars")).body, "paging");
      equal([paging["previous"], typeof paging["next"]], ["", "string"], "previous and the type of next");
    },
  ),
  ...[
    ["zero", "0"],
    ["negative", "-1"],
    ["word", "abc"],
    ["fraction", "1.5"],
    ["huge", "99999999999999999999"],
  ].map(([name = "", number = ""]) =>
    recommended(
      `paging.page.never-a-server-error.${name}`,
      ["R3.1", "2.2 page"],
      `page=${number} never ends in a server error`,
      reads,
      async (kit) => {
        for (const operation of ["listCalendars", "listEvents", "listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"] as const) {
          const { status, body } = await kit.call(operation, { page: number, calendar_id: operation === "listCalendars" ? undefined : "1" });
          expect(status < 500, `${operation}, page=${number}: HTTP ${status}.`);
          member(body, "meta");
        }
      },
    ),
  ),
  observed("lists.observed.page-size", "2.2 page", "How many items a page holds", reads, async (kit) => {
    const { body } = await kit.ok("listCalendars");
    const { length } = list(body, "calendars");
    kit.observe(hasNext(body) ? `${length} items` : `${length} items or more`);
  }),
  observed("lists.observed.page-zero", "2.2 page", "What page=0 and page=abc answer", reads, async (kit) => {
    for (const number of ["0", "abc"]) kit.observe(`page=${number}: ${outcome(await kit.call("listCalendars", { page: number }))}`);
  }),
  observed("lists.observed.past-the-end", "2.2 page", "What a page past the end answers", reads, async (kit) => {
    kit.observe(outcome(await kit.call("listCalendars", { page: "99999" })));
  }),
];
