import { equal, expect, show, urlOf } from "../engine/assert.js";
import { page, severalPages } from "./paging-kit.js";
import { profile } from "../engine/check.js";

const { required } = profile("paging");

export const pagingChecks = [
  required("paging.next.full-url", "2.2 next", "next is a full URL of the same path", async (kit) => {
    const { calendar } = await severalPages(kit);
    const { next } = await page(kit, { calendar_id: calendar });
    expect(
      typeof next === "string" && /^https?:\/\/[^/]+\//.test(next),
      `next: expected a full URL, got ${show(next)}.`,
    );
    const { pathname } = urlOf(next, "next");
    expect(
      /\/api\/v1\/calendars\/events\/list\/?$/.test(pathname),
      `next: expected the path of the list, got ${pathname}.`,
    );
  }),
  required(
    "paging.next.repeats-the-query",
    "2.2 next",
    "next repeats every parameter of the request, the token too",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      const sent = {
        calendar_id: calendar,
        order_by: "id-asc",
        upcoming: "2020-01-01 00:00:00",
        month: "",
        x_unknown: "a b&c",
      };
      const { month: _empty, x_unknown: _other, ...known } = sent;
      const { next } = await page(kit, known);
      const query = urlOf(next, "next", kit.session.target.baseUrl).searchParams;
      for (const [name, value] of Object.entries({ ...known, token: kit.session.target.token }))
        expect(query.get(name) === value, `next: expected ${name} as it was sent.`);
    },
  ),
  required(
    "paging.next.one-page-number",
    "2.2 next",
    "next carries one page number, the next one",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      const pagesOf = async (params: Readonly<Record<string, string>>) =>
        urlOf(
          (await page(kit, { calendar_id: calendar, ...params })).next,
          "next",
          kit.session.target.baseUrl,
        ).searchParams.getAll("page");
      equal(await pagesOf({}), ["2"], "page numbers in next of page 1");
      equal(await pagesOf({ page: "1" }), ["2"], "page numbers in next of page=1");
      const { lastPage } = await severalPages(kit);
      if (lastPage > 2) equal(await pagesOf({ page: "2" }), ["3"], "page numbers in next of page 2");
    },
  ),
  required("paging.next.is-encoded", "1.4 encoding", "Values in next are URL-encoded", async (kit) => {
    const { calendar } = await severalPages(kit);
    const { next } = await page(kit, { calendar_id: calendar, upcoming: "2020/01/01 01:30am" });
    expect(
      typeof next === "string" && !/[\s"<>]/.test(next),
      `next: expected an encoded URL, got ${show(next)}.`,
    );
    equal(urlOf(next, "next").searchParams.get("upcoming"), "2020/01/01 01:30am", "upcoming in next");
  }),
  required(
    "paging.next.leads-on",
    ["2.2 next", "2.2 page"],
    "The query of next answers other events than the first page",
    async (kit) => {
      const { calendar, size, ids } = await severalPages(kit);
      const first = await page(kit, { calendar_id: calendar });
      const { searchParams } = urlOf(first.next, "next", kit.session.target.baseUrl);
      const { token: _same, ...query } = Object.fromEntries(searchParams);
      const second = await page(kit, query);
      equal(second.ids.length, Math.min(size, ids.length - size), "events of page 2");
      equal(
        second.ids.filter((id) => first.ids.includes(id)),
        [],
        "events of page 1 on page 2",
      );
    },
  ),
  required(
    "paging.previous.first-page",
    "2.2 previous",
    "previous is an empty text on the first page",
    async (kit) => {
      const { calendar } = await severalPages(kit);
      equal((await page(kit, { calendar_id: calendar })).previous, "", "previous");
      equal((await page(kit, { calendar_id: calendar, page: "1" })).previous, "", "previous of page=1");
    },
  ),
  required(
    "paging.previous.url",
    "2.2 previous",
    "previous of page 2 and of the last page is a URL of the page before",
    async (kit) => {
      const { calendar, lastPage } = await severalPages(kit);
      for (const number of new Set([2, lastPage])) {
        const { previous } = await page(kit, { calendar_id: calendar, page: String(number) });
        const query = urlOf(
          previous === "" ? undefined : previous,
          "previous",
          kit.session.target.baseUrl,
        ).searchParams;
        equal(query.get("calendar_id"), calendar, "calendar_id in previous");
        // The first page may be meant without a number.
        equal(query.get("page") ?? "1", String(number - 1), `page in previous of page ${number}`);
      }
    },
  ),
];
