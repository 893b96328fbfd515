import { describe, expect, test } from "vitest";
import { exchange, type Exchange } from "./calls.js";
import { type Answer, testServer } from "./harness.js";

// Requests as clients of AddEvent v1 send them (docs/from-addevent.md; rulings R1.1, R1.7, R1.10, R4.2).

const server = await testServer();
const { token } = await server.account();

type Fields = Readonly<Record<string, string | number | boolean>>;

interface OldClient {
  readonly title: string;
  /** How the client writes half past one in the afternoon of 4 July 2026. */
  readonly start: string;
  /** Sends the fields to a path below /api/v1/. */
  send(path: string, fields: Fields): Promise<Answer>;
}

const texts = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
const query = (fields: Fields): string => new URLSearchParams(texts(fields)).toString();
const post = (path: string, type: string, body: string, more: Exchange["headers"] = {}): Promise<Answer> =>
  exchange(server, path, { method: "POST", headers: { "Content-Type": type, ...more }, body });

/** What PHP's curl sends for CURLOPT_POSTFIELDS with an array. */
function multipart(fields: Fields): readonly [type: string, body: string] {
  const boundary = "------------------------d74496d66958873e";
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  return [`multipart/form-data; boundary=${boundary}`, `${parts.join("")}--${boundary}--\r\n`];
}

const clients: readonly OldClient[] = [
  {
    title: "an SDK with Carbon's dates, by GET",
    start: "2026-07-04 13:30:00",
    send: (path, fields) => exchange(server, `/api/v1/${path}?${query({ token, ...fields })}`),
  },
  {
    title: "a script that sends JSON with integers and booleans",
    start: "2026-07-04T13:30",
    send: (path, fields) =>
      post(`/api/v1/${path}`, "application/json", JSON.stringify(fields), {
        Authorization: `Bearer ${token}`,
      }),
  },
  {
    title: "a WordPress plugin that posts multipart by PHP's curl",
    start: "07/04/2026 01:30 PM",
    send: (path, fields) => post(`/api/v1/me/${path}`, ...multipart({ token, ...fields })),
  },
  {
    title: "a script with everything in the query of /api/v1/me/, and dates as the API shows them",
    start: "07/04/2026 13:30:00 PM",
    send: (path, fields) =>
      exchange(server, `/api/v1/me/${path.replace(/\/$/, "")}?${query({ token, ...fields })}`),
  },
  {
    title: "a generated client that posts a form and sends the token everywhere",
    start: "2026-07-04T13:30:00",
    send: (path, fields) =>
      post(
        `/api/v1/${path}?token=${token}`,
        "application/x-www-form-urlencoded",
        query({ ...fields, token }),
        {
          Authorization: `Bearer ${token}`,
        },
      ),
  },
  {
    title: "a program with the paths of events beside calendars, /api/v1/oe/events/",
    start: "2026-07-04 13:30",
    send: (path, fields) =>
      exchange(
        server,
        `/api/v1/${path.replace(/^calendars\/events/, "oe/events")}?${query({ token, ...fields })}`,
      ),
  },
  {
    title: "Google Apps Script, which names a form where its caller gives JSON and no type",
    start: "2026-07-04 13:30",
    send: (path, fields) =>
      post(
        `/api/v1/${path}`,
        "application/x-www-form-urlencoded; charset=utf-8",
        JSON.stringify({ token, ...fields }),
      ),
  },
];

/** The reads of these clients: by GET, with the token in the query. */
function list(path: string, fields: Fields): Promise<Answer> {
  return exchange(server, `/api/v1/me/${path}?${query({ token, ...fields })}`);
}

describe.each(clients)("$title", ({ start, send }) => {
  test("creates, lists, saves and deletes an event", async () => {
    const { calendar } = (
      await send("calendars/create/", { title: "Concerts", timezone: "America/New_York" })
    ).body;
    const calendar_id = Number(calendar.id);
    const created = await send("calendars/events/create/", {
      calendar_id,
      title: "Opening night",
      start_date: start,
      reminder: 30,
      all_day_event: false,
    });
    expect([created.status, created.text]).toStrictEqual([200, expect.stringContaining("Opening night")]);
    const listed = await list("calendars/events/list/", { calendar_id });
    expect(listed.body.events).toMatchObject([
      { title: "Opening night", date_start_unix: 1_783_186_200, reminder: "30", all_day_event: "false" },
    ]);
    const event_id = Number(listed.body.events[0].id);
    const moved = { event_id, title: "Second night", start_date: "2026-07-05", all_day_event: true };
    const saved = (await send("calendars/events/save/", moved)).body.event;
    expect(saved).toMatchObject({ title: "Second night", date_start: "07/05/2026", all_day_event: "true" });
    expect(saved.updated_times).toBe("1");
    const deleted = (await send("calendars/events/delete/", { event_id })).body.event;
    expect(deleted).toStrictEqual({ id: String(event_id), status: "deleted" });
    expect((await list("calendars/events/list/", { calendar_id })).body.events).toStrictEqual([]);
    expect((await send("calendars/delete/", { calendar_id })).body.calendar.status).toBe("deleted");
  });
});

test("other paths of AddEvent lead to what answers the same question", async () => {
  const { calendar } = (await list("calendars/create/", { title: "Concerts" })).body;
  const made = { calendar_id: calendar.id, title: "Opening night", start_date: "07/04/2026 13:30" };
  const { event } = (await list("calendars/events/create/", made)).body;
  for (const path of ["oe/events/event", "oe/events/details/"]) {
    const { status, body } = await exchange(
      server,
      `/api/v1/${path}?${query({ token, event_id: event.id })}`,
    );
    expect([status, body.event]).toMatchObject([200, { id: String(event.id), title: "Opening night" }]);
  }
  const missing = await list("calendars/subscribers/subscriber", { calendar_id: calendar.id, user_id: 7 });
  expect([missing.status, missing.body.meta.errors]).toMatchObject([400, [{ parameter: "subscriber_id" }]]);
});

test("a form that begins as JSON and is none is refused as JSON is", async () => {
  const { status, body } = await post(
    `/api/v1/calendars/create/?token=${token}`,
    "application/x-www-form-urlencoded",
    '{"title":',
  );
  expect([status, body.meta.error_type]).toStrictEqual([400, "body_invalid"]);
});
