import {
  asAnyone,
  blocked,
  calendars,
  createAndSave,
  createEvent,
  deleteCalendar,
  each,
  events,
  everySubscriber,
  header,
  html,
  json,
  look,
  meta,
  param,
  refusal,
  values,
  zones,
} from "./changes.js";
import type { Faults } from "./proxy.js";

/** Id → fault of requests: tokens, methods, parameters, errors and the envelope. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults: Faults = {
  M1: {
    clause: "docs/contract.md#2.1",
    foundBy: "envelope.code-is-a-string",
    title: "meta.code is an integer outside the time zone list",
    answer: (body, { path }) => void (path !== zones && (body.meta.code = Number(body.meta.code))),
  },
  M3: {
    clause: "docs/contract.md#7.1",
    foundBy: "errors.json",
    alsoClauses: ["docs/contract.md#1.2"],
    title: "a 401 is HTML",
    send: (answered) => (answered.status === 401 ? html(401, "<h1>Unauthorized</h1>") : answered),
  },
  M4: {
    clause: "docs/contract.md#7.1",
    foundBy: "errors.status",
    alsoClauses: ["docs/contract.md#1.3"],
    title: "errors come with HTTP status 200",
    send: (answered) => ({ ...answered, status: answered.status >= 400 ? 200 : answered.status }),
  },
  M5: {
    clause: "docs/contract.md#7.2",
    foundBy: "errors.code-is-not-200",
    title: "meta.code of an error is 200",
    answer: meta((one) => (one.code = "200")),
  },
  M6: {
    clause: "docs/contract.md#5.1",
    foundBy: "auth.no-token.listCalendars",
    title: "a request without token is let in",
    ask: ({ path, params, headers }, { token }) => {
      if (path !== zones && !params.get("token") && !headers.authorization) params.set("token", token);
    },
  },
  "empty-ids": {
    clause: "docs/rulings.md#r1.5",
    foundBy: "http.empty-ids",
    title: "an empty calendar_id lists the events of no calendar",
    send: (answered, { path, params }) => {
      if (path !== events || params.get("calendar_id") !== "") return answered;
      const paging = { previous: "", next: "" };
      return json({ meta: { code: "200" }, calendar: { id: "", events_count: 0 }, events: [], paging });
    },
  },
  M7: {
    clause: "docs/rulings.md#r2.3",
    foundBy: "auth.token-case",
    title: "the token is compared without case",
    ask: ({ params }, { token }) => {
      if (params.get("token")?.toLowerCase() === token.toLowerCase()) params.set("token", token);
    },
  },
  M16: {
    clause: "docs/rulings.md#r3.1",
    foundBy: "paging.page.never-a-server-error.zero",
    title: "page=0 gives a 500 with a stack trace",
    send: (answered, { params }) =>
      params.get("page") === "0"
        ? html(500, "<pre>TypeError: LIMIT must not be negative\n    at list (app.js:1:2)</pre>")
        : answered,
  },
  M27: {
    clause: "docs/contract.md#5.2",
    foundBy: "isolation.calendars.delete",
    title: "any account deletes any calendar",
    instead: asAnyone((path) => path === deleteCalendar),
  },
  M46: {
    clause: "docs/contract.md#8",
    foundBy: "events.create.colour-21",
    alsoClauses: ["docs/contract.md#4.6"],
    title: "color_id 21 is accepted",
    ask: param(createAndSave, "color_id", (value) => (value === "21" ? "20" : value)),
  },
  "twelve-colours": {
    clause: "docs/rulings.md#r4.9",
    foundBy: "events.create.colours-of-the-palette",
    title: "the default palette has 12 colours",
    ask: param(createAndSave, "color_id", (value) => (Number(value) > 12 ? "22" : value)),
  },
  "colour-of-create": {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.all-colours",
    alsoClauses: ["docs/contract.md#8"],
    title: "create takes colour 20 for 19",
    ask: param([createEvent], "color_id", (value) => (value === "20" ? "19" : value)),
  },
  K26: {
    clause: "docs/contract.md#1.4",
    foundBy: "text.percent",
    title: "values are decoded twice",
    ask: values(["title", "description", "location"], (value) =>
      value.replace(/%[2-7][0-9A-Fa-f]/g, decodeURIComponent),
    ),
  },
  K27: {
    clause: "docs/contract.md#5.2",
    foundBy: "isolation.events.list",
    alsoClauses: ["docs/rulings.md#r2.3"],
    title: "any account reads any calendar's events",
    instead: asAnyone((path) => path === events),
  },
  K29: {
    clause: "docs/contract.md#8",
    foundBy: "events.list.month-13",
    alsoClauses: ["docs/contract.md#4.5"],
    title: "month 13 is accepted and lists nothing",
    instead: async (ask, { pass }) => {
      if (ask.params.get("month") !== "13") return pass(ask);
      ask.params.set("month", "12");
      const answered = await pass(ask);
      return { ...answered, body: answered.body.replace(/"events":\[.*\]/, '"events":[]') };
    },
  },
  K31: {
    clause: "docs/rulings.md#r1.2",
    foundBy: "http.other-methods",
    title: "HEAD deletes",
    instead: (ask, { pass }) =>
      pass(ask.method === "HEAD" && ask.path.endsWith("/delete") ? { ...ask, method: "GET" } : ask),
  },
  K32: {
    clause: "docs/contract.md#7.1",
    foundBy: "http.unknown-path",
    alsoClauses: ["docs/contract.md#1.2", "docs/rulings.md#r2.4"],
    title: "an unknown path answers HTML",
    send: (answered) =>
      answered.status === 404 && answered.body.includes('"path_unknown"')
        ? html(404, "<h1>Not found</h1>")
        : answered,
  },
  K35: {
    clause: "docs/contract.md#5.2",
    foundBy: "isolation.calendars.list",
    alsoClauses: ["docs/contract.md#4.1"],
    title: "the list has the calendars of every account",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      if (ask.path !== calendars || answered.status !== 200) return answered;
      const body = JSON.parse(answered.body);
      const own = ask.params.get("token");
      const token = own === around.token ? around.otherToken : around.token;
      body.calendars.push(...(await look(ask, around, calendars, {}, token)).body.calendars);
      return { ...answered, body: JSON.stringify(body) };
    },
  },
  K37: {
    clause: "docs/contract.md#1.2",
    foundBy: "http.content-type",
    alsoClauses: ["docs/rulings.md#r2.4"],
    title: "the type of answers is text/html",
    send: (answered) => ({ ...answered, headers: { ...answered.headers, "content-type": "text/html" } }),
  },
  K40: {
    clause: "docs/rulings.md#r1.4",
    foundBy: "http.repeated-parameters",
    title: "of a repeated parameter the last wins",
    ask: ({ params }) => {
      for (const [name, value] of [...params]) if (params.getAll(name).length > 1) params.set(name, value);
    },
  },
  K41: {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.no-echo",
    title: "error_message echoes the value",
    answer: (body, { params }) => {
      for (const { parameter } of body.meta.errors) body.meta.error_message += ` ${params.get(parameter)}`;
    },
  },
  K47: {
    clause: "docs/rulings.md#r1.3",
    foundBy: "http.slash",
    title: "a path without its final slash is redirected",
    instead: async (ask, { pass }) => {
      const [path = "", ...query] = ask.target.split("?");
      if (ask.path === zones || !path.startsWith("/api/v1/") || path.endsWith("/")) return pass(ask);
      return { status: 301, headers: { location: [`${path}/`, ...query].join("?") }, body: "" };
    },
  },
  K48: {
    clause: "docs/rulings.md#r2.5",
    foundBy: "http.no-store",
    title: "answers may be cached",
    send: (answered) => ({
      ...answered,
      headers: { ...answered.headers, "cache-control": "public, max-age=300" },
    }),
  },
  K61: {
    clause: "docs/rulings.md#r2.6",
    foundBy: "errors.malformed-id",
    title: "ids are read up to the first strange character",
    ask: values(
      ["calendar_id", "event_id", "subscriber_id"],
      (value) => /^[1-9]\d*/.exec(value)?.[0] ?? value,
    ),
  },
  K63: {
    clause: "docs/rulings.md#r1.1",
    foundBy: "http.post-form",
    title: "POST is refused",
    instead: async (ask, { pass }) =>
      ask.method === "POST" ? refusal(405, "method_not_allowed") : pass(ask),
  },
  K64: {
    clause: "docs/rulings.md#r2.3",
    foundBy: "isolation.same-answer",
    title: "another account's calendar is a 403",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      const calendar_id = ask.params.get("calendar_id");
      if (answered.status !== 404 || calendar_id === null) return answered;
      const own = ask.params.get("token");
      const token = own === around.token ? around.otherToken : around.token;
      const { status } = await look(ask, around, "x/calendars/details", { calendar_id }, token);
      return status === 200 ? refusal(403, "forbidden") : answered;
    },
  },
  K65: {
    clause: "docs/contract.md#1.6",
    foundBy: "envelope.everywhere",
    alsoClauses: ["docs/contract.md#2.1", "docs/contract.md#4.4"],
    title: "delete answers without meta",
    answer: (body, { path }) => void (path === deleteCalendar && body.calendar && delete body.meta),
  },
  "variant-no-paging": {
    clause: "docs/contract.md#2.1",
    foundBy: "envelope.paging",
    alsoClauses: ["docs/contract.md#2.2"],
    title: "the blocked list has no paging",
    answer: (body, { path }) => void (path === blocked && delete body.paging),
  },
  "variant-token": {
    clause: "docs/contract.md#5.1",
    foundBy: "auth.no-token.listBlockedSubscribers",
    title: "the blocked list answers without a token",
    ask: (ask, { token }) =>
      void (ask.path === blocked && !ask.params.has("token") && ask.params.set("token", token)),
  },
  "organizer-capital": {
    clause: "docs/contract.md#1.4",
    foundBy: "text.reserved-characters",
    alsoClauses: ["docs/contract.md#4.6", "docs/contract.md#2.4"],
    title: "organizers are capitalised",
    answer: each(
      "events",
      (one) => (one.organizer = one.organizer.charAt(0).toUpperCase() + one.organizer.slice(1)),
    ),
  },
  "no-store-of-one": {
    clause: "docs/rulings.md#r2.5",
    foundBy: "http.no-store",
    title: "the list of subscribers may be stored",
    send: header("cache-control", [everySubscriber], [200]),
  },
  "no-store-of-writes": {
    clause: "docs/rulings.md#r2.5",
    foundBy: "http.no-store",
    title: "a deleted event may be stored",
    send: header("cache-control", ["calendars/events/delete"], [200]),
  },
  "no-store-of-errors": {
    clause: "docs/rulings.md#r2.5",
    foundBy: "http.no-store",
    title: "a 404 may be stored",
    send: header("cache-control", undefined, [404]),
  },
  "type-of-one": {
    clause: "docs/rulings.md#r2.4",
    foundBy: "http.content-type",
    title: "details have no Content-Type",
    send: header("content-type", ["calendars/subscriber"], [200, 400, 404]),
  },
  "cors-of-errors": {
    clause: "docs/rulings.md#r1.9",
    foundBy: "http.cors",
    title: "errors are not for other origins",
    send: header("access-control-allow-origin", undefined, [400, 401, 404]),
  },
  "allow-missing": {
    clause: "docs/rulings.md#r1.2",
    foundBy: "http.reads-refuse-post",
    title: "a 405 on events has no Allow",
    send: header("allow", [events], [405]),
  },
  "cookie-of-one": {
    clause: "docs/rulings.md#r1.9",
    foundBy: "http.no-cookies",
    title: "saving a calendar sets a cookie",
    send: (answered, { path }) =>
      path === "calendars/save"
        ? { ...answered, headers: { ...answered.headers, "set-cookie": "a=b" } }
        : answered,
  },
  "head-has-another-status": {
    clause: "docs/rulings.md#r1.2",
    foundBy: "http.head",
    title: "HEAD of the list of subscribers is 405",
    send: (answered, { path, method }) =>
      path === everySubscriber && method === "HEAD" ? { ...answered, status: 405 } : answered,
  },
  "ignored-not-named": {
    clause: "docs/rulings.md#r1.11",
    foundBy: "http.ignored-parameters",
    title: "ignored parameters are not named",
    send: header("kalends-ignored-parameters", undefined, [200, 400]),
  },
  "message-empty": {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.fields",
    title: "error_message is empty",
    answer: meta((one) => (one.error_message = "")),
  },
  "request-id-same": {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.request-id-is-unique",
    title: "all errors have one request_id",
    answer: meta((one) => (one.request_id = "0123456789abcdef")),
  },
  "errors-lack-messages": {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.names-the-parameters",
    title: "errors have no messages",
    answer: meta((one) => one.errors?.forEach((error: Record<string, unknown>) => delete error["message"])),
  },
  "errors-first-only": {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.names-the-parameters",
    title: "errors name the first parameter only",
    answer: meta((one) => one.errors?.splice(1)),
  },
  "error-type-of-one": {
    clause: "docs/rulings.md#r2.2",
    foundBy: "errors.fields",
    title: "error_type of a 405 is missing",
    answer: (body) => void (body.meta?.code === "405" && delete body.meta.error_type),
  },
  "wrong-token-403": {
    clause: "docs/rulings.md#r2.3",
    foundBy: "errors.401",
    title: "a wrong token is 403 on subscribers",
    send: (answered, { path }) =>
      path === everySubscriber && answered.status === 401
        ? { ...answered, status: 403, body: answered.body.replace('"401"', '"403"') }
        : answered,
  },
  "one-code-integer": {
    clause: "docs/contract.md#2.1",
    foundBy: "envelope.code-is-a-string",
    title: "meta.code of the blocked list is an integer",
    answer: (body, { path }) =>
      void (path === blocked && body.meta && (body.meta.code = Number(body.meta.code))),
  },
};
