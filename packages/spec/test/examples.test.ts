import { describe, expect, test } from "vitest";
import { exampleBody } from "../src/document.js";
import { body, type Operation } from "../src/operation.js";
import { type ContractId, operationIds, operations } from "../src/operations.js";

const table = operationIds.map((id) => {
  const op: Operation = operations[id];
  return { id, op };
});

describe.each(table)("the example of $id", ({ op }) => {
  test("is a request that the operation accepts", () => {
    expect(op.params.parse(op.example.request)).toEqual(op.example.request);
  });

  test("has a mistake that the operation refuses, or no parameter to make one in", () => {
    const { request, mistake } = op.example;
    if (mistake === undefined) return expect(Object.keys(op.params.shape)).toEqual([]);
    const sent = Object.entries({ ...request, ...mistake }).filter(([, value]) => value !== "");
    const { error } = op.params.safeParse(Object.fromEntries(sent));
    const blamed = new Set(error?.issues.map(({ path }) => path[0]));
    expect(blamed).toEqual(new Set(Object.keys(mistake)));
  });

  test("is an answer that holds what its schema has, and nothing besides", () => {
    expect(body(op).parse(exampleBody(op))).toEqual(exampleBody(op));
  });
});

// The bodies below are written by hand from section 2 of the contract, not from the schemas.

const meta = { code: "200" };

const paging = {
  previous: "",
  next: "https://calendars.example.com/api/v1/calendars/list/?token=abc&page=2",
};

const calendar = {
  id: "1398354126478315",
  uniquekey: "zy6p4k2m8t3w",
  calendarname: "Concerts",
  title: "Concerts in the park",
  description: "",
  followers_active: "12",
  followers_total: "15",
  events_total: "3",
  palette_id: "1",
  date_create: 1398354126,
  date_modified: 1398354190,
};

const event = {
  title: "Opening night",
  description: "First line\r\nSecond line",
  location: "Central Park",
  organizer: "",
  organizer_email: "",
  date_start: "06/15/2014",
  date_start_time: "20:30:00",
  date_start_ampm: "PM",
  date_end: "06/15/2014",
  date_end_time: "23:00:00",
  date_end_ampm: "PM",
  all_day_event: "false",
  date_format: "MM/DD/YYYY",
  timezone: "America/New_York",
  reminder: "60",
  date_create: 1398354126,
  date_modified: 1398354190,
  updated_times: "0",
};

const listedEvent = {
  id: "1398354126478316",
  ...event,
  date_start_unix: 1402878600,
  date_end_unix: 1402887600,
  color: "20",
};

const savedEvent = { id: 1398354126478316, calendar: "1398354126478315", ...event, color_id: "20" };

const subscriber = {
  id: "1398354126478317",
  name: "",
  email: "ada@example.com",
  ip: "2001:db8::7",
  postal: "null",
  city: "null",
  state: "null",
  country: "US",
  date: "06/15/2014 20:30:00",
  unixtime_stamp: 1402878600,
  calendar_type: "a kind that is not listed",
  active: "true",
  blocked: "false",
};

const zoned = { ...calendar, timezone: "America/New_York" };
const emptied = { ...event, all_day_event: "true", location: "", description: "", reminder: "" };
const lists = {
  listEvents: { meta, calendar: { id: "1", events_count: 1 }, events: [listedEvent], paging },
  listSubscribers: { meta, calendar: { id: "1", subscribers_count: 1 }, subscribers: [subscriber], paging },
};

