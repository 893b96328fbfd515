import { equal, expect, notTestable, show, urlOf } from "../engine/assert.js";
import { idOf, idsOf, member, number, text } from "../engine/json.js";
import { hasNext } from "../engine/lists.js";
import { mostCalendars, batch, page, severalPages, walk, numeric } from "./paging-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("paging");
const mostWalks = 8;

export const pagingPagesChecks = [
  required("paging.pages.complete", "2.2 page", "The pages together hold every event once", async (kit) => {
    const { ids } = await severalPages(kit);
    equal([...(await walk(kit, {}))].sort(numeric), ids, "events over all pages");
  }),
  required(
    "paging.pages.order",
    ["4.5 order_by", "2.2 page"],
    "id-asc and id-desc hold over all pages",
    async (kit) => {
      const { ids } = await severalPages(kit);
      equal(await walk(kit, { order_by: "id-asc" }), ids, "events by id-asc");
      equal(await walk(kit, { order_by: "id-desc" }), ids.toReversed(), "events by id-desc");
    },
  ),
  recommended("paging.pages.default-order", "R3.4", "The default order holds over all pages", async (kit) => {
    const { ids } = await severalPages(kit);
    equal(await walk(kit, {}), ids.toReversed(), "events over all pages");
  }),
  recommended("paging.pages.date-desc", "R3.4", "date-desc holds over all pages, ties by id", async (kit) => {
    const { calendar } = await severalPages(kit);
    const events = await kit.events(calendar, { order_by: "date-desc" });
    const keys = events.map((event) => [number(event, "date_start_unix"), Number(idOf(event))] as const);
    equal(
      keys,
      [...keys].sort((a, b) => b[0] - a[0] || b[1] - a[1]),
      "starts and ids",
    );
  }),
  required(
    "paging.pages.upcoming",
    ["4.5 upcoming", "2.2 page"],
    "The pages of upcoming hold every event once",
    async (kit) => {
      const { ids } = await severalPages(kit);
      equal(
        [...(await walk(kit, { upcoming: "2020-01-01 00:00:00" }))].sort(numeric),
        ids,
        "events over all pages",
      );
    },
  ),
  required("paging.page.is-honoured", "2.2 page", "page=2 answers other events than page=1", async (kit) => {
    const { calendar } = await severalPages(kit);
    const [one, two] = [
      await page(kit, { calendar_id: calendar, page: "1" }),
      await page(kit, { calendar_id: calendar, page: "2" }),
    ];
    equal(one.ids, (await page(kit, { calendar_id: calendar })).ids, "events of page=1");
    equal(
      two.ids.filter((id) => one.ids.includes(id)),
      [],
      "events of page 1 on page 2",
    );
  }),
  recommended(
    "paging.count.over-all-pages",
    "R3.3",
    "events_count counts the events of all pages",
    async (kit) => {
      const { calendar, ids, lastPage } = await severalPages(kit);
      for (const number of ["1", String(lastPage)])
        equal(
          member((await page(kit, { calendar_id: calendar, page: number })).body, "calendar")["events_count"],
          ids.length,
          "events_count",
        );
    },
  ),
  recommended("paging.next.last-page", "R3.2", "next is empty on the last page", async (kit) => {
    const { calendar, lastPage } = await severalPages(kit);
    const last = await page(kit, { calendar_id: calendar, page: String(lastPage) });
    expect(last.ids.length > 0, "the last page has events");
    equal(last.next, "", "next");
  }),
  recommended(
    "paging.past-the-end",
    "R3.1",
    "A page past the end is empty, with an empty next",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      const { ids, next } = await page(kit, { calendar_id: calendar, page: "9999" });
      equal([ids, next], [[], ""], "events and next");
    },
  ),
  recommended(
    "paging.base-is-the-request",
    "R3.2",
    "next is a URL that the requester can open",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      const { next } = await page(kit, { calendar_id: calendar });
      expect(urlOf(next, "next").protocol.startsWith("http"), `next: expected a URL, got ${show(next)}.`);
    },
  ),
  recommended(
    "paging.next.bearer",
    ["R3.2", "R1.7"],
    "next has no token when it did not come in the query",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      const { token } = kit.session.target;
      const headers = { Authorization: `Bearer ${token}` };
      const { body } = await kit.ok("listEvents", { calendar_id: calendar }, { as: "none", headers });
      expect(!text(member(body, "paging"), "next").includes(token), "next: must not carry the token.");
    },
  ),
  ...(
    [
      ["zero", "0"],
      ["negative", "-1"],
      ["word", "abc"],
      ["fraction", "1.5"],
      ["huge", "99999999999999999999"],
    ] as const
  ).map(([name, number]) =>
    required(
      `paging.page.never-a-server-error.${name}`,
      "7.1 errors",
      `page=${number} never ends in a server error`,
      async (kit) => {
        const answer = await kit.call("listCalendars", { page: number });
        expect(answer.status < 500, `page=${number}: HTTP ${answer.status}.`);
        member(answer.body, "meta");
      },
      { writes: false },
    ),
  ),
  recommended(
    "paging.page.malformed",
    "R3.1",
    "A page of 0, -1, 1.5 or abc is refused",
    async (kit) => {
      for (const number of ["0", "-1", "1.5", "abc", "01", "1e3"])
        equal((await kit.refused("listCalendars", { page: number })).status, 400, `page=${number}`);
    },
    { writes: false },
  ),
  required(
    "paging.calendars.shape",
    ["2.1 paging", "2.2 previous", "4.1 fields"],
    "The list of calendars has paging, with texts",
    async (kit) => {
      const { body } = await kit.ok("listCalendars");
      const paging = member(body, "paging");
      equal([paging["previous"], typeof paging["next"]], ["", "string"], "previous and the type of next");
    },
    { writes: false },
  ),
  required(
    "paging.calendars.complete",
    ["2.2 page", "4.1 fields"],
    "The pages of calendars hold every calendar of the account",
    async (kit) => {
      const name = kit.name();
      const made: string[] = [];
      do {
        const more = Array.from({ length: batch }, (_, index) => kit.calendar({ title: `${name} ${index}` }));
        for (const calendar of await Promise.all(more)) made.push(idOf(calendar));
        if (made.length > mostCalendars) throw notTestable(`a page holds over ${mostCalendars} calendars`);
      } while (!hasNext((await kit.ok("listCalendars")).body));
      // Other traffic may move a calendar to a page already read while this reads on: any walk may find it.
      const found = new Set<string>();
      for (let walk = 1; walk <= mostWalks && found.size < made.length; walk++)
        for (const id of idsOf(await kit.calendars(name))) found.add(id);
      equal(found.size, made.length, "calendars over all pages");
    },
    { last: true },
  ),
];
