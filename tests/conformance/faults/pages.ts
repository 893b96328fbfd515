import {
  calendars,
  events,
  everySubscriber,
  inactive,
  link,
  lists,
  look,
  page,
  param,
  reordered,
  variants,
  whole,
  without,
} from "./changes.js";
import type { Faults } from "./proxy.js";

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Id → fault of pages of lists and their order. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults: Faults = {
  M9: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-the-query",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "next loses calendar_id and order_by",
    answer: link("next", lists, (url) => {
      for (const name of ["calendar_id", "order_by"]) url.searchParams.delete(name);
      return url.href;
    }),
  },
  M10: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-the-query",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "next carries page twice",
    answer: link("next", lists, (url) => `${url.href}&page=1`),
  },
  M11: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.previous.first-page",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "previous is null on page 1",
    answer: (body) => void (body.paging?.previous === "" && (body.paging.previous = null)),
  },
  M12: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.full-url",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "next is relative",
    answer: link("next", lists, ({ pathname, search }) => pathname + search),
  },
  M13: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.leads-on",
    title: "page 2 repeats the last item of page 1",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      const body = answered.body.startsWith("{") ? JSON.parse(answered.body) : {};
      const key = ["calendars", "events", "subscribers"].find((name) => body[name] !== undefined);
      if (key === undefined || ask.params.get("page") !== "2") return answered;
      const first = { ...Object.fromEntries(ask.params), page: "1" };
      body[key].unshift((await look(ask, around, ask.path, first)).body[key].at(-1));
      return { ...answered, body: JSON.stringify(body) };
    },
  },
  M14: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.pages.complete",
    title: "the last page of several lacks its last item",
    answer: (body, { params }) => {
      if (Number(params.get("page") ?? "1") < 2 || body.paging.next !== "") return;
      for (const name of ["calendars", "events", "subscribers"]) body[name]?.pop();
    },
  },

  K1: {
    clause: "docs/rulings.md#r3.4",
    foundBy: "paging.pages.date-desc",
    alsoClauses: ["docs/contract.md#4.5"],
    title: "order_by=date-desc sorts by creation",
    ask: param([events], "order_by", (value) => (value === "date-desc" ? "id-desc" : value)),
  },
  K25: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-unknown-parameters",
    alsoClauses: ["docs/contract.md#1.4", "docs/rulings.md#r3.2"],
    title: "next does not encode its values",
    answer: link("next", lists, (url) => {
      const pairs = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
      return `${url.origin}${url.pathname}?${pairs.join("&")}`;
    }),
  },
  K39: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.one-page-number",
    alsoClauses: ["docs/contract.md#4.1", "docs/contract.md#4.5"],
    title: "page is ignored",
    ask: param(lists, "page", () => undefined),
  },
  K43: {
    clause: "docs/rulings.md#r3.4",
    foundBy: "calendars.list.last-saved-first",
    alsoClauses: ["docs/contract.md#4.1"],
    title: "calendars saved in the last ten minutes fall to the order of creation",
    instead: reordered(calendars, "calendars", (one, other) => {
      const early = nowSeconds() - 600;
      const at = (time: number): number => Math.min(time, early);
      return at(other.date_modified) - at(one.date_modified) || Number(other.id) - Number(one.id);
    }),
  },
  K51: {
    clause: "docs/rulings.md#r3.1",
    foundBy: "paging.past-the-end",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "a page past the end shows the last page",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      const body = answered.body.startsWith("{") ? JSON.parse(answered.body) : {};
      const key = ["calendars", "events", "subscribers"].find((name) => body[name]?.length === 0);
      if (key === undefined || !ask.params.has("page")) return answered;
      body[key] = (await whole(ask, around, key)).slice(-1);
      return { ...answered, body: JSON.stringify(body) };
    },
  },
  K59: {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.previous.url",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "previous is empty on page 2",
    answer: (body, { params }) => void (params.get("page") === "2" && (body.paging.previous = "")),
  },
  "next-empty": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.full-url",
    title: "next of events is always empty",
    answer: (body, { path }) => void (path === events && (body.paging.next = "")),
  },
  "next-empty-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.full-url",
    title: "next of calendars is always empty",
    answer: (body, { path }) => void (path === calendars && (body.paging.next = "")),
  },
  "next-empty-subscribers": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.full-url",
    title: "next of subscribers is always empty",
    answer: (body, { path }) => void (path === everySubscriber && (body.paging.next = "")),
  },
  "page-ignored-subscribers": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.one-page-number",
    alsoClauses: ["docs/contract.md#4.9"],
    title: "page is ignored on subscribers",
    ask: param([everySubscriber, ...variants], "page", () => undefined),
  },
  "page-ignored-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.one-page-number",
    title: "page is ignored on calendars",
    ask: param([calendars], "page", () => undefined),
  },
  "next-stuck-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.repeats-the-query",
    title: "next of calendars leads to page 1",
    answer: link("next", [calendars], page("1")),
  },
  "next-stuck-events": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.one-page-number",
    title: "next of events always leads to page 2",
    answer: link("next", [events], page("2")),
  },
  "next-other-path-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.full-url",
    title: "next of calendars has the path of events",
    answer: link("next", [calendars], (url) => url.href.replace("calendars/list", "calendars/events/list")),
  },
  "next-other-path-variants": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.full-url",
    title: "next of inactive subscribers has the path of the plain list",
    answer: link("next", variants, (url) => url.href.replace(/list\/\w+\//, "list/")),
  },
  "next-tokenless-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.repeats-the-query",
    title: "next of calendars loses the token",
    answer: link("next", [calendars], without("token")),
  },
  "next-relative-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.next.full-url",
    title: "next of calendars is relative",
    answer: link("next", [calendars], ({ pathname, search }) => pathname + search),
  },
  "next-relative-subscribers": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.full-url",
    title: "next of subscribers is relative",
    answer: link("next", [everySubscriber], ({ pathname, search }) => pathname + search),
  },
  "next-loses-calendar": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.repeats-the-query",
    title: "next of subscribers loses the calendar",
    answer: link("next", [everySubscriber, ...variants], without("calendar_id")),
  },
  "next-loses-month": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-the-query",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "next loses month and year",
    answer: link("next", [events], without("month", "year")),
  },
  "next-loses-order": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.next.repeats-the-query",
    title: "next of subscribers loses order_by",
    answer: link("next", [everySubscriber], without("order_by")),
  },
  "next-loses-unknown": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-unknown-parameters",
    title: "next loses unknown parameters",
    answer: link("next", [events], without("x_unknown")),
  },
  "next-skips": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.next.repeats-the-query",
    title: "next of events skips a page",
    answer: link("next", [events], (url) => page(String(Number(url.searchParams.get("page")) + 1))(url)),
  },
  "next-on-last-page": {
    clause: "docs/rulings.md#r3.2",
    foundBy: "paging.calendars.complete",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "next of calendars is never empty",
    answer: (body, { path, params }) =>
      void (
        path === calendars &&
        (body.paging.next ||= `http://127.0.0.1/api/v1/calendars/list/?token=x&page=${Number(params.get("page") ?? 1) + 1}`)
      ),
  },
  "previous-stuck": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.previous.url",
    title: "previous always leads to page 1",
    answer: link("previous", [events], page("1")),
  },
  "previous-tokenless": {
    clause: "docs/rulings.md#r3.2",
    foundBy: "paging.calendars.previous.repeats-the-query",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "previous of calendars loses the token",
    answer: link("previous", [calendars], without("token")),
  },
  "previous-other-path": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.previous.url",
    title: "previous of subscribers has the path of calendars",
    answer: link("previous", [everySubscriber], (url) => url.href.replace("subscribers/list", "list")),
  },
  "previous-relative": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.previous.url",
    title: "previous of events is relative",
    answer: link("previous", [events], ({ pathname, search }) => pathname + search),
  },
  "previous-is-next": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.previous.url",
    title: "previous of calendars is the same page",
    answer: link("previous", [calendars], (url) =>
      page(String(Number(url.searchParams.get("page")) + 1))(url),
    ),
  },
  "previous-loses-calendar": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.subscribers.previous.url",
    alsoClauses: ["docs/rulings.md#r3.2"],
    title: "previous of subscribers loses the calendar",
    answer: link("previous", [everySubscriber, ...variants], without("calendar_id")),
  },
  "previous-loses-order": {
    clause: "docs/rulings.md#r3.2",
    foundBy: "paging.previous.repeats-the-query",
    title: "previous of events loses order_by",
    answer: link("previous", [events], without("order_by")),
  },
  "previous-empty-calendars": {
    clause: "docs/contract.md#2.2",
    foundBy: "paging.calendars.previous.url",
    title: "previous of calendars is always empty",
    answer: (body, { path }) => void (path === calendars && (body.paging.previous = "")),
  },
  "count-of-page-2": {
    clause: "docs/rulings.md#r3.3",
    foundBy: "paging.count.over-all-pages",
    title: "events_count of page 2 counts the page",
    answer: (body, { path, params }) =>
      void (
        path === events &&
        params.get("page") === "2" &&
        body.events &&
        (body.calendar.events_count = body.events.length)
      ),
  },
  "count-of-month": {
    clause: "docs/rulings.md#r3.3",
    foundBy: "paging.count.over-all-pages",
    title: "events_count of a month is too large by one",
    answer: (body, { path, params }) =>
      void (path === events && params.has("month") && body.calendar && (body.calendar.events_count += 1)),
  },
  "count-of-variant-all": {
    clause: "docs/rulings.md#r3.3",
    foundBy: "subscribers.list.count-is-all",
    title: "subscribers_count of the inactive list counts the page",
    answer: (body, { path }) =>
      void (path === inactive && body.calendar && (body.calendar.subscribers_count += 1)),
  },
};