const shapes: readonly { readonly title: string; readonly id: ContractId; readonly given: object }[] = [
  { title: "a page of calendars", id: "listCalendars", given: { meta, calendars: [zoned], paging } },
  {
    title: "no calendars",
    id: "listCalendars",
    given: { meta, calendars: [], paging: { previous: "", next: "" } },
  },
  { title: "a calendar as created", id: "createCalendar", given: { meta, calendar: zoned } },
  { title: "a calendar as saved, without time zone", id: "saveCalendar", given: { meta, calendar } },
  {
    title: "a deleted calendar",
    id: "deleteCalendar",
    given: { meta, calendar: { id: "1", status: "deleted" } },
  },
  { title: "a page of events", id: "listEvents", given: lists.listEvents },
  {
    title: "an event without colour",
    id: "listEvents",
    given: { ...lists.listEvents, events: [{ ...listedEvent, color: "" }] },
  },
  { title: "an event as created", id: "createEvent", given: { meta, event: savedEvent } },
  {
    title: "an event of which nothing is set",
    id: "createEvent",
    given: { meta, event: { ...savedEvent, ...emptied, color_id: "" } },
  },
  {
    title: "an event as saved",
    id: "saveEvent",
    given: { meta, event: { ...savedEvent, updated_times: "1" } },
  },
  { title: "a deleted event", id: "deleteEvent", given: { meta, event: { id: "7", status: "deleted" } } },
  { title: "a page of subscribers", id: "listSubscribers", given: lists.listSubscribers },
  { title: "a page of inactive subscribers", id: "listInactiveSubscribers", given: lists.listSubscribers },
  { title: "a page of blocked subscribers", id: "listBlockedSubscribers", given: lists.listSubscribers },
  {
    title: "one subscriber, in an array, without a count or paging",
    id: "getSubscriber",
    given: { meta, calendar: { id: "1" }, subscribers: [subscriber] },
  },
  {
    title: "time zones, with an integer code",
    id: "listTimeZones",
    given: {
      meta: { code: 200 },
      data: [
        { label: "America/New_York", offset: "-05:00" },
        { label: "Asia/Kolkata", offset: "05:30" },
      ],
    },
  },
];

describe("the contract's shapes are answers (contract 2)", () => {
  test.each(shapes)("$id: $title", ({ id, given }) => {
    expect(body(operations[id]).parse(given)).toEqual(given);
  });

  test("saveCalendar: a time zone is no part of the answer, and goes", () => {
    expect(body(operations.saveCalendar).parse({ meta, calendar: zoned })).toEqual({ meta, calendar });
  });

  test("createEvent: the fields of the list alone are no part of the answer, and go", () => {
    const { id: _string, ...more } = listedEvent;
    const given = { meta, event: { ...more, ...savedEvent } };
    expect(body(operations.createEvent).parse(given)).toEqual({ meta, event: savedEvent });
  });
});

