import {
  asAnyone,
  blocked,
  byDefault,
  calendars,
  createAndSave,
  each,
  events,
  everySubscriber,
  flipTwelveOfEvents,
  html,
  inactive,
  inOnePage,
  link,
  lists,
  look,
  meta,
  param,
  refusal,
  reordered,
  undeleted,
  values,
  variants,
  whole,
  withBefore,
} from "./changes.js";
import type { Planted } from "./proxy.js";

const zones = "timezones";
const createCalendar = "calendars/create";
const saveCalendar = "calendars/save";
const deleteCalendar = "calendars/delete";
const writeCalendar = [createCalendar, saveCalendar];
const createEvent = "calendars/events/create";
const saveEvent = "calendars/events/save";
const deleteEvent = "calendars/events/delete";
const details = "calendars/subscriber";
const subscribers = [everySubscriber, ...variants];

/** "07/04/2026" and "13:30:00" as if they were UTC. */
const asUtc = (date: string, time: string): number =>
  Date.parse(`${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}T${time}Z`) / 1000;

/** "07/04/2026 13:30" of Unix seconds, in UTC. */
const utcText = (unix: number): string =>
  new Date(unix * 1000).toISOString().replace(/^(\d{4})-(\d\d)-(\d\d)T([\d:]{5}).*$/, "$2/$3/$1 $4");

/** Unix seconds of a start in the form of most checks; undefined for other forms. */
const startOf = (value: string | null): number | undefined => {
  const [, date, time] = /^(\d\d\/\d\d\/\d{4}) (\d\d:\d\d)$/.exec(value ?? "") ?? [];
  return date === undefined || time === undefined ? undefined : asUtc(date, `${time}:00`);
};

