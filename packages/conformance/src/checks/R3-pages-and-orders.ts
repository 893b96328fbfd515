import { equal, expect, notTestable } from "../engine/assert.js";
import { followers, reads, recommended } from "../engine/check.js";
import { idOf, idsOf, member, number, text } from "../engine/json.js";
import { saveCalendar } from "../steps/calendars.js";
import { counts, halfDays, threeEvents, titles, titlesIn } from "../steps/event-lists.js";
import { march, page, repeats, severalPages, type ListRow, ofEachList } from "../steps/pages.js";
import { byId, count, monthOf, some, subscribers, variants } from "../steps/subscribers.js";

const badPages = ["0", "-1", "1.5", "abc", "01", "1e3", "+1", " 1"];
const lists = [["listCalendars", "calendars"], ["listEvents", "events"], ...variants.map((name) => [name, "subscribers"] as const)] as const;

const rows: readonly ListRow[] = [
  [
    "next.last-page",
    "R3.2",
    "next of * is empty on the last page",
    async (kit, source) => {
      const all = await kit.all(source, source.params);
      const { ids: first } = await page(kit, source);
      const lastPage = String(Math.ceil(all.length / first.length));
      const last = await page(kit, source, { page: lastPage });
      expect(last.ids.length > 0, `page=${lastPage}: expected items.`);
      equal(last.next, "", `next of page ${lastPage}`);
    },
  ],
  [
    "previous.repeats-the-query",
    "R3.2",
    "previous of * repeats every parameter of the request, the token too",
    async (kit, source, query) => {
      const sent = { ...query, x_unknown: "a b&c=d" };
      const { previous } = await page(kit, source, { ...sent, page: "2" });
      repeats(kit, previous, { ...source.params, ...sent }, { what: "previous", number: 1 });
    },
  ],
];

