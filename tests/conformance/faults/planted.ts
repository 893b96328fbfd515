import {
  blocked,
  calendars,
  createAndSave,
  dayFirst,
  each,
  events,
  everySubscriber,
  flipTwelve,
  flipTwelveOfEvents,
  header,
  inactive,
  link,
  meta,
  page,
  param,
  saveCalendar,
  saveEvent,
  variants,
  without,
} from "./changes.js";
import type { Planted } from "./proxy.js";

const p22 = "service.md 2.2";
const p45 = "service.md 4.5";
const p46 = "service.md 4.6";
const p49 = "service.md 4.9";
const r32 = ["rulings R3.2"];

/** Id → fault. Those found outside, and others of their kinds. */
export const planted: Readonly<Record<string, Planted>> = {
  "next-empty": {
    clause: p22,
    title: "next of events is always empty",
    answer: (body, { path }) => void (path === events && (body.paging.next = "")),
  },
  "next-empty-calendars": {
    clause: p22,
    title: "next of calendars is always empty",
    answer: (body, { path }) => void (path === calendars && (body.paging.next = "")),
  },
  "next-empty-subscribers": {
    clause: p22,
    title: "next of subscribers is always empty",
    answer: (body, { path }) => void (path === everySubscriber && (body.paging.next = "")),
  },
  "page-ignored-subscribers": {
    clause: p22,
    alsoClauses: [p49],
    title: "page is ignored on subscribers",
    ask: param([everySubscriber, ...variants], "page", () => undefined),
  },
  "page-ignored-calendars": {
    clause: p22,
    title: "page is ignored on calendars",
    ask: param([calendars], "page", () => undefined),
  },
  "next-stuck-calendars": {
    clause: p22,
    title: "next of calendars leads to page 1",
    answer: link("next", [calendars], page("1")),
  },
  "next-stuck-events": {
    clause: p22,
    title: "next of events always leads to page 2",
    answer: link("next", [events], page("2")),
  },
  "next-other-path-calendars": {
    clause: p22,
    title: "next of calendars has the path of events",
    answer: link("next", [calendars], (url) => url.href.replace("calendars/list", "calendars/events/list")),
  },
  "next-other-path-variants": {
    clause: p22,
    title: "next of inactive subscribers has the path of the plain list",
    answer: link("next", variants, (url) => url.href.replace(/list\/\w+\//, "list/")),
  },
  "next-tokenless-calendars": {
    clause: p22,
    title: "next of calendars loses the token",
    answer: link("next", [calendars], without("token")),
  },
  "next-relative-calendars": {
    clause: p22,
    title: "next of calendars is relative",
    answer: link("next", [calendars], ({ pathname, search }) => pathname + search),
  },
  "next-relative-subscribers": {
    clause: p22,
    title: "next of subscribers is relative",
    answer: link("next", [everySubscriber], ({ pathname, search }) => pathname + search),
  },
  "next-loses-calendar": {
    clause: p22,
    title: "next of subscribers loses the calendar",
    answer: link("next", [everySubscriber, ...variants], without("calendar_id")),
  },
  "next-loses-month": {
    clause: p22,
    alsoClauses: r32,
    title: "next loses month and year",
    answer: link("next", [events], without("month", "year")),
  },
  "next-loses-order": {
    clause: p22,
    title: "next of subscribers loses order_by",
    answer: link("next", [everySubscriber], without("order_by")),
  },
  "next-loses-unknown": {
    clause: p22,
    title: "next loses unknown parameters",
    answer: link("next", [events], without("x_unknown")),
  },
  "next-skips": {
    clause: p22,
    title: "next of events skips a page",
    answer: link("next", [events], (url) => page(String(Number(url.searchParams.get("page")) + 1))(url)),
  },
  "next-on-last-page": {
    clause: "rulings R3.2",
    alsoClauses: [p22],
    title: "next of calendars is never empty",
    answer: (body, { path, params }) =>
      void (
        path === calendars &&
        (body.paging.next ||= `http://127.0.0.1/api/v1/calendars/list/?token=x&page=${Number(params.get("page") ?? 1) + 1}`)
      ),
  },
  "previous-stuck": {
    clause: p22,
    title: "previous always leads to page 1",
    answer: link("previous", [events], page("1")),
  },
  "previous-tokenless": {
    clause: "rulings R3.2",
    alsoClauses: [p22],
    title: "previous of calendars loses the token",
    answer: link("previous", [calendars], without("token")),
  },
  "previous-other-path": {
    clause: p22,
    title: "previous of subscribers has the path of calendars",
    answer: link("previous", [everySubscriber], (url) => url.href.replace("subscribers/list", "list")),
  },
  "previous-relative": {
    clause: p22,
    title: "previous of events is relative",
    answer: link("previous", [events], ({ pathname, search }) => pathname + search),
  },
  "previous-is-next": {
    clause: p22,
    title: "previous of calendars is the same page",
    answer: link("previous", [calendars], (url) =>
      page(String(Number(url.searchParams.get("page")) + 1))(url),
    ),
  },
  "previous-loses-calendar": {
    clause: p22,
    alsoClauses: r32,
    title: "previous of subscribers loses the calendar",
    answer: link("previous", [everySubscriber, ...variants], without("calendar_id")),
  },
  "previous-loses-order": {
    clause: "rulings R3.2",
    title: "previous of events loses order_by",
    answer: link("previous", [events], without("order_by")),
  },
  "previous-empty-calendars": {
    clause: p22,
    title: "previous of calendars is always empty",
    answer: (body, { path }) => void (path === calendars && (body.paging.previous = "")),
  },
  "page-2-loses-month": {
    clause: p45,
    alsoClauses: [p22],
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
    clause: p45,
    alsoClauses: [p22],
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
    clause: p45,
    alsoClauses: [p22],
    title: "page 2 has the default order",
    ask: (ask) => void (ask.path === events && ask.params.has("page") && ask.params.delete("order_by")),
  },
  "count-of-page-2": {
    clause: "rulings R3.3",
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
    clause: "rulings R3.3",
    title: "events_count of a month is too large by one",
    answer: (body, { path, params }) =>
      void (path === events && params.has("month") && body.calendar && (body.calendar.events_count += 1)),
  },
  "count-of-variant-missing": {
    clause: "service.md 2.5",
    title: "the inactive list has no subscribers_count",
    answer: (body, { path }) =>
      void (path === inactive && body.calendar && delete body.calendar.subscribers_count),
  },
  "count-of-variant-string": {
    clause: "service.md 2.5",
    title: "subscribers_count of the blocked list is a string",
    answer: (body, { path }) =>
      void (
        path === blocked &&
        body.calendar &&
        (body.calendar.subscribers_count = String(body.calendar.subscribers_count))
      ),
  },
  "count-of-variant-all": {
    clause: "rulings R3.3",
    title: "subscribers_count of the inactive list counts the page",
    answer: (body, { path }) =>
      void (path === inactive && body.calendar && (body.calendar.subscribers_count += 1)),
  },
  "month-ignored-inactive": {
    clause: p49,
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
    clause: p49,
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
    clause: p49,
    title: "order_by is ignored in the inactive list",
    ask: param([inactive], "order_by", () => undefined),
  },
  "order-ignored-blocked": {
    clause: p49,
    title: "order_by is ignored in the blocked list",
    ask: param([blocked], "order_by", () => undefined),
  },
  "variant-fields": {
    clause: "service.md 2.5",
    title: "active is a boolean in the blocked list",
    answer: (body, { path }) =>
      void (
        path === blocked &&
        body.subscribers?.forEach(
          (one: Record<string, unknown>) => (one["active"] = one["active"] === "true"),
        )
      ),
  },
  "variant-no-paging": {
    clause: "service.md 2.1",
    alsoClauses: [p22],
    title: "the blocked list has no paging",
    answer: (body, { path }) => void (path === blocked && delete body.paging),
  },
  "variant-token": {
    clause: "service.md 5.1",
    title: "the blocked list answers without a token",
    ask: (ask, { token }) =>
      void (ask.path === blocked && !ask.params.has("token") && ask.params.set("token", token)),
  },
  "details-differ": {
    clause: "service.md 2.5",
    alsoClauses: ["service.md 4.10"],
    title: "details show another date than the list",
    answer: (body, { path }) =>
      void (
        path === "calendars/subscriber" &&
        body.subscribers?.forEach((one: Record<string, unknown>) => (one["date"] = "01/01/2020 00:00:00"))
      ),
  },
  "subscriber-day-first": {
    clause: "service.md 2.5",
    alsoClauses: ["rulings R5.5"],
    title: "date of subscribers is DD/MM/YYYY",
    answer: each("subscribers", (one) => (one.date = dayFirst(one.date))),
  },
  "upcoming-twelve": {
    clause: p45,
    title: "in upcoming 12:xx am is noon and 12:xx pm midnight",
    ask: param([events], "upcoming", flipTwelve),
  },
  "upcoming-twelve-year-first": {
    clause: p45,
    title: "in the year-first form of upcoming 12:xx am is noon",
    ask: param([events], "upcoming", (value) => (value.startsWith("2") ? flipTwelve(value) : value)),
  },
  "upcoming-capitals": {
    clause: "rulings R3.6",
    title: "AM and PM in upcoming are refused",
    ask: param([events], "upcoming", (value) => (/[AP]M$/.test(value) ? "soon" : value)),
  },
  "upcoming-seconds": {
    clause: p45,
    title: "the seconds of upcoming are dropped",
    ask: param([events], "upcoming", (value) => value.replace(/:\d\d$/, ":00")),
  },
  "upcoming-date-only": {
    clause: p45,
    title: "the time of upcoming is dropped",
    ask: param([events], "upcoming", (value) => value.replace(/ \d\d:\d\d:\d\d$/, " 00:00:00")),
  },
  "upcoming-day-first": {
    clause: p45,
    title: "MM/DD/YYYY of upcoming is read day first",
    ask: param([events], "upcoming", (value) => dayFirst(value)),
  },
  "upcoming-exclusive": {
    clause: "rulings R3.6",
    title: "upcoming leaves out what starts at that moment",
    ask: param([events], "upcoming", (value) => value.replace(/:00$/, ":01")),
  },
  "upcoming-loses-month": {
    clause: "rulings R3.6",
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
  "end-twelve": {
    clause: p46,
    title: "12:xx of end_date is the other half of the day",
    ask: param(createAndSave, "end_date", flipTwelveOfEvents),
  },
  "save-twelve": {
    clause: "service.md 4.7",
    alsoClauses: [p46, "rulings R4.2"],
    title: "save reads 12:xx AM as noon",
    ask: param(saveEvent, "start_date", flipTwelveOfEvents),
  },
  "small-letters-refused": {
    clause: "rulings R4.2",
    title: "am and pm in small letters are refused",
    ask: param(createAndSave, "end_date", (value) => (/[ap]m$/.test(value) ? "never" : value)),
  },
  "end-day-first": {
    clause: p46,
    title: "end_date is read day first where it can be",
    ask: param(createAndSave, "end_date", (value) =>
      Number(value.slice(3, 5)) <= 12 ? dayFirst(value) : value,
    ),
  },
  "end-impossible": {
    clause: p46,
    title: "an end on 31 April is 30 April",
    ask: param(createAndSave, "end_date", (value) => value.replace("04/31", "04/30")),
  },
  "date-format": {
    clause: "service.md 2.4",
    title: "date_format is DD/MM/YYYY",
    answer: each("events", (one) => (one.date_format = "DD/MM/YYYY")),
  },
  "dates-day-first": {
    clause: "service.md 2.4",
    title: "dates are shown as DD/MM/YYYY",
    answer: each("events", (one) =>
      Object.assign(one, { date_start: dayFirst(one.date_start), date_end: dayFirst(one.date_end) }),
    ),
  },
  "end-date-day-first": {
    clause: "service.md 2.4",
    title: "date_end of save is shown as DD/MM/YYYY",
    answer: (body, { path }) =>
      void (
        path === "calendars/events/save" &&
        body.event &&
        (body.event.date_end = dayFirst(body.event.date_end))
      ),
  },
  "noon-is-am": {
    clause: "service.md 2.4",
    alsoClauses: [p46],
    title: "date_end_ampm of noon is AM",
    answer: each(
      "events",
      (one) => (one.date_end_ampm = one.date_end_time.startsWith("12") ? "AM" : one.date_end_ampm),
    ),
  },
  "save-keeps-palette": {
    clause: "service.md 4.3",
    alsoClauses: ["rulings R4.6"],
    title: "save with an empty palette_id takes palette 2",
    ask: (ask) =>
      void (
        saveCalendar.includes(ask.path) &&
        ask.params.get("palette_id") === "" &&
        ask.params.set("palette_id", "2")
      ),
  },
  "save-zone-default": {
    clause: "service.md 4.3",
    title: "save with an empty timezone takes UTC",
    ask: (ask) =>
      void (
        saveCalendar.includes(ask.path) &&
        ask.params.get("timezone") === "" &&
        ask.params.set("timezone", "UTC")
      ),
  },
  "save-name-default": {
    clause: "service.md 4.3",
    title: "save without calendarname empties it",
    answer: (body, { path, params }) =>
      void (
        path === "calendars/save" &&
        body.calendar &&
        !params.get("calendarname") &&
        (body.calendar.calendarname = "")
      ),
  },
  "save-description-lost": {
    clause: "rulings R4.6",
    alsoClauses: ["service.md 4.3"],
    title: "save without description clears it",
    ask: (ask) =>
      void (
        saveCalendar.includes(ask.path) &&
        !ask.params.has("description") &&
        ask.params.set("description", "")
      ),
  },
  "save-all-day-default": {
    clause: "service.md 4.7",
    title: "save without all_day_event makes an all-day event",
    ask: (ask) =>
      void (
        saveEvent.includes(ask.path) &&
        !ask.params.has("all_day_event") &&
        ask.params.set("all_day_event", "true")
      ),
  },
  "save-zone-of-event": {
    clause: "service.md 4.7",
    title: "save without timezone takes UTC",
    ask: (ask) =>
      void (saveEvent.includes(ask.path) && !ask.params.has("timezone") && ask.params.set("timezone", "UTC")),
  },
  "save-organizer-lost": {
    clause: "rulings R4.6",
    title: "save without organizer clears it",
    ask: (ask) =>
      void (saveEvent.includes(ask.path) && !ask.params.has("organizer") && ask.params.set("organizer", "")),
  },
  "save-reminder-lost": {
    clause: "rulings R4.6",
    title: "save without reminder clears it",
    ask: (ask) =>
      void (saveEvent.includes(ask.path) && !ask.params.has("reminder") && ask.params.set("reminder", "")),
  },
  "save-empty-keeps": {
    clause: "rulings R4.6",
    title: "save with an empty location keeps it",
    ask: (ask) =>
      void (
        saveEvent.includes(ask.path) &&
        ask.params.get("location") === "" &&
        ask.params.delete("location")
      ),
  },
  "active-is-total": {
    clause: "service.md 2.3",
    alsoClauses: ["rulings R5.2"],
    title: "followers_active equals the total",
    answer: each("calendars", (one) => (one.followers_active = one.followers_total)),
  },
  "total-is-active": {
    clause: "service.md 2.3",
    alsoClauses: ["rulings R5.2"],
    title: "followers_total counts the active ones",
    answer: each("calendars", (one) => (one.followers_total = one.followers_active)),
  },
  "half-hour-sign": {
    clause: "rulings R4.5",
    title: "-03:30 has no sign",
    answer: (body) =>
      void body.data?.forEach(
        (zone: Record<string, string>) =>
          (zone["offset"] = (zone["offset"] ?? "").replace(/^-(?=..:30)/, "")),
      ),
  },
  "east-has-sign": {
    clause: "rulings R4.5",
    title: "offsets of 45 minutes have a plus sign",
    answer: (body) =>
      void body.data?.forEach(
        (zone: Record<string, string>) =>
          (zone["offset"] = (zone["offset"] ?? "").replace(/^(?=\d\d:45)/, "+")),
      ),
  },
  "zone-missing": {
    clause: "rulings R4.5",
    title: "Etc/UTC is not listed",
    answer: (body) =>
      void (
        body.data &&
        (body.data = body.data.filter((zone: Record<string, string>) => zone["label"] !== "Etc/UTC"))
      ),
  },
  "e-mail-lower": {
    clause: "rulings R4.12",
    title: "e-mail addresses are lower-cased",
    answer: each("events", (one) => (one.organizer_email = one.organizer_email.toLowerCase())),
  },
  "location-trimmed": {
    clause: "rulings R4.12",
    title: "locations are trimmed",
    answer: each("events", (one) => (one.location = one.location.trim())),
  },
  "organizer-capital": {
    clause: "service.md 1.4",
    alsoClauses: [p46, "service.md 2.4"],
    title: "organizers are capitalised",
    answer: each(
      "events",
      (one) => (one.organizer = one.organizer.charAt(0).toUpperCase() + one.organizer.slice(1)),
    ),
  },
  "name-lower": {
    clause: "rulings R4.12",
    alsoClauses: ["service.md 1.4"],
    title: "calendarname is lower-cased",
    answer: each("calendars", (one) => (one.calendarname = one.calendarname.toLowerCase())),
  },
  "zone-of-list": {
    clause: p46,
    alsoClauses: ["service.md 2.4"],
    title: "the list shows UTC as the zone of every event",
    answer: (body, { path }) =>
      void (
        path === events && body.events?.forEach((one: Record<string, string>) => (one["timezone"] = "UTC"))
      ),
  },
  "colour-20": {
    clause: p46,
    alsoClauses: ["service.md 8"],
    title: "colour 20 is refused",
    ask: param(createAndSave, "color_id", (value) => (value === "20" ? "22" : value)),
  },
  "events-total-of-save": {
    clause: "service.md 2.3",
    alsoClauses: ["service.md 4.3"],
    title: "events_total of save is 0",
    answer: (body, { path }) =>
      void (path === "calendars/save" && body.calendar && (body.calendar.events_total = "0")),
  },
  "no-store-of-one": {
    clause: "rulings R2.5",
    title: "the list of subscribers may be stored",
    send: header("cache-control", [everySubscriber], [200]),
  },
  "no-store-of-writes": {
    clause: "rulings R2.5",
    title: "a deleted event may be stored",
    send: header("cache-control", ["calendars/events/delete"], [200]),
  },
  "no-store-of-errors": {
    clause: "rulings R2.5",
    title: "a 404 may be stored",
    send: header("cache-control", undefined, [404]),
  },
  "type-of-one": {
    clause: "rulings R2.4",
    title: "details have no Content-Type",
    send: header("content-type", ["calendars/subscriber"], [200, 400, 404]),
  },
  "cors-of-errors": {
    clause: "rulings R1.9",
    title: "errors are not for other origins",
    send: header("access-control-allow-origin", undefined, [400, 401, 404]),
  },
  "allow-missing": {
    clause: "rulings R1.2",
    title: "a 405 on events has no Allow",
    send: header("allow", [events], [405]),
  },
  "cookie-of-one": {
    clause: "rulings R1.9",
    title: "saving a calendar sets a cookie",
    send: (answered, { path }) =>
      path === "calendars/save"
        ? { ...answered, headers: { ...answered.headers, "set-cookie": "a=b" } }
        : answered,
  },
  "head-has-another-status": {
    clause: "rulings R1.2",
    title: "HEAD of the list of subscribers is 405",
    send: (answered, { path, method }) =>
      path === everySubscriber && method === "HEAD" ? { ...answered, status: 405 } : answered,
  },
  "ignored-not-named": {
    clause: "rulings R1.11",
    title: "ignored parameters are not named",
    send: header("kalends-ignored-parameters", undefined, [200, 400]),
  },
  "message-empty": {
    clause: "rulings R2.2",
    title: "error_message is empty",
    answer: meta((one) => (one.error_message = "")),
  },
  "request-id-same": {
    clause: "rulings R2.2",
    title: "all errors have one request_id",
    answer: meta((one) => (one.request_id = "0123456789abcdef")),
  },
  "errors-lack-messages": {
    clause: "rulings R2.2",
    title: "errors have no messages",
    answer: meta((one) => one.errors?.forEach((error: Record<string, unknown>) => delete error["message"])),
  },
  "errors-first-only": {
    clause: "rulings R2.2",
    title: "errors name the first parameter only",
    answer: meta((one) => one.errors?.splice(1)),
  },
  "error-type-of-one": {
    clause: "rulings R2.2",
    title: "error_type of a 405 is missing",
    answer: (body) => void (body.meta?.code === "405" && delete body.meta.error_type),
  },
  "wrong-token-403": {
    clause: "rulings R2.3",
    title: "a wrong token is 403 on subscribers",
    send: (answered, { path }) =>
      path === everySubscriber && answered.status === 401
        ? { ...answered, status: 403, body: answered.body.replace('"401"', '"403"') }
        : answered,
  },
  "one-code-integer": {
    clause: "service.md 2.1",
    title: "meta.code of the blocked list is an integer",
    answer: (body, { path }) =>
      void (path === blocked && body.meta && (body.meta.code = Number(body.meta.code))),
  },
  "subscribers-hidden": {
    clause: p49,
    alsoClauses: ["service.md 2.5", "service.md 4.10"],
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
  "calendar-hidden": {
    clause: "service.md 4.1",
    alsoClauses: ["service.md 2.3", "rulings R5.2"],
    title: "calendars with followers are not listed",
    answer: (body, { path }) =>
      void (
        path === calendars &&
        body.calendars &&
        (body.calendars = body.calendars.filter(
          (one: Record<string, string>) => one["followers_total"] === "0",
        ))
      ),
  },
};
