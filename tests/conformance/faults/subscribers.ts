import {
  blocked,
  dayFirst,
  each,
  events,
  everySubscriber,
  inactive,
  inOnePage,
  lists,
  param,
  subscribers,
  utcText,
  whole,
} from "./changes.js";
import type { Faults } from "./proxy.js";

const details = "calendars/subscriber";

/** Id → fault of subscribers. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults: Faults = {
  M54: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.inactive",
    title: "inactive/ lists the active ones",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      if (ask.path !== inactive || answered.status !== 200) return answered;
      const all = await whole({ ...ask, path: everySubscriber }, around, "subscribers");
      const body = JSON.parse(answered.body);
      body.subscribers = all.filter(({ active }) => active === "true");
      body.paging = { previous: "", next: "" };
      return { ...answered, body: JSON.stringify(body) };
    },
  },
  M56: {
    clause: "docs/contract.md#4.10",
    foundBy: "subscribers.details.array",
    title: "the one subscriber is an object",
    answer: (body, { path }) => void (path === details && ([body.subscribers] = body.subscribers)),
  },
  M57: {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.unknown-is-the-text-null",
    title: "an unknown postal code is null",
    answer: each("subscribers", (one) => one.postal === "null" && (one.postal = null)),
  },
  K18: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.blocked",
    title: "blocked/ lists everyone",
    instead: (ask, { pass }) => pass({ ...ask, target: ask.target.replace("/list/blocked/", "/list/") }),
  },
  K19: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.inactive",
    alsoClauses: ["docs/rulings.md#r5.4"],
    title: "the plain list hides the blocked ones",
    answer: (body, { path }) => {
      if (path === everySubscriber && body.subscribers)
        body.subscribers = body.subscribers.filter((one: { blocked: string }) => one.blocked === "false");
    },
  },
  K20: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.default-order",
    alsoClauses: ["docs/rulings.md#r3.4"],
    title: "subscribers come oldest first",
    ask: ({ path, params }) => {
      if (subscribers.includes(path) && !params.has("order_by")) params.set("order_by", "id-asc");
    },
  },
  K21: {
    clause: "docs/contract.md#4.10",
    foundBy: "subscribers.details.of-this-calendar",
    alsoClauses: ["docs/rulings.md#r2.3"],
    title: "a subscriber is shown under any calendar",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      if (ask.path !== details || answered.status !== 404) return answered;
      ask.params.set("calendar_id", around.followed);
      return around.pass(ask);
    },
  },
  K33: {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.flags",
    title: "active is a boolean",
    answer: each("subscribers", (one) => (one.active = one.active === "true")),
  },
  K34: {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.date-is-in-the-calendar-zone",
    alsoClauses: ["docs/rulings.md#r5.5"],
    title: "the date of a subscriber is in UTC",
    answer: each("subscribers", (one) => (one.date = `${utcText(one.unixtime_stamp)}:00`)),
  },
  K52: {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.count",
    title: "subscribers_count is a string",
    answer: (body, { path }) =>
      void (
        subscribers.includes(path) &&
        (body.calendar.subscribers_count = String(body.calendar.subscribers_count))
      ),
  },
  K53: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.month",
    title: "month and year do not filter subscribers",
    ask: ({ path, params }) => {
      if (!subscribers.includes(path) || !params.has("month") || !params.has("year")) return;
      for (const name of ["month", "year"]) params.delete(name);
    },
  },
  K54: {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.date-desc",
    alsoClauses: ["docs/rulings.md#r3.4"],
    title: "order_by=date-desc sorts subscribers by id",
    ask: param(subscribers, "order_by", (value) => (value === "date-desc" ? "id-desc" : value)),
  },
  K56: {
    clause: "docs/rulings.md#r3.6",
    foundBy: "events.list.upcoming-in-the-calendar-zone",
    alsoClauses: ["docs/contract.md#4.5"],
    title: "upcoming is read as UTC",
    instead: inOnePage(
      events,
      "events",
      ["upcoming"],
      (items, { params }) => {
        const from = Date.parse(`${(params.get("upcoming") ?? "").replace(" ", "T")}Z`) / 1000;
        return items
          .filter((one) => one.date_start_unix >= from)
          .toSorted((one, other) => one.date_start_unix - other.date_start_unix);
      },
      ({ params }) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(params.get("upcoming") ?? ""),
    ),
  },
  K69: {
    clause: "docs/rulings.md#r3.7",
    foundBy: "events.list.unknown-order",
    title: "an unknown order_by is ignored",
    ask: param(lists, "order_by", (value) =>
      ["date-desc", "id-asc", "id-desc"].includes(value) ? value : undefined,
    ),
  },
  K70: {
    clause: "docs/rulings.md#r3.5",
    foundBy: "events.list.month-alone",
    alsoClauses: ["docs/contract.md#4.5"],
    title: "month without year is ignored",
    ask: ({ params }) => void (params.has("month") && !params.has("year") && params.delete("month")),
  },
  "count-of-variant-missing": {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.count",
    title: "the inactive list has no subscribers_count",
    answer: (body, { path }) =>
      void (path === inactive && body.calendar && delete body.calendar.subscribers_count),
  },
  "count-of-variant-string": {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.count",
    title: "subscribers_count of the blocked list is a string",
    answer: (body, { path }) =>
      void (
        path === blocked &&
        body.calendar &&
        (body.calendar.subscribers_count = String(body.calendar.subscribers_count))
      ),
  },
  "month-ignored-inactive": {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.month",
    title: "month is ignored in the inactive list",
    ask: (ask) =>
      void (
        ask.path === inactive &&
        /^(0[1-9]|1[0-2])$/.test(ask.params.get("month") ?? "") &&
        ask.params.has("year") &&
        ask.params.delete("month") === undefined &&
        ask.params.delete("year")
      ),
  },
  "month-ignored-blocked": {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.month",
    title: "month is ignored in the blocked list",
    ask: (ask) =>
      void (
        ask.path === blocked &&
        /^(0[1-9]|1[0-2])$/.test(ask.params.get("month") ?? "") &&
        ask.params.has("year") &&
        ask.params.delete("month") === undefined &&
        ask.params.delete("year")
      ),
  },
  "order-ignored-inactive": {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.id-orders",
    title: "order_by is ignored in the inactive list",
    ask: param([inactive], "order_by", () => undefined),
  },
  "order-ignored-blocked": {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.id-orders",
    title: "order_by is ignored in the blocked list",
    ask: param([blocked], "order_by", () => undefined),
  },
  "variant-fields": {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.flags",
    title: "active is a boolean in the blocked list",
    answer: (body, { path }) =>
      void (
        path === blocked &&
        body.subscribers?.forEach(
          (one: Record<string, unknown>) => (one["active"] = one["active"] === "true"),
        )
      ),
  },
  "details-differ": {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.details.fields",
    alsoClauses: ["docs/contract.md#4.10"],
    title: "details show another date than the list",
    answer: (body, { path }) =>
      void (
        path === "calendars/subscriber" &&
        body.subscribers?.forEach((one: Record<string, unknown>) => (one["date"] = "01/01/2020 00:00:00"))
      ),
  },
  "subscriber-day-first": {
    clause: "docs/contract.md#2.5",
    foundBy: "subscribers.list.date",
    alsoClauses: ["docs/rulings.md#r5.5"],
    title: "date of subscribers is DD/MM/YYYY",
    answer: each("subscribers", (one) => (one.date = dayFirst(one.date))),
  },
  "upcoming-capitals": {
    clause: "docs/rulings.md#r3.6",
    foundBy: "events.list.upcoming-capitals",
    title: "AM and PM in upcoming are refused",
    ask: param([events], "upcoming", (value) => (/[AP]M$/.test(value) ? "soon" : value)),
  },
  "upcoming-exclusive": {
    clause: "docs/rulings.md#r3.6",
    foundBy: "events.list.upcoming-includes-the-moment",
    title: "upcoming leaves out what starts at that moment",
    ask: param([events], "upcoming", (value) => value.replace(/:00$/, ":01")),
  },
  "upcoming-loses-month": {
    clause: "docs/rulings.md#r3.6",
    foundBy: "events.list.upcoming-with-month",
    title: "upcoming disables month",
    ask: (ask) =>
      void (
        ask.path === events &&
        ask.params.get("upcoming") &&
        /^\d\d$/.test(ask.params.get("month") ?? "") &&
        ask.params.delete("month") === undefined &&
        ask.params.delete("year")
      ),
  },
  "subscribers-hidden": {
    clause: "docs/contract.md#4.9",
    foundBy: "subscribers.list.fields",
    alsoClauses: ["docs/contract.md#2.5", "docs/contract.md#4.10"],
    title: "the plain list of subscribers is empty",
    answer: (body, { path }) =>
      void (
        path === everySubscriber &&
        body.subscribers &&
        Object.assign(body, {
          subscribers: [],
          calendar: { ...body.calendar, subscribers_count: 0 },
          paging: { previous: "", next: "" },
        })
      ),
  },
};