/** Rulings R3.1 to R3.4: pages, counts and orders. */
export const checks = [
  ...ofEachList(recommended, rows),
  recommended("paging.past-the-end", "R3.1", "A page past the end is empty, with an empty next, in every list", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const [operation, key] of lists)
      for (const id of new Set([calendar_id, key === "subscribers" ? (kit.session.options.subscribersCalendar ?? calendar_id) : calendar_id])) {
        const { ids, next } = await page(kit, { operation, key, params: operation === "listCalendars" ? {} : { calendar_id: id } }, { page: "9999" });
        equal([ids, next], [[], ""], `items and next of ${operation}`);
      }
  }),
  recommended("paging.page.malformed", "R3.1", "A page of 0, -1, 1.5 or abc is refused, in every list", reads, async (kit) => {
    for (const [operation] of lists)
      for (const bad of badPages)
        equal(
          (await kit.refused(operation, { page: bad, calendar_id: operation === "listCalendars" ? undefined : "1" })).status,
          400,
          `${operation}, page=${bad}`,
        );
  }),
  recommended("paging.base-is-the-request", "R3.2", "next is an address of the web", async (kit) => {
    const { source } = await severalPages(kit);
    const { next } = await page(kit, source);
    expect(typeof next === "string" && /^https?:\/\//.test(next), "next: expected a URL of http or https.");
  }),
  recommended("paging.next.bearer", ["R3.2", "R1.7"], "next and previous have no token when it did not come in the query", async (kit) => {
    const { calendar } = await severalPages(kit);
    const { token } = kit.session.target;
    const headers = { Authorization: `Bearer ${token}` };
    const { body } = await kit.ok("listEvents", { calendar_id: calendar, page: "2" }, { as: "none", headers });
    const { body: first } = await kit.ok("listEvents", { calendar_id: calendar }, { as: "none", headers });
    expect(!text(member(first, "paging"), "next").includes(token), "next: must not carry the token.");
    expect(!text(member(body, "paging"), "previous").includes(token), "previous: must not carry the token.");
  }),
  recommended("paging.count.over-all-pages", "R3.3", "events_count counts the events of all pages, with filters too", async (kit) => {
    const { source, ids, inMarch, fromMarch, lastPage } = await severalPages(kit);
    for (const [params, total, last] of [
      [{}, ids.length, lastPage],
      [march, inMarch.length, 2],
      [{ upcoming: "2026-03-01 00:00:00" }, fromMarch.length, 2],
    ] as const)
      for (const number of ["1", "2", String(last)])
        equal((await page(kit, source, { ...params, page: number })).count, total, `events_count of page ${number} with ${JSON.stringify(params)}`);
  }),
  recommended("paging.pages.default-order", "R3.4", "The default order holds over all pages", async (kit) => {
    const { ids, calendar } = await severalPages(kit);
    equal(idsOf(await kit.events(calendar)), ids.toReversed(), "events over all pages");
  }),
  recommended("paging.pages.date-desc", "R3.4", "date-desc and upcoming hold over all pages, ties by id", async (kit) => {
    const { calendar } = await severalPages(kit);
    for (const [params, sign] of [
      [{ order_by: "date-desc" }, -1],
      [{ upcoming: "2020-01-01 00:00:00" }, 1],
    ] as const) {
      const events = await kit.events(calendar, params);
      const keys = events.map((event) => [number(event, "date_start_unix"), Number(idOf(event))] as const);
      equal(
        keys,
        [...keys].sort((a, b) => sign * (a[0] - b[0] || a[1] - b[1])),
        `starts and ids with ${JSON.stringify(params)}`,
      );
    }
  }),
  recommended("calendars.list.ties", "R3.4", "Calendars saved in one second are listed by the order of their saves", async (kit) => {
    const name = kit.name();
    const [one, two] = [await kit.calendar({ title: `${name} 1` }), await kit.calendar({ title: `${name} 2` })];
    equal(idsOf(await kit.calendars(name)), [idOf(two), idOf(one)], "order of the calendars");
    await saveCalendar(kit, one);
    equal(idsOf(await kit.calendars(name)), [idOf(one), idOf(two)], "order after a save");
  }),
  recommended("events.list.date-desc", "R3.4", "date-desc lists the latest start first", async (kit) =>
    equal(await titles(kit, { order_by: "date-desc" }), ["March", "February", "January"], "order"),
  ),
  recommended("events.list.date-desc-is-by-instant", "R3.4", "date-desc and upcoming compare instants, not wall clocks", async (kit) => {
    const calendar = await kit.calendar();
    await kit.event(calendar, { title: "Tokyo", timezone: "Asia/Tokyo", start_date: "07/04/2026 20:00" });
    await kit.event(calendar, { title: "Los Angeles", timezone: "America/Los_Angeles", start_date: "07/04/2026 09:00" });
    equal(await titlesIn(kit, calendar, { order_by: "date-desc" }), ["Los Angeles", "Tokyo"], "order of date-desc");
    equal(await titlesIn(kit, calendar, { upcoming: "2026-01-01 00:00:00" }), ["Tokyo", "Los Angeles"], "order of upcoming");
  }),
  recommended("events.list.ties", "R3.4", "Events of one start and one second are ordered by id", async (kit) => {
    const calendar = await kit.calendar();
    const ids: string[] = [];
    for (let made = 0; made < 12; made++) ids.push(idOf(await kit.event(calendar)));
    const newest = ids.toReversed();
    equal(idsOf(await kit.events(calendar)), newest, "default order");
    equal(idsOf(await kit.events(calendar, { order_by: "date-desc" })), newest, "date-desc");
    equal(idsOf(await kit.events(calendar, { order_by: "id-asc" })), ids, "id-asc");
    equal(idsOf(await kit.events(calendar, { upcoming: "2020-01-01 00:00:00" })), ids, "upcoming");
  }),
  recommended("subscribers.list.date-desc", "R3.4", "date-desc lists the latest subscription first, in each list", followers, async (kit) => {
    await some(kit);
    for (const operation of variants) {
      const stamps = (await subscribers(kit, operation, { order_by: "date-desc" })).map((one) => number(one, "unixtime_stamp"));
      equal(
        stamps,
        [...stamps].sort((a, b) => b - a),
        `unixtime_stamp of ${operation}`,
      );
    }
  }),
  recommended(
    "subscribers.list.default-order",
    "R3.4",
    "Without order_by the subscriber created last is listed first, in each list",
    followers,
    async (kit) => {
      await some(kit);
      for (const operation of variants) {
        const all = await subscribers(kit, operation);
        equal(idsOf(all), [...all].sort(byId).map(idOf).toReversed(), `ids of ${operation}`);
      }
    },
  ),
  recommended("events.list.month-count", "R3.3", "events_count counts the events of the month", async (kit) => {
    equal(await counts(kit, (await threeEvents(kit)).calendar, { month: "02", year: "2026" }), [1, 1], "events_count and events");
  }),
  recommended("events.list.upcoming-count", "R3.3", "events_count counts the upcoming events, of a month too", async (kit) => {
    const calendar = await halfDays(kit);
    equal(await counts(kit, calendar, { upcoming: "2026-03-06 00:00:00" }), [1, 1], "events_count and events");
    equal(await counts(kit, calendar, { upcoming: "2026-03-05 12:00:00", month: "03", year: "2026" }), [2, 2], "events_count and events of March");
    equal(await counts(kit, calendar, { upcoming: "2026-03-05 12:00:00", month: "04", year: "2026" }), [0, 0], "events_count and events of April");
  }),
  recommended("subscribers.list.count-is-all", "R3.3", "subscribers_count counts the subscribers of each list", followers, async (kit) => {
    for (const operation of variants)
      equal(await count(kit, operation), (await subscribers(kit, operation)).length, `subscribers_count of ${operation}`);
  }),
  recommended(
    "subscribers.list.month-count",
    "R3.3",
    "subscribers_count counts the subscribers of the month, of each list",
    followers,
    async (kit) => {
      const month = monthOf((await some(kit))[0]);
      for (const operation of variants)
        equal(await count(kit, operation, month), (await subscribers(kit, operation, month)).length, `subscribers_count of ${operation}`);
    },
  ),
  recommended(
    "paging.subscribers.previous.of-page-2",
    "R3.2",
    "previous of page 2 of subscribers repeats every parameter, in each list",
    followers,
    async (kit) => {
      const month = monthOf((await some(kit))[0]);
      const sent = { order_by: "id-asc", ...month, x_unknown: "a b" };
      for (const operation of variants) {
        const source = { operation, key: "subscribers", params: { calendar_id: kit.followed } } as const;
        const { previous, ids } = await page(kit, source, { ...sent, page: "2" });
        // Past the end, a server may know no page before.
        if (previous === "" && ids.length === 0) throw notTestable("page 2 of the subscribers of a month is past the end");
        repeats(kit, previous, { ...source.params, ...sent }, { what: `previous of ${operation}`, number: 1 });
      }
    },
  ),
];
