import { expect, test } from "vitest";
import { exchange } from "./calls.js";
import { testServer } from "./harness.js";

// Errors say what to fix (rulings R2.2): mistakes of developers who call the API for the first time, and what the answer must say.

const server = await testServer();
const owner = await server.account();
const made = await owner.call("createCalendar", { title: "Concerts", timezone: "UTC" });
const calendarId: string = made.body.calendar.id;
const event = await owner.call("createEvent", {
  calendar_id: calendarId,
  title: "Opening night",
  start_date: "07/04/2027 13:30",
});
const eventId = String(event.body.event.id);

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const base = "/api/kalends/v1";
const update = `${base}/events/update/`;
const webhook = `${base}/webhooks/create/?url=https://hooks.example/a`;
const importing = `${base}/calendars/import/?calendar_id=${calendarId}`;

async function messageOf(path: string, body?: string, headers: Record<string, string> = json) {
  const { status, body: answer } = await server.request(path, {
    headers: { Authorization: `Bearer ${owner.token}`, ...(body === undefined ? {} : headers) },
    ...(body === undefined ? {} : { method: "POST", body }),
  });
  return [status, answer.meta.error_message] as const;
}

interface Mistake {
  readonly mistake: string;
  readonly path: string;
  /** Absent: a GET. */
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly says: RegExp;
}

const mistakes: readonly Mistake[] = [
  {
    mistake: "JSON with a comma too many",
    path: update,
    body: '{"event_id":"1",}',
    says: /^The body is not valid JSON/,
  },
  { mistake: "a name twice in JSON", path: update, body: '{"event_id":1,"event_id":2}', says: /twice/ },
  {
    mistake: "a list of an unknown name in JSON",
    path: webhook,
    body: '{"events":["event.created"]}',
    says: /^events: is not a parameter of this operation/,
  },
  {
    mistake: "a list given twice",
    path: webhook,
    body: "types=event.created&types=event.saved",
    headers: form,
    says: /^types: .*commas/,
  },
  {
    mistake: "a list with brackets",
    path: webhook,
    body: "types[]=event.created",
    headers: form,
    says: /^types: .*commas/,
  },
  {
    mistake: "an import without a file",
    path: importing,
    body: "",
    headers: form,
    says: /^ics: .*text\/calendar/,
  },
  {
    mistake: "a file sent as curl does by itself",
    path: importing,
    body: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
    headers: form,
    says: /Send a file as text\/calendar/,
  },
  {
    mistake: "a time instead of a cursor",
    path: `${base}/events/changes/?calendar_id=${calendarId}&since=2026-01-01`,
    says: /^since: .*leave it out/,
  },
  {
    mistake: "an unknown form of upcoming",
    path: `/api/v1/calendars/events/list/?calendar_id=${calendarId}&upcoming=soon`,
    says: /^upcoming: .*YYYY-MM-DD/,
  },
  {
    mistake: "a webhook at a port that there is not",
    path: webhook.replace("hooks.example", "hooks.example:99999"),
    body: "",
    headers: form,
    says: /^url: .*port/,
  },
  {
    mistake: "null for a field that can be cleared",
    path: update,
    body: '{"event_id":"1","location":null}',
    says: /^location: .*empty string clears it/,
  },
  {
    mistake: "null for a list that can be cleared",
    path: update,
    body: '{"event_id":"1","categories":null}',
    says: /^categories: .*empty string clears it/,
  },
  {
    mistake: "a null byte in custom_data, which may have line breaks",
    path: update,
    body: JSON.stringify({ event_id: eventId, custom_data: '{\n"a":1}\0' }),
    says: /^custom_data: .*tabs and line breaks/,
  },
  {
    mistake: "a blank in a recurrence rule",
    path: `${base}/events/series/create/`,
    body: JSON.stringify({
      calendar_id: calendarId,
      title: "Council",
      start_date: "2027-03-02T19:00",
      rrule: "FREQ=WEEKLY; COUNT=3",
    }),
    says: /^rrule: .*without blanks/,
  },
  {
    mistake: "a file under another name than ics",
    path: importing,
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="x.ics"\r\n\r\nBEGIN:VCALENDAR\r\n--x--\r\n',
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
    says: /^file: .*name .*ics/,
  },
  ...[
    ["Europe/Berln", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["Kolkata", "Asia/Kolkata"],
  ].map(([zone = "", meant = ""]) => ({
    mistake: `the time zone ${zone}`,
    path: update,
    body: JSON.stringify({ event_id: eventId, timezone: zone }),
    says: new RegExp(`^timezone: .*you may mean ${meant}\\.$`),
  })),
  {
    mistake: "a time zone that resembles none",
    path: update,
    body: JSON.stringify({ event_id: eventId, timezone: "Foo/Bar" }),
    says: /an IANA alias\.?$/,
  },
];

test.each(mistakes)("$mistake", async ({ path, body, headers, says }) => {
  const [status, message] = await messageOf(path, body, headers);
  expect([status, message]).toEqual([400, expect.stringMatching(says)]);
});

test("a weak tag, which never matches, is named as a reason of the 412", async () => {
  const [status, message] = await messageOf(update, JSON.stringify({ event_id: eventId, title: "x" }), {
    ...json,
    "If-Match": 'W/"0"',
  });
  expect([status, message]).toEqual([412, expect.stringContaining('W/"')]);
});

test("two Authorization headers with the same token are not called different tokens", async () => {
  const token = `Bearer ${owner.token}`;
  const { status, body } = await exchange(server, "/api/v1/calendars/list/", {
    headers: { Authorization: [token, token] },
  });
  expect([status, body.meta.error_type]).toEqual([400, "credentials_ambiguous"]);
  expect(body.meta.error_message).toBe("Send the header Authorization once.");
});
