import { afterAll, expect, test } from "vitest";
import { startTestServer } from "./harness.js";

// Errors say what to fix (rulings R2.2): mistakes of developers who call the API for the first time, and what the answer must say.

const server = await startTestServer();
afterAll(() => server.stop());
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