describe("other shapes are refused", () => {
  test.each<{ title: string; id: ContractId; given: object }>([
    {
      title: "an integer code",
      id: "listCalendars",
      given: { meta: { code: 200 }, calendars: [zoned], paging },
    },
    { title: "a string code on the time zones", id: "listTimeZones", given: { meta, data: [] } },
    { title: "no meta", id: "deleteEvent", given: { event: { id: "7", status: "deleted" } } },
    { title: "no paging", id: "listCalendars", given: { meta, calendars: [zoned] } },
    {
      title: "paging without previous",
      id: "listCalendars",
      given: { meta, calendars: [], paging: { next: "" } },
    },
    {
      title: "null for no next page",
      id: "listCalendars",
      given: { meta, calendars: [], paging: { ...paging, next: null } },
    },
    {
      title: "a calendar without time zone",
      id: "listCalendars",
      given: { meta, calendars: [calendar], paging },
    },
    { title: "a new calendar without time zone", id: "createCalendar", given: { meta, calendar } },
    {
      title: "a calendar's id as integer",
      id: "createCalendar",
      given: { meta, calendar: { ...zoned, id: 1 } },
    },
    {
      title: "an integer counter",
      id: "createCalendar",
      given: { meta, calendar: { ...zoned, events_total: 0 } },
    },
    {
      title: "an integer palette",
      id: "createCalendar",
      given: { meta, calendar: { ...zoned, palette_id: 1 } },
    },
    {
      title: "a creation time as string",
      id: "createCalendar",
      given: { meta, calendar: { ...zoned, date_create: "1398354126" } },
    },
    {
      title: "a save time with a fraction",
      id: "saveCalendar",
      given: { meta, calendar: { ...calendar, date_modified: 1398354190.5 } },
    },
    { title: "another status", id: "deleteCalendar", given: { meta, calendar: { id: "1", status: "gone" } } },
    {
      title: "an event's id as string after create",
      id: "createEvent",
      given: { meta, event: { ...savedEvent, id: "7" } },
    },
    {
      title: "an event's id as string after save",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, id: "7" } },
    },
    {
      title: "color for color_id",
      id: "createEvent",
      given: { meta, event: { ...savedEvent, color_id: undefined, color: "20" } },
    },
    {
      title: "no calendar in a created event",
      id: "createEvent",
      given: { meta, event: { ...savedEvent, calendar: undefined } },
    },
    { title: "an integer colour", id: "saveEvent", given: { meta, event: { ...savedEvent, color_id: 20 } } },
    {
      title: "an integer count of saves",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, updated_times: 1 } },
    },
    { title: "a boolean", id: "saveEvent", given: { meta, event: { ...savedEvent, all_day_event: false } } },
    {
      title: "null for no organizer",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, organizer: null } },
    },
    {
      title: "a date inside quotes",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, date_start: '"06/15/2014"' } },
    },
    {
      title: "a date of another form",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, date_end: "2014-06-15" } },
    },
    {
      title: "a time without seconds",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, date_end_time: "23:00" } },
    },
    {
      title: "a marker in small letters",
      id: "saveEvent",
      given: { meta, event: { ...savedEvent, date_end_ampm: "pm" } },
    },
    {
      title: "an integer id in the list",
      id: "listEvents",
      given: { ...lists.listEvents, events: [{ ...listedEvent, id: 7 }] },
    },
    {
      title: "color_id in the list",
      id: "listEvents",
      given: { ...lists.listEvents, events: [{ ...listedEvent, color: undefined, color_id: "20" }] },
    },
    {
      title: "no Unix time in the list",
      id: "listEvents",
      given: { ...lists.listEvents, events: [{ ...listedEvent, date_start_unix: undefined }] },
    },
    {
      title: "a Unix time as string",
      id: "listEvents",
      given: { ...lists.listEvents, events: [{ ...listedEvent, date_end_unix: "1402887600" }] },
    },
    {
      title: "a count as string",
      id: "listEvents",
      given: { ...lists.listEvents, calendar: { id: "1", events_count: "1" } },
    },
    {
      title: "the other count",
      id: "listSubscribers",
      given: { ...lists.listSubscribers, calendar: { id: "1", events_count: 1 } },
    },
    {
      title: "a boolean flag",
      id: "listSubscribers",
      given: { ...lists.listSubscribers, subscribers: [{ ...subscriber, active: true }] },
    },
    {
      title: "null for an unknown city",
      id: "listSubscribers",
      given: { ...lists.listSubscribers, subscribers: [{ ...subscriber, city: null }] },
    },
    {
      title: "a country by its name",
      id: "listSubscribers",
      given: { ...lists.listSubscribers, subscribers: [{ ...subscriber, country: "France" }] },
    },
    {
      title: "a subscriber under its own key",
      id: "getSubscriber",
      given: { meta, calendar: { id: "1" }, subscriber },
    },
    { title: "no subscriber", id: "getSubscriber", given: { meta, calendar: { id: "1" }, subscribers: [] } },
    {
      title: "two subscribers",
      id: "getSubscriber",
      given: { meta, calendar: { id: "1" }, subscribers: [subscriber, subscriber] },
    },
    {
      title: "an offset in minutes",
      id: "listTimeZones",
      given: { meta: { code: 200 }, data: [{ label: "Asia/Kolkata", offset: 330 }] },
    },
    {
      title: "an offset with a plus",
      id: "listTimeZones",
      given: { meta: { code: 200 }, data: [{ label: "Asia/Kolkata", offset: "+05:30" }] },
    },
  ])("$id: $title", ({ id, given }) => {
    expect(body(operations[id]).safeParse(given).success).toBe(false);
  });
});
