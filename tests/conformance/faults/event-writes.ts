import {
  asUtc,
  blocked,
  byDefault,
  calendars,
  createAndSave,
  createEvent,
  dayFirst,
  deleteCalendar,
  deleteEvent,
  each,
  events,
  flipTwelveOfEvents,
  param,
  refusal,
  saveCalendar,
  saveEvent,
  startOf,
  undeleted,
  utcText,
  values,
  whole,
  withBefore,
  zones,
} from "./changes.js";
import type { Faults } from "./proxy.js";

const contractForm = /^\d\d\/\d\d\/\d{4} \d\d:\d\d( [AP]M)?$/;

/** Id → fault of writes of events, and times. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults = {
  M33: {
    clause: "docs/contract.md#4.6",
    foundBy: "time.end.default",
    title: "the default end is half an hour after the start",
    ask: ({ path, params }) => {
      const start = startOf(params.get("start_date"));
      if (!createAndSave.includes(path) || start === undefined || params.get("end_date")) return;
      if (!params.get("all_day_event")) params.set("end_date", utcText(start + 1800));
    },
  },
  M34: {
    clause: "docs/contract.md#4.6",
    foundBy: "time.start.pm",
    title: "01:30 PM is stored as 01:30",
    ask: param(createAndSave, "start_date", (value) => value.replace(/ (01:30) PM$/, " $1")),
  },
  M36: {
    clause: "docs/contract.md#4.6",
    foundBy: "time.unix.winter",
    title: "the start is read as UTC",
    answer: (body, { path }) => {
      if (path === events)
        for (const one of body.events) one.date_start_unix = asUtc(one.date_start, one.date_start_time);
    },
  },
  M37: {
    clause: "docs/contract.md#4.6",
    foundBy: "time.start.twelve-am",
    title: "12:15 AM becomes noon",
    ask: param(createAndSave, "start_date", (value) =>
      value.endsWith("AM") ? flipTwelveOfEvents(value) : value,
    ),
  },
  M47: {
    clause: "docs/rulings.md#r4.2",
    foundBy: "time.impossible.february-30",
    title: "30 February rolls over to March",
    ask: param(createAndSave, "start_date", (value) => value.replace("02/30", "03/02")),
  },
  K11: {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.calendar-zone",
    title: "the zone of an event defaults to Los Angeles, not to that of its calendar",
    ask: byDefault([createEvent], "timezone", "America/Los_Angeles"),
  },
  K12: {
    clause: "docs/contract.md#4.7",
    foundBy: "events.save.moves-instants",
    alsoClauses: ["docs/rulings.md#r4.6"],
    title: "save without end_date keeps the old end",
    instead: withBefore(saveEvent, (params, { end_date }) => {
      if (!params.get("end_date")) params.set("end_date", end_date);
    }),
  },
  K17: {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.updated-times",
    alsoClauses: ["docs/contract.md#2.4"],
    title: "updated_times is 1 after creation",
    answer: (body, { path }) => void (path === createEvent && (body.event.updated_times = "1")),
  },
  K38: {
    clause: "docs/contract.md#4.6",
    foundBy: "time.end.halves",
    title: "end_date is ignored",
    ask: param(createAndSave, "end_date", () => undefined),
  },
  K45: {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.reminders",
    alsoClauses: ["docs/contract.md#2.4"],
    title: "the reminder is lost",
    ask: param(createAndSave, "reminder", () => ""),
  },
  K71: {
    clause: "docs/contract.md#4.7",
    foundBy: "events.save.default-colour",
    alsoClauses: ["docs/rulings.md#r4.6"],
    title: "save puts the color_id of before",
    instead: withBefore(saveEvent, (params, { color_id }) => {
      if (!params.has("color_id")) params.set("color_id", color_id);
    }),
  },
  K72: {
    clause: "docs/contract.md#4.7",
    foundBy: "events.save.title-is-mandatory",
    title: "save without title keeps the title",
    instead: withBefore(saveEvent, (params, { title }) => {
      if (!params.get("title")) params.set("title", title);
    }),
  },
  "end-twelve": {
    clause: "docs/contract.md#4.6",
    foundBy: "time.end.halves",
    title: "12:xx of end_date is the other half of the day",
    ask: param(createAndSave, "end_date", flipTwelveOfEvents),
  },
  "save-twelve": {
    clause: "docs/contract.md#4.7",
    foundBy: "time.start.halves",
    alsoClauses: ["docs/contract.md#4.6", "docs/rulings.md#r4.2"],
    title: "save reads 12:xx AM as noon",
    ask: param([saveEvent], "start_date", flipTwelveOfEvents),
  },
  "end-day-first": {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.values",
    title: "end_date is read day first where it can be",
    ask: param(createAndSave, "end_date", (value) =>
      Number(value.slice(3, 5)) <= 12 ? dayFirst(value) : value,
    ),
  },
  "end-impossible": {
    clause: "docs/rulings.md#r4.2",
    foundBy: "time.impossible.end",
    title: "an end on 31 April is 30 April",
    ask: param(createAndSave, "end_date", (value) => value.replace("04/31", "04/30")),
  },
  "save-description-lost": {
    clause: "docs/rulings.md#r4.6",
    foundBy: "calendars.save.keeps-description",
    alsoClauses: ["docs/contract.md#4.3"],
    title: "save without description clears it",
    ask: byDefault([saveCalendar], "description", ""),
  },
  "save-all-day-default": {
    clause: "docs/contract.md#4.7",
    foundBy: "events.save.default-all-day",
    title: "save without all_day_event makes an all-day event",
    ask: byDefault([saveEvent], "all_day_event", "true"),
  },
  "save-zone-of-event": {
    clause: "docs/contract.md#4.7",
    foundBy: "events.save.default-zone",
    title: "save without timezone takes UTC",
    ask: byDefault([saveEvent], "timezone", "UTC"),
  },
  "save-organizer-lost": {
    clause: "docs/rulings.md#r4.6",
    foundBy: "events.save.keeps",
    title: "save without organizer clears it",
    ask: byDefault([saveEvent], "organizer", ""),
  },
  "save-reminder-lost": {
    clause: "docs/rulings.md#r4.6",
    foundBy: "events.save.keeps",
    title: "save without reminder clears it",
    ask: byDefault([saveEvent], "reminder", ""),
  },
  "save-empty-keeps": {
    clause: "docs/rulings.md#r4.6",
    foundBy: "events.save.clears",
    title: "save with an empty location keeps it",
    ask: ({ path, params }) =>
      void (path === saveEvent && params.get("location") === "" && params.delete("location")),
  },
  "zone-of-list": {
    clause: "docs/contract.md#4.6",
    foundBy: "events.create.values",
    alsoClauses: ["docs/contract.md#2.4"],
    title: "the list shows UTC as the zone of every event",
    answer: each("events", (one, { path }) => void (path === events && (one.timezone = "UTC"))),
  },
  M2: {
    clause: "docs/contract.md#4.12",
    foundBy: "envelope.code-is-a-string",
    alsoClauses: ["docs/contract.md#2.1"],
    title: "meta.code of the time zone list is a string",
    answer: (body, { path }) => void (path === zones && (body.meta.code = String(body.meta.code))),
  },
  M26: {
    clause: "docs/contract.md#3",
    foundBy: "calendars.delete.is-gone",
    alsoClauses: ["docs/contract.md#4.4"],
    title: "a deleted calendar is still listed",
    instead: undeleted(deleteCalendar, "x/calendars/details", "calendar_id", "calendar"),
  },
  M38: {
    clause: "docs/contract.md#3",
    foundBy: "events.save.updated-times",
    alsoClauses: ["docs/contract.md#4.7", "docs/contract.md#2.4"],
    title: "updated_times never counts",
    answer: each("events", (one) => (one.updated_times = "0")),
  },
  K13: {
    clause: "docs/contract.md#3",
    foundBy: "events.delete.is-gone",
    alsoClauses: ["docs/contract.md#4.8"],
    title: "a deleted event is still listed",
    instead: undeleted(deleteEvent, "x/events/details", "event_id", "event"),
  },
  K22: {
    clause: "docs/contract.md#4.12",
    foundBy: "timezones.order",
    title: "time zones are not in the order of their names",
    answer: (body) => void (body.data && (body.data = body.data.toReversed())),
  },
  K23: {
    clause: "docs/contract.md#2.6",
    foundBy: "timezones.offsets",
    title: "offsets lack the leading zero",
    answer: (body) =>
      body.data?.forEach((zone: { offset: string }) => (zone.offset = zone.offset.replace(/^(-?)0/, "$1"))),
  },
  K24: {
    clause: "docs/contract.md#4.12",
    foundBy: "timezones.code-is-an-integer",
    alsoClauses: ["docs/contract.md#1.5"],
    title: "the time zone list asks for a token",
    instead: async (ask, { pass }) =>
      ask.path === zones && !ask.params.has("token") ? refusal(401, "token_missing") : pass(ask),
  },
  K30: {
    clause: "docs/rulings.md#r4.4",
    foundBy: "events.create.all-day-other",
    alsoClauses: ["docs/contract.md#4.6"],
    title: "all_day_event=maybe counts as false",
    ask: values(["all_day_event"], (value) => (value === "maybe" ? "false" : value)),
  },
  K42: {
    clause: "docs/rulings.md#r4.3",
    foundBy: "time.overlap",
    alsoClauses: ["docs/contract.md#4.6"],
    title: "a time that exists twice is the second",
    answer: (body, { path }) => {
      if (path !== events) return;
      for (const one of body.events)
        if (one.date_start === "11/01/2026" && one.date_start_time.startsWith("01"))
          one.date_start_unix += 3600;
    },
  },
  K44: {
    clause: "docs/rulings.md#r2.6",
    foundBy: "calendars.delete.twice",
    alsoClauses: ["docs/contract.md#4.4", "docs/rulings.md#r2.3"],
    title: "a deleted calendar can be deleted again",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path !== deleteCalendar) return answered;
      const key = `${ask.params.get("token")} ${ask.params.get("calendar_id")}`;
      if (answered.status === 200) memory.set(key, answered);
      return answered.status === 404 ? (memory.get(key) ?? answered) : answered;
    },
  },
  K50: {
    clause: "docs/contract.md#3",
    foundBy: "calendars.delete.takes-its-events",
    alsoClauses: ["docs/contract.md#4.7", "docs/rulings.md#r2.3"],
    title: "an event of a deleted calendar can be saved",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path === createEvent && answered.status === 200)
        memory.set(String(JSON.parse(answered.body).event.id), answered);
      if (ask.path !== saveEvent || answered.status !== 404) return answered;
      return memory.get(ask.params.get("event_id") ?? "") ?? answered;
    },
  },
  K55: {
    clause: "docs/rulings.md#r4.2",
    foundBy: "time.end.before-start",
    title: "an end before the start is accepted",
    ask: ({ path, params }) => {
      const [start, end] = [startOf(params.get("start_date")), startOf(params.get("end_date"))];
      if (!createAndSave.includes(path) || start === undefined || end === undefined) return;
      if (end < start) params.delete("end_date");
    },
  },
  K57: {
    clause: "docs/rulings.md#r4.11",
    foundBy: "text.longest-title",
    title: "a long title is cut",
    ask: values(["title"], (value) => value.slice(0, 100)),
  },
  K58: {
    clause: "docs/rulings.md#r4.12",
    foundBy: "text.random",
    title: "what is beyond the Basic Multilingual Plane becomes a question mark",
    ask: values(["title", "description", "location"], (value) =>
      value.replace(/[\u{10000}-\u{10ffff}]/gu, "?"),
    ),
  },
  K60: {
    clause: "docs/rulings.md#r5.2",
    foundBy: "subscribers.counters",
    alsoClauses: ["docs/contract.md#2.3"],
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
  K74: {
    clause: "docs/rulings.md#r4.2",
    foundBy: "time.forms.others",
    title: "dates are accepted in the contract's form alone",
    ask: param(createAndSave, "start_date", (value) => (contractForm.test(value) ? value : "never")),
  },
  "small-letters-refused": {
    clause: "docs/rulings.md#r4.2",
    foundBy: "time.forms.others",
    title: "am and pm in small letters are refused",
    ask: param(createAndSave, "end_date", (value) => (/[ap]m$/.test(value) ? "never" : value)),
  },
  "half-hour-sign": {
    clause: "docs/rulings.md#r4.5",
    foundBy: "timezones.standard-offsets",
    title: "-03:30 has no sign",
    answer: (body) =>
      void body.data?.forEach(
        (zone: Record<string, string>) =>
          (zone["offset"] = (zone["offset"] ?? "").replace(/^-(?=..:30)/, "")),
      ),
  },
  "east-has-sign": {
    clause: "docs/rulings.md#r4.5",
    foundBy: "timezones.standard-offsets",
    title: "offsets of 45 minutes have a plus sign",
    answer: (body) =>
      void body.data?.forEach(
        (zone: Record<string, string>) =>
          (zone["offset"] = (zone["offset"] ?? "").replace(/^(?=\d\d:45)/, "+")),
      ),
  },
  "zone-missing": {
    clause: "docs/rulings.md#r4.5",
    foundBy: "timezones.complete",
    title: "Etc/UTC is not listed",
    answer: (body) =>
      void (
        body.data &&
        (body.data = body.data.filter((zone: Record<string, string>) => zone["label"] !== "Etc/UTC"))
      ),
  },
  "e-mail-lower": {
    clause: "docs/rulings.md#r4.12",
    foundBy: "text.e-mail-case",
    title: "e-mail addresses are lower-cased",
    answer: each("events", (one) => (one.organizer_email = one.organizer_email.toLowerCase())),
  },
  "location-trimmed": {
    clause: "docs/rulings.md#r4.12",
    foundBy: "text.spaces",
    title: "locations are trimmed",
    answer: each("events", (one) => (one.location = one.location.trim())),
  },
  "name-lower": {
    clause: "docs/rulings.md#r4.12",
    foundBy: "text.calendar",
    alsoClauses: ["docs/contract.md#1.4"],
    title: "calendarname is lower-cased",
    answer: each("calendars", (one) => (one.calendarname = one.calendarname.toLowerCase())),
  },
} satisfies Faults;