const contractForm = /^\d\d\/\d\d\/\d{4} \d\d:\d\d( [AP]M)?$/;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Id → fault. M: the public faults of the project's research. K: our own. */
export const contract = {
  M1: {
    clause: "service.md 2.1",
    title: "meta.code is an integer outside the time zone list",
    answer: (body, { path }) => void (path !== zones && (body.meta.code = Number(body.meta.code))),
  },
  M2: {
    clause: "service.md 4.12",
    alsoClauses: ["service.md 2.1"],
    title: "meta.code of the time zone list is a string",
    answer: (body, { path }) => void (path === zones && (body.meta.code = String(body.meta.code))),
  },
  M3: {
    clause: "service.md 7.1",
    alsoClauses: ["service.md 1.2"],
    title: "a 401 is HTML",
    send: (answered) => (answered.status === 401 ? html(401, "<h1>Unauthorized</h1>") : answered),
  },
  M4: {
    clause: "service.md 7.1",
    alsoClauses: ["service.md 1.3"],
    title: "errors come with HTTP status 200",
    send: (answered) => ({ ...answered, status: answered.status >= 400 ? 200 : answered.status }),
  },
  M5: {
    clause: "service.md 7.2",
    title: "meta.code of an error is 200",
    answer: meta((one) => (one.code = "200")),
  },
  M6: {
    clause: "service.md 5.1",
    title: "a request without token is let in",
    ask: ({ path, params, headers }, { token }) => {
      if (path !== zones && !params.get("token") && !headers.authorization) params.set("token", token);
    },
  },
  M7: {
    clause: "service.md 5.2",
    title: "the token is compared without case",
    ask: ({ params }, { token }) => {
      if (params.get("token")?.toLowerCase() === token.toLowerCase()) params.set("token", token);
    },
  },
  M9: {
    clause: "service.md 2.2",
    alsoClauses: ["rulings R3.2"],
    title: "next loses calendar_id and order_by",
    answer: link("next", lists, (url) => {
      for (const name of ["calendar_id", "order_by"]) url.searchParams.delete(name);
      return url.href;
    }),
  },
  M10: {
    clause: "service.md 2.2",
    alsoClauses: ["rulings R3.2"],
    title: "next carries page twice",
    answer: link("next", lists, (url) => `${url.href}&page=1`),
  },
  M11: {
    clause: "service.md 2.2",
    alsoClauses: ["rulings R3.2"],
    title: "previous is null on page 1",
    answer: (body) => void (body.paging?.previous === "" && (body.paging.previous = null)),
  },
  M12: {
    clause: "service.md 2.2",
    alsoClauses: ["rulings R3.2"],
    title: "next is relative",
    answer: link("next", lists, ({ pathname, search }) => pathname + search),
  },
  M13: {
    clause: "service.md 2.2",
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
    clause: "service.md 2.2",
    title: "the last page of several lacks its last item",
    answer: (body, { params }) => {
      if (Number(params.get("page") ?? "1") < 2 || body.paging.next !== "") return;
      for (const name of ["calendars", "events", "subscribers"]) body[name]?.pop();
    },
  },
  M15: {
    clause: "service.md 4.1",
    title: "calendars come in the order of creation",
    instead: reordered(calendars, "calendars", (one, other) => Number(one.id) - Number(other.id)),
  },
  M16: {
    clause: "service.md 7.1",
    title: "page=0 gives a 500 with a stack trace",
    send: (answered, { params }) =>
      params.get("page") === "0"
        ? html(500, "<pre>TypeError: LIMIT must not be negative\n    at list (app.js:1:2)</pre>")
        : answered,
  },
  M18: {
    clause: "service.md 2.3",
    title: "follower counters are integers",
    answer: each("calendars", (one) => {
      for (const name of ["followers_active", "followers_total"]) one[name] = Number(one[name]);
    }),
  },
  M19: {
    clause: "service.md 4.2",
    title: "an empty calendarname stays empty",
    answer: (body, { path, params }) =>
      void (path === createCalendar && !params.get("calendarname") && (body.calendar.calendarname = "")),
  },
  M20: {
    clause: "service.md 4.2",
    title: "an empty timezone becomes UTC",
    ask: byDefault([createCalendar], "timezone", "UTC"),
  },
  M21: {
    clause: "service.md 2.3",
    alsoClauses: ["service.md 4.3"],
    title: "save answers with timezone",
    answer: (body, { path, params }) =>
      void (path === saveCalendar && body.calendar && (body.calendar.timezone = params.get("timezone"))),
  },
  M22: {
    clause: "service.md 4.3",
    title: "save leaves date_modified",
    answer: (body, { path }) =>
      void (path === saveCalendar && (body.calendar.date_modified = body.calendar.date_create)),
  },
  M23: {
    clause: "service.md 2.3",
    title: "date_create is in milliseconds",
    answer: each("calendars", (one) => (one.date_create *= 1000)),
  },
  M24: {
    clause: "service.md 2.3",
    title: "timezone is wrapped in extra quotes",
    answer: each("calendars", (one) => one.timezone && (one.timezone = `"${one.timezone}"`)),
  },
  M26: {
    clause: "service.md 3",
    alsoClauses: ["service.md 4.4"],
    title: "a deleted calendar is still listed",
    instead: undeleted(deleteCalendar, "x/calendars/details", "calendar_id", "calendar"),
  },
  M27: {
    clause: "service.md 5.2",
    title: "any account deletes any calendar",
    instead: asAnyone((path) => path === deleteCalendar),
  },
  M30: {
    clause: "service.md 2.4",
    title: "create answers with an id that is a string",
    answer: (body, { path }) => void (path === createEvent && (body.event.id = String(body.event.id))),
  },
  M31: {
    clause: "service.md 2.4",
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
    clause: "service.md 2.4",
    title: "create answers with date_start_unix",
    answer: (body, { path }) => void (path === createEvent && (body.event.date_start_unix = 1)),
  },
  M33: {
    clause: "service.md 4.6",
    title: "the default end is half an hour after the start",
    ask: ({ path, params }) => {
      const start = startOf(params.get("start_date"));
      if (!createAndSave.includes(path) || start === undefined || params.get("end_date")) return;
      if (!params.get("all_day_event")) params.set("end_date", utcText(start + 1800));
    },
  },
  M34: {
    clause: "service.md 4.6",
    title: "01:30 PM is stored as 01:30",
    ask: param(createAndSave, "start_date", (value) => value.replace(/ (01:30) PM$/, " $1")),
  },
  M35: {
    clause: "service.md 2.4",
    title: "date_start_time is on the 12-hour clock",
    answer: each("events", (one) => {
      const hour = Number(one.date_start_time.slice(0, 2)) % 12 || 12;
      one.date_start_time = `${String(hour).padStart(2, "0")}${one.date_start_time.slice(2)}`;
    }),
  },
  M36: {
    clause: "service.md 4.6",
    title: "the start is read as UTC",
    answer: (body, { path }) => {
      if (path === events)
        for (const one of body.events) one.date_start_unix = asUtc(one.date_start, one.date_start_time);
    },
  },
  M37: {
    clause: "service.md 4.6",
    title: "12:15 AM becomes noon",
    ask: param(createAndSave, "start_date", (value) =>
      value.endsWith("AM") ? flipTwelveOfEvents(value) : value,
    ),
  },
  M38: {
    clause: "service.md 3",
    alsoClauses: ["service.md 4.7", "service.md 2.4"],
    title: "updated_times never counts",
    answer: each("events", (one) => (one.updated_times = "0")),
  },
  M40: {
    clause: "service.md 2.4",
    title: "all_day_event is a boolean",
    answer: each("events", (one) => (one.all_day_event = one.all_day_event === "true")),
  },
  M44: {
    clause: "service.md 4.5",
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
  M46: {
    clause: "service.md 8",
    alsoClauses: ["service.md 4.6"],
    title: "color_id 21 is accepted",
    ask: param(createAndSave, "color_id", (value) => (value === "21" ? "20" : value)),
  },
  M47: {
    clause: "service.md 4.6",
    title: "30 February rolls over to March",
    ask: param(createAndSave, "start_date", (value) => value.replace("02/30", "03/02")),
  },
  M54: {
    clause: "service.md 4.9",
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
    clause: "service.md 4.10",
    title: "the one subscriber is an object",
    answer: (body, { path }) => void (path === details && ([body.subscribers] = body.subscribers)),
  },
  M57: {
    clause: "service.md 2.5",
    title: "an unknown postal code is null",
    answer: each("subscribers", (one) => one.postal === "null" && (one.postal = null)),
  },

  K1: {
    clause: "rulings R3.4",
    alsoClauses: ["service.md 4.5"],
    title: "order_by=date-desc sorts by creation",
    ask: param([events], "order_by", (value) => (value === "date-desc" ? "id-desc" : value)),
  },
  K2: {
    clause: "service.md 4.5",
    title: "order_by=id-asc is descending",
    ask: param([events], "order_by", (value) => (value === "id-asc" ? "id-desc" : value)),
  },
  K3: {
    clause: "service.md 4.5",
    title: "the default order is oldest first",
    ask: ({ path, params }) => {
      if (path === events && !params.has("order_by") && !params.has("upcoming"))
        params.set("order_by", "id-asc");
    },
  },
  K4: {
    clause: "service.md 4.5",
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
    clause: "service.md 4.5",
    alsoClauses: ["rulings R3.5"],
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
    clause: "service.md 4.5",
    title: "upcoming=now lists past events",
    ask: param([events], "upcoming", (value) => (value === "now" ? "2000-01-01 00:00:00" : value)),
  },
  K7: {
    clause: "service.md 4.5",
    title: "DD-MM-YYYY is read month first",
    ask: param([events], "upcoming", (value) => value.replace(/^(0\d|1[0-2])-(\d\d)-(\d{4})/, "$2-$1-$3")),
  },
  K8: {
    clause: "service.md 4.5",
    title: "upcoming with pm is read as am",
    ask: param([events], "upcoming", (value) => value.replace(/(?<! 00:\d\d)pm$/, "am")),
  },
  K9: {
    clause: "service.md 2.4",
    alsoClauses: ["service.md 4.5", "rulings R3.3"],
    title: "events_count counts the page only",
    answer: (body, { path }) => void (path === events && (body.calendar.events_count = body.events.length)),
  },
  K10: {
    clause: "service.md 2.4",
    alsoClauses: ["service.md 4.6", "rulings R4.8"],
    title: "line feeds go out as they came",
    answer: each("events", (one) => (one.description = one.description.replaceAll("\r\n", "\n"))),
  },
  K11: {
    clause: "service.md 4.6",
    title: "the zone of an event defaults to Los Angeles, not to that of its calendar",
    ask: byDefault([createEvent], "timezone", "America/Los_Angeles"),
  },
  K12: {
    clause: "service.md 4.7",
    alsoClauses: ["rulings R4.6"],
    title: "save without end_date keeps the old end",
    instead: withBefore(saveEvent, (params, { end_date }) => {
      if (!params.get("end_date")) params.set("end_date", end_date);
    }),
  },
  K13: {
    clause: "service.md 3",
    alsoClauses: ["service.md 4.8"],
    title: "a deleted event is still listed",
    instead: undeleted(deleteEvent, "x/events/details", "event_id", "event"),
  },
  K14: {
    clause: "service.md 2.3",
    title: "events_total does not count",
    answer: each("calendars", (one) => (one.events_total = "0")),
  },
  K15: {
    clause: "service.md 4.2",
    alsoClauses: ["service.md 2.3"],
    title: "the description of a calendar is lost",
    ask: param(writeCalendar, "description", () => ""),
  },
  K16: {
    clause: "service.md 2.3",
    alsoClauses: ["rulings R4.1"],
    title: "every calendar has the same uniquekey",
    answer: each("calendars", (one) => (one.uniquekey = "aaaabbbbcccc")),
  },
  K17: {
    clause: "service.md 4.6",
    alsoClauses: ["service.md 2.4"],
    title: "updated_times is 1 after creation",
    answer: (body, { path }) => void (path === createEvent && (body.event.updated_times = "1")),
  },
  K18: {
    clause: "service.md 4.9",
    title: "blocked/ lists everyone",
    instead: (ask, { pass }) => pass({ ...ask, target: ask.target.replace("/list/blocked/", "/list/") }),
  },
  K19: {
    clause: "service.md 4.9",
    alsoClauses: ["rulings R5.4"],
    title: "the plain list hides the blocked ones",
    answer: (body, { path }) => {
      if (path === everySubscriber && body.subscribers)
        body.subscribers = body.subscribers.filter((one: { blocked: string }) => one.blocked === "false");
    },
  },
  K20: {
    clause: "service.md 4.9",
    alsoClauses: ["rulings R3.4"],
    title: "subscribers come oldest first",
    ask: ({ path, params }) => {
      if (subscribers.includes(path) && !params.has("order_by")) params.set("order_by", "id-asc");
    },
  },
  K21: {
    clause: "service.md 4.10",
    alsoClauses: ["rulings R2.3"],
    title: "a subscriber is shown under any calendar",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      if (ask.path !== details || answered.status !== 404) return answered;
      ask.params.set("calendar_id", around.followed);
      return around.pass(ask);
    },
  },
  K22: {
    clause: "service.md 4.12",
    title: "time zones are not in the order of their names",
    answer: (body) => void (body.data && (body.data = body.data.toReversed())),
  },
  K23: {
    clause: "service.md 2.6",
    title: "offsets lack the leading zero",
    answer: (body) =>
      body.data?.forEach((zone: { offset: string }) => (zone.offset = zone.offset.replace(/^(-?)0/, "$1"))),
  },
  K24: {
    clause: "service.md 4.12",
    alsoClauses: ["service.md 1.5"],
    title: "the time zone list asks for a token",
    instead: async (ask, { pass }) =>
      ask.path === zones && !ask.params.has("token") ? refusal(401, "token_missing") : pass(ask),
  },
  K25: {
    clause: "service.md 2.2",
    alsoClauses: ["service.md 1.4", "rulings R3.2"],
    title: "next does not encode its values",
    answer: link("next", lists, (url) => {
      const pairs = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
      return `${url.origin}${url.pathname}?${pairs.join("&")}`;
    }),
  },
  K26: {
    clause: "service.md 1.4",
    title: "values are decoded twice",
    ask: values(["title", "description", "location"], (value) =>
      value.replace(/%[2-7][0-9A-Fa-f]/g, decodeURIComponent),
    ),
  },
  K27: {
    clause: "service.md 5.2",
    alsoClauses: ["rulings R2.3"],
    title: "any account reads any calendar's events",
    instead: asAnyone((path) => path === events),
  },
  K29: {
    clause: "service.md 8",
    alsoClauses: ["service.md 4.5"],
    title: "month 13 is accepted and lists nothing",
    instead: async (ask, { pass }) => {
      if (ask.params.get("month") !== "13") return pass(ask);
      ask.params.set("month", "12");
      const answered = await pass(ask);
      return { ...answered, body: answered.body.replace(/"events":\[.*\]/, '"events":[]') };
    },
  },
  K30: {
    clause: "rulings R4.4",
    alsoClauses: ["service.md 4.6"],
    title: "all_day_event=maybe counts as false",
    ask: values(["all_day_event"], (value) => (value === "maybe" ? "false" : value)),
  },
  K31: {
    clause: "rulings R1.2",
    title: "HEAD deletes",
    instead: (ask, { pass }) =>
      pass(ask.method === "HEAD" && ask.path.endsWith("/delete") ? { ...ask, method: "GET" } : ask),
  },
  K32: {
    clause: "service.md 7.1",
    alsoClauses: ["service.md 1.2", "rulings R2.4"],
    title: "an unknown path answers HTML",
    send: (answered) =>
      answered.status === 404 && answered.body.includes('"path_unknown"')
        ? html(404, "<h1>Not found</h1>")
        : answered,
  },
  K33: {
    clause: "service.md 2.5",
    title: "active is a boolean",
    answer: each("subscribers", (one) => (one.active = one.active === "true")),
  },
  K34: {
    clause: "service.md 2.5",
    alsoClauses: ["rulings R5.5"],
    title: "the date of a subscriber is in UTC",
    answer: each("subscribers", (one) => (one.date = `${utcText(one.unixtime_stamp)}:00`)),
  },
  K35: {
    clause: "service.md 5.2",
    alsoClauses: ["service.md 4.1"],
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
  K36: {
    clause: "service.md 4.2",
    title: "a calendar without title is made",
    ask: byDefault([createCalendar], "title", "Untitled"),
  },
  K37: {
    clause: "service.md 1.2",
    alsoClauses: ["rulings R2.4"],
    title: "the type of answers is text/html",
    send: (answered) => ({ ...answered, headers: { ...answered.headers, "content-type": "text/html" } }),
  },
  K38: {
    clause: "service.md 4.6",
    title: "end_date is ignored",
    ask: param(createAndSave, "end_date", () => undefined),
  },
  K39: {
    clause: "service.md 2.2",
    alsoClauses: ["service.md 4.1", "service.md 4.5"],
    title: "page is ignored",
    ask: param(lists, "page", () => undefined),
  },
  K40: {
    clause: "rulings R1.4",
    title: "of a repeated parameter the last wins",
    ask: ({ params }) => {
      for (const [name, value] of [...params]) if (params.getAll(name).length > 1) params.set(name, value);
    },
  },
  K41: {
    clause: "rulings R2.2",
    title: "error_message echoes the value",
    answer: (body, { params }) => {
      for (const { parameter } of body.meta.errors) body.meta.error_message += ` ${params.get(parameter)}`;
    },
  },
  K42: {
    clause: "rulings R4.3",
    alsoClauses: ["service.md 4.6"],
    title: "a time that exists twice is the second",
    answer: (body, { path }) => {
      if (path !== events) return;
      for (const one of body.events)
        if (one.date_start === "11/01/2026" && one.date_start_time.startsWith("01"))
          one.date_start_unix += 3600;
    },
  },
  K43: {
    clause: "rulings R3.4",
    alsoClauses: ["service.md 4.1"],
    title: "calendars saved in the last ten minutes fall to the order of creation",
    instead: reordered(calendars, "calendars", (one, other) => {
      const early = nowSeconds() - 600;
      const at = (time: number): number => Math.min(time, early);
      return at(other.date_modified) - at(one.date_modified) || Number(other.id) - Number(one.id);
    }),
  },
  K44: {
    clause: "service.md 3",
    alsoClauses: ["service.md 4.4", "rulings R2.3"],
    title: "a deleted calendar can be deleted again",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path !== deleteCalendar) return answered;
      const key = `${ask.params.get("token")} ${ask.params.get("calendar_id")}`;
      if (answered.status === 200) memory.set(key, answered);
      return answered.status === 404 ? (memory.get(key) ?? answered) : answered;
    },
  },
  K45: {
    clause: "service.md 4.6",
    alsoClauses: ["service.md 2.4"],
    title: "the reminder is lost",
    ask: param(createAndSave, "reminder", () => ""),
  },
  K46: {
    clause: "service.md 4.4",
    alsoClauses: ["service.md 2.3"],
    title: "delete answers with an integer id",
    answer: (body, { path }) =>
      void (path === deleteCalendar && (body.calendar.id = Number(body.calendar.id))),
  },
  K47: {
    clause: "rulings R1.3",
    title: "a path without its final slash is redirected",
    instead: async (ask, { pass }) => {
      const [path = "", ...query] = ask.target.split("?");
      if (ask.path === zones || !path.startsWith("/api/v1/") || path.endsWith("/")) return pass(ask);
      return { status: 301, headers: { location: [`${path}/`, ...query].join("?") }, body: "" };
    },
  },
  K48: {
    clause: "rulings R2.5",
    title: "answers may be cached",
    send: (answered) => ({
      ...answered,
      headers: { ...answered.headers, "cache-control": "public, max-age=300" },
    }),
  },
  K50: {
    clause: "service.md 3",
    alsoClauses: ["service.md 4.7", "rulings R2.3"],
    title: "an event of a deleted calendar can be saved",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path === createEvent && answered.status === 200)
        memory.set(String(JSON.parse(answered.body).event.id), answered);
      if (ask.path !== saveEvent || answered.status !== 404) return answered;
      return memory.get(ask.params.get("event_id") ?? "") ?? answered;
    },
  },
  K51: {
    clause: "rulings R3.1",
    alsoClauses: ["service.md 2.2"],
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
  K52: {
    clause: "service.md 2.5",
    title: "subscribers_count is a string",
    answer: (body, { path }) =>
      void (
        subscribers.includes(path) &&
        (body.calendar.subscribers_count = String(body.calendar.subscribers_count))
      ),
  },
  K53: {
    clause: "service.md 4.9",
    title: "month and year do not filter subscribers",
    ask: ({ path, params }) => {
      if (!subscribers.includes(path) || !params.has("month") || !params.has("year")) return;
      for (const name of ["month", "year"]) params.delete(name);
    },
  },
  K54: {
    clause: "service.md 4.9",
    alsoClauses: ["rulings R3.4"],
    title: "order_by=date-desc sorts subscribers by id",
    ask: param(subscribers, "order_by", (value) => (value === "date-desc" ? "id-desc" : value)),
  },
  K55: {
    clause: "rulings R4.2",
    title: "an end before the start is accepted",
    ask: ({ path, params }) => {
      const [start, end] = [startOf(params.get("start_date")), startOf(params.get("end_date"))];
      if (!createAndSave.includes(path) || start === undefined || end === undefined) return;
      if (end < start) params.delete("end_date");
    },
  },
  K56: {
    clause: "rulings R3.6",
    alsoClauses: ["service.md 4.5"],
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
  K57: {
    clause: "rulings R4.11",
    title: "a long title is cut",
    ask: values(["title"], (value) => value.slice(0, 100)),
  },
  K58: {
    clause: "rulings R4.12",
    title: "what is beyond the Basic Multilingual Plane becomes a question mark",
    ask: values(["title", "description", "location"], (value) =>
      value.replace(/[\u{10000}-\u{10ffff}]/gu, "?"),
    ),
  },
  K59: {
    clause: "service.md 2.2",
    alsoClauses: ["rulings R3.2"],
    title: "previous is empty on page 2",
    answer: (body, { params }) => void (params.get("page") === "2" && (body.paging.previous = "")),
  },
  K60: {
    clause: "rulings R5.2",
    alsoClauses: ["service.md 2.3"],
    title: "followers_active counts the blocked",
    instead: async (ask, around) => {
      const answered = await around.pass(ask);
      if (ask.path !== calendars || answered.status !== 200) return answered;
      const body = JSON.parse(answered.body);
      for (const one of body.calendars) {
        if (one.id !== around.followed) continue;
        const list = { ...ask, path: blocked, params: new URLSearchParams(ask.params) };
        list.params.set("calendar_id", one.id);
        const more = (await whole(list, around, "subscribers")).filter(({ active }) => active === "true");
        one.followers_active = String(Number(one.followers_active) + more.length);
      }
      return { ...answered, body: JSON.stringify(body) };
    },
  },
  K61: {
    clause: "rulings R2.6",
    title: "ids are read up to the first strange character",
    ask: values(
      ["calendar_id", "event_id", "subscriber_id"],
      (value) => /^[1-9]\d*/.exec(value)?.[0] ?? value,
    ),
  },
  K62: {
    clause: "service.md 4.2",
    alsoClauses: ["rulings R4.5"],
    title: "an unknown time zone is accepted",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (answered.status !== 400 || !answered.body.includes('"parameter":"timezone"')) return answered;
      ask.params.set("timezone", "UTC");
      return pass(ask);
    },
  },
  K63: {
    clause: "rulings R1.1",
    title: "POST is refused",
    instead: async (ask, { pass }) =>
      ask.method === "POST" ? refusal(405, "method_not_allowed") : pass(ask),
  },
  K64: {
    clause: "rulings R2.3",
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
    clause: "service.md 1.6",
    alsoClauses: ["service.md 2.1", "service.md 4.4"],
    title: "delete answers without meta",
    answer: (body, { path }) => void (path === deleteCalendar && body.calendar && delete body.meta),
  },
  K66: {
    clause: "service.md 4.5",
    alsoClauses: ["service.md 2.4"],
    title: "the list of events has no calendar",
    answer: (body, { path }) => void (path === events && delete body.calendar),
  },
  K67: {
    clause: "service.md 2.4",
    title: "date_end_unix is in milliseconds",
    answer: (body, { path }) => {
      if (path === events) for (const one of body.events) one.date_end_unix *= 1000;
    },
  },
  K68: {
    clause: "service.md 2.4",
    alsoClauses: ["rulings R4.9"],
    title: "organizer is null when not set",
    answer: each("events", (one) => one.organizer === "" && (one.organizer = null)),
  },
  K69: {
    clause: "rulings R3.7",
    title: "an unknown order_by is ignored",
    ask: param(lists, "order_by", (value) =>
      ["date-desc", "id-asc", "id-desc"].includes(value) ? value : undefined,
    ),
  },
  K70: {
    clause: "rulings R3.5",
    alsoClauses: ["service.md 4.5"],
    title: "month without year is ignored",
    ask: ({ params }) => void (params.has("month") && !params.has("year") && params.delete("month")),
  },
  K71: {
    clause: "service.md 4.7",
    alsoClauses: ["rulings R4.6"],
    title: "save puts the color_id of before",
    instead: withBefore(saveEvent, (params, { color_id }) => {
      if (!params.has("color_id")) params.set("color_id", color_id);
    }),
  },
  K72: {
    clause: "service.md 4.7",
    title: "save without title keeps the title",
    instead: withBefore(saveEvent, (params, { title }) => {
      if (!params.get("title")) params.set("title", title);
    }),
  },
  K73: {
    clause: "service.md 4.1",
    title: "calendars come newest created first",
    instead: reordered(calendars, "calendars", (one, other) => Number(other.id) - Number(one.id)),
  },
  K74: {
    clause: "rulings R4.2",
    title: "dates are accepted in the contract's form alone",
    ask: param(createAndSave, "start_date", (value) => (contractForm.test(value) ? value : "never")),
  },
} satisfies Readonly<Record<string, Planted>>;
