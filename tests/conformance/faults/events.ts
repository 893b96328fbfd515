import { createEvent, dayFirst, each, events, flipTwelve, inOnePage, param, utcText } from "./changes.js";
import type { Faults } from "./proxy.js";

/** Id → fault of events as they are shown. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults: Faults = {
  M30: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.create.fields",
    title: "create answers with an id that is a string",
    answer: (body, { path }) => void (path === createEvent && (body.event.id = String(body.event.id))),
  },
  M31: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.list.fields",
    title: "list items have color_id, not color",
    answer: (body, { path }) => {
      if (path !== events) return;
      for (const one of body.events) {
        one.color_id = one.color;
        delete one.color;
      }
    },
  },
  M32: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.create.no-unix-times",
    title: "create answers with date_start_unix",
    answer: (body, { path }) => void (path === createEvent && (body.event.date_start_unix = 1)),
  },
  M35: {
    clause: "docs/contract.md#2.4",
    foundBy: "time.clock-is-24-hours",
    title: "date_start_time is on the 12-hour clock",
    answer: each("events", (one) => {
      const hour = Number(one.date_start_time.slice(0, 2)) % 12 || 12;
      one.date_start_time = `${String(hour).padStart(2, "0")}${one.date_start_time.slice(2)}`;
    }),
  },
  M40: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.create.fields",
    title: "all_day_event is a boolean",
    answer: each("events", (one) => (one.all_day_event = one.all_day_event === "true")),
  },
  M44: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming-ignores-order",
    title: "order_by still applies with upcoming",
    instead: inOnePage(
      events,
      "events",
      [],
      (items, { params }) =>
        items.toSorted((one, other) =>
          params.get("order_by") === "id-asc" ? one.id - other.id : other.id - one.id,
        ),
      ({ params }) => params.has("upcoming") && params.has("order_by"),
    ),
  },
  K2: {
    clause: "docs/contract.md#4.5",
    foundBy: "paging.pages.order",
    title: "order_by=id-asc is descending",
    ask: param([events], "order_by", (value) => (value === "id-asc" ? "id-desc" : value)),
  },
  K3: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.default-order",
    title: "the default order is oldest first",
    ask: ({ path, params }) => {
      if (path === events && !params.has("order_by") && !params.has("upcoming"))
        params.set("order_by", "id-asc");
    },
  },
  K4: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.month",
    title: "month lists the same month of every year",
    instead: inOnePage(
      events,
      "events",
      ["month", "year"],
      (items, { params }) => items.filter((one) => one.date_start.startsWith(params.get("month"))),
      ({ params }) => params.has("month"),
    ),
  },
  K5: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.month-is-local",
    alsoClauses: ["docs/rulings.md#r3.5"],
    title: "month is that of UTC, not of the event",
    instead: inOnePage(
      events,
      "events",
      ["month", "year"],
      (items, { params }) =>
        items.filter((one) => {
          const text = utcText(one.date_start_unix);
          return text.slice(0, 2) === params.get("month") && text.slice(6, 10) === params.get("year");
        }),
      ({ params }) => params.has("month"),
    ),
  },
  K6: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming-now",
    title: "upcoming=now lists past events",
    ask: param([events], "upcoming", (value) => (value === "now" ? "2000-01-01 00:00:00" : value)),
  },
  K7: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.day-first",
    title: "DD-MM-YYYY is read month first",
    ask: param([events], "upcoming", (value) => value.replace(/^(0\d|1[0-2])-(\d\d)-(\d{4})/, "$2-$1-$3")),
  },
  K8: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.year-first-ampm",
    title: "upcoming with pm is read as am",
    ask: param([events], "upcoming", (value) => value.replace(/(?<! 00:\d\d)pm$/, "am")),
  },
  K9: {
    clause: "docs/contract.md#2.4",
    foundBy: "paging.count.over-all-pages",
    alsoClauses: ["docs/contract.md#4.5", "docs/rulings.md#r3.3"],
    title: "events_count counts the page only",
    answer: (body, { path }) => void (path === events && (body.calendar.events_count = body.events.length)),
  },
  K10: {
    clause: "docs/contract.md#2.4",
    foundBy: "text.line-feed",
    alsoClauses: ["docs/contract.md#4.6", "docs/rulings.md#r4.8"],
    title: "line feeds go out as they came",
    answer: each("events", (one) => (one.description = one.description.replaceAll("\r\n", "\n"))),
  },
  K66: {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.count",
    alsoClauses: ["docs/contract.md#2.4"],
    title: "the list of events has no calendar",
    answer: (body, { path }) => void (path === events && delete body.calendar),
  },
  K67: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.list.fields",
    title: "date_end_unix is in milliseconds",
    answer: (body, { path }) => {
      if (path === events) for (const one of body.events) one.date_end_unix *= 1000;
    },
  },
  K68: {
    clause: "docs/contract.md#2.4",
    foundBy: "events.list.fields",
    alsoClauses: ["docs/rulings.md#r4.9"],
    title: "organizer is null when not set",
    answer: each("events", (one) => one.organizer === "" && (one.organizer = null)),
  },
  "page-2-loses-month": {
    clause: "docs/contract.md#4.5",
    foundBy: "paging.pages.month",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "page 2 of a month lists all events",
    ask: (ask) =>
      void (
        ask.path === events &&
        ask.params.has("page") &&
        ask.params.get("page") !== "1" &&
        ask.params.delete("month") === undefined &&
        ask.params.delete("year")
      ),
  },
  "page-2-loses-upcoming": {
    clause: "docs/contract.md#4.5",
    foundBy: "paging.pages.upcoming",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "page 2 of upcoming lists all events",
    ask: (ask) =>
      void (
        ask.path === events &&
        ask.params.has("page") &&
        ask.params.get("page") !== "1" &&
        ask.params.delete("upcoming")
      ),
  },
  "page-2-loses-order": {
    clause: "docs/contract.md#4.5",
    foundBy: "paging.pages.order",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "page 2 has the default order",
    ask: (ask) => void (ask.path === events && ask.params.has("page") && ask.params.delete("order_by")),
  },
  "upcoming-twelve": {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.am",
    title: "in upcoming 12:xx am is noon and 12:xx pm midnight",
    ask: param([events], "upcoming", flipTwelve),
  },
  "upcoming-twelve-year-first": {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.am",
    title: "in the year-first form of upcoming 12:xx am is noon",
    ask: param([events], "upcoming", (value) => (value.startsWith("2") ? flipTwelve(value) : value)),
  },
  "upcoming-seconds": {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.seconds",
    title: "the seconds of upcoming are dropped",
    ask: param([events], "upcoming", (value) => value.replace(/:\d\d$/, ":00")),
  },
  "upcoming-date-only": {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.year-first",
    title: "the time of upcoming is dropped",
    ask: param([events], "upcoming", (value) => value.replace(/ \d\d:\d\d:\d\d$/, " 00:00:00")),
  },
  "upcoming-day-first": {
    clause: "docs/contract.md#4.5",
    foundBy: "events.list.upcoming.month-first-ampm",
    title: "MM/DD/YYYY of upcoming is read day first",
    ask: param([events], "upcoming", (value) => dayFirst(value)),
  },
  "date-format": {
    clause: "docs/contract.md#2.4",
    foundBy: "events.create.date-format",
    title: "date_format is DD/MM/YYYY",
    answer: each("events", (one) => (one.date_format = "DD/MM/YYYY")),
  },
  "dates-day-first": {
    clause: "docs/contract.md#2.4",
    foundBy: "time.dates-are-plain",
    title: "dates are shown as DD/MM/YYYY",
    answer: each("events", (one) =>
      Object.assign(one, { date_start: dayFirst(one.date_start), date_end: dayFirst(one.date_end) }),
    ),
  },
  "end-date-day-first": {
    clause: "docs/contract.md#2.4",
    foundBy: "time.dates-are-plain",
    title: "date_end of save is shown as DD/MM/YYYY",
    answer: (body, { path }) =>
      void (
        path === "calendars/events/save" &&
        body.event &&
        (body.event.date_end = dayFirst(body.event.date_end))
      ),
  },
  "noon-is-am": {
    clause: "docs/contract.md#2.4",
    foundBy: "time.ampm",
    alsoClauses: ["docs/contract.md#4.6"],
    title: "date_end_ampm of noon is AM",
    answer: each(
      "events",
      (one) => (one.date_end_ampm = one.date_end_time.startsWith("12") ? "AM" : one.date_end_ampm),
    ),
  },
};
