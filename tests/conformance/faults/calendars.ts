import {
  byDefault,
  calendars,
  createCalendar,
  deleteCalendar,
  each,
  param,
  reordered,
  saveCalendar,
} from "./changes.js";
import type { Faults } from "./proxy.js";

const writeCalendar = [createCalendar, saveCalendar];

/** Id → fault of calendars. M: the public faults of the project's research. K: our own. Others were found outside. */
export const faults: Faults = {
  M15: {
    clause: "docs/contract.md#4.1",
    foundBy: "calendars.list.last-saved-first",
    title: "calendars come in the order of creation",
    instead: reordered(calendars, "calendars", (one, other) => Number(one.id) - Number(other.id)),
  },
  M18: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.create.counters",
    title: "follower counters are integers",
    answer: each("calendars", (one) => {
      for (const name of ["followers_active", "followers_total"]) one[name] = Number(one[name]);
    }),
  },
  M19: {
    clause: "docs/contract.md#4.2",
    foundBy: "calendars.create.empty-name",
    title: "an empty calendarname stays empty",
    answer: (body, { path, params }) =>
      void (path === createCalendar && !params.get("calendarname") && (body.calendar.calendarname = "")),
  },
  M20: {
    clause: "docs/contract.md#4.2",
    foundBy: "calendars.create.empty-timezone",
    title: "an empty timezone becomes UTC",
    ask: byDefault([createCalendar], "timezone", "UTC"),
  },
  M21: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.save.no-timezone",
    alsoClauses: ["docs/contract.md#4.3"],
    title: "save answers with timezone",
    answer: (body, { path, params }) =>
      void (path === saveCalendar && body.calendar && (body.calendar.timezone = params.get("timezone"))),
  },
  M22: {
    clause: "docs/contract.md#4.3",
    foundBy: "calendars.save.date-modified",
    title: "save leaves date_modified",
    answer: (body, { path }) =>
      void (path === saveCalendar && (body.calendar.date_modified = body.calendar.date_create)),
  },
  M23: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.create.times",
    title: "date_create is in milliseconds",
    answer: each("calendars", (one) => (one.date_create *= 1000)),
  },
  M24: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.create.timezone",
    title: "timezone is wrapped in extra quotes",
    answer: each("calendars", (one) => one.timezone && (one.timezone = `"${one.timezone}"`)),
  },
  K14: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.events-total",
    title: "events_total does not count",
    answer: each("calendars", (one) => (one.events_total = "0")),
  },
  K15: {
    clause: "docs/contract.md#4.2",
    foundBy: "calendars.create.fields",
    alsoClauses: ["docs/contract.md#2.3"],
    title: "the description of a calendar is lost",
    ask: param(writeCalendar, "description", () => ""),
  },
  K16: {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.create.uniquekey-is-unique",
    alsoClauses: ["docs/rulings.md#r4.1"],
    title: "every calendar has the same uniquekey",
    answer: each("calendars", (one) => (one.uniquekey = "aaaabbbbcccc")),
  },
  K36: {
    clause: "docs/contract.md#4.2",
    foundBy: "calendars.create.title-is-mandatory",
    title: "a calendar without title is made",
    ask: byDefault([createCalendar], "title", "Untitled"),
  },
  K46: {
    clause: "docs/contract.md#4.4",
    foundBy: "calendars.delete.result",
    alsoClauses: ["docs/contract.md#2.3"],
    title: "delete answers with an integer id",
    answer: (body, { path }) =>
      void (path === deleteCalendar && (body.calendar.id = Number(body.calendar.id))),
  },
  K62: {
    clause: "docs/contract.md#4.2",
    foundBy: "calendars.create.unknown-zone",
    alsoClauses: ["docs/rulings.md#r4.5"],
    title: "an unknown time zone is accepted",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (answered.status !== 400 || !answered.body.includes('"parameter":"timezone"')) return answered;
      ask.params.set("timezone", "UTC");
      return pass(ask);
    },
  },
  K73: {
    clause: "docs/contract.md#4.1",
    foundBy: "calendars.list.last-saved-first",
    title: "calendars come newest created first",
    instead: reordered(calendars, "calendars", (one, other) => Number(other.id) - Number(one.id)),
  },
  "save-keeps-palette": {
    clause: "docs/contract.md#4.3",
    foundBy: "calendars.save.default-palette",
    alsoClauses: ["docs/rulings.md#r4.6"],
    title: "save with an empty palette_id takes palette 2",
    ask: (ask) =>
      void (
        [saveCalendar].includes(ask.path) &&
        ask.params.get("palette_id") === "" &&
        ask.params.set("palette_id", "2")
      ),
  },
  "save-zone-default": {
    clause: "docs/contract.md#4.3",
    foundBy: "calendars.save.empty-timezone",
    title: "save with an empty timezone takes UTC",
    ask: (ask) =>
      void (
        [saveCalendar].includes(ask.path) &&
        ask.params.get("timezone") === "" &&
        ask.params.set("timezone", "UTC")
      ),
  },
  "save-name-default": {
    clause: "docs/contract.md#4.3",
    foundBy: "calendars.save.empty-name",
    title: "save without calendarname empties it",
    answer: (body, { path, params }) =>
      void (
        path === "calendars/save" &&
        body.calendar &&
        !params.get("calendarname") &&
        (body.calendar.calendarname = "")
      ),
  },
  "active-is-total": {
    clause: "docs/contract.md#2.3",
    foundBy: "subscribers.counters-are-those-of-the-calendar",
    alsoClauses: ["docs/rulings.md#r5.2"],
    title: "followers_active equals the total",
    answer: each("calendars", (one) => (one.followers_active = one.followers_total)),
  },
  "total-is-active": {
    clause: "docs/contract.md#2.3",
    foundBy: "subscribers.counters-are-those-of-the-calendar",
    alsoClauses: ["docs/rulings.md#r5.2"],
    title: "followers_total counts the active ones",
    answer: each("calendars", (one) => (one.followers_total = one.followers_active)),
  },
  "events-total-of-save": {
    clause: "docs/contract.md#2.3",
    foundBy: "calendars.events-total",
    alsoClauses: ["docs/contract.md#4.3"],
    title: "events_total of save is 0",
    answer: (body, { path }) =>
      void (path === "calendars/save" && body.calendar && (body.calendar.events_total = "0")),
  },
  "calendar-hidden": {
    clause: "docs/contract.md#4.1",
    foundBy: "subscribers.counters-are-those-of-the-calendar",
    alsoClauses: ["docs/contract.md#2.3", "docs/rulings.md#r5.2"],
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
