import { createFakeServer, type FakeServer } from "@kalends/client/testing";
import { operations } from "@kalends/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addSubscriber } from "../../apps/server/test/calls.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { exchange, get, json, pairs, post, type Sent, type Side, titleOf, type Values } from "./parity.js";

// The fake and the server receive the same requests, one after another; their responses must be equal.

const form = (fields: Values): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const raw = (path: string, query: string): Sent => ({ path, query });
const keyed = (key: string, params: Values): Sent =>
  json("calendars/events/create/", params, { "Idempotency-Key": key });

const calendar = { title: "Town", timezone: "America/New_York" };
const event = { calendar_id: "1", title: "E", start_date: "07/04/2026 13:30" };
const saved = { event_id: "1", title: "F", start_date: "07/05/2026 09:00" };
const [calendars, events] = ["calendars/", "calendars/events/"];
const subscribers = "calendars/subscribers/list/";

const script: readonly Sent[] = [
  // Bodies (rulings R1.1)
  json(`${calendars}create/`, { ...calendar, palette_id: 2, description: "a\nb" }),
  pairs(`${calendars}create/`, { title: "Raw é 🎉", timezone: "" }),
  post(`${calendars}create/`, "title=é&x", "application/x-www-form-urlencoded; charset=UTF-8"),
  post(`${calendars}create/`, form({ ...calendar, title: "Multipart 🎉" })),
  post(
    `${calendars}create/`,
    (() => {
      const data = form(calendar);
      data.set("description", new Blob(["a file"]), "a.txt");
      return data;
    })(),
  ),
  json(`${calendars}create/`, { ...calendar, palette_id: 1.5, description: null, x: [] }),
  json(`${calendars}create/`, [calendar]),
  post(`${calendars}create/`, '{"title":"a","title":"b"}', "application/json"),
  post(`${calendars}create/`, "{", "application/json"),
  post(`${calendars}create/`, "title=a", "text/plain"),
  post(`${calendars}create/`, "title=a", "application/x-www-form-urlencoded; charset=latin1"),
  post(`${calendars}create/`, "title=%ff", "application/x-www-form-urlencoded"),
  post(
    `${calendars}create/`,
    Array.from({ length: 1001 }, (_, n) => `p${n}=1`).join("&"),
    "application/x-www-form-urlencoded",
  ),
  post(`${calendars}create/`, `title=${"x".repeat(2 ** 20)}`, "application/x-www-form-urlencoded"),
  // Tokens (service.md 5, rulings R1.7)
  raw(`${calendars}list/`, ""),
  raw(`${calendars}list/`, "token=wrong"),
  raw(`${calendars}list/`, "token=token&token=token"),
  raw(`${calendars}list/`, "token[]=token"),
  { path: `${calendars}list/`, query: "token=token", init: { headers: { Authorization: "Bearer token" } } },
  { path: `${calendars}list/`, query: "token=wrong", init: { headers: { Authorization: "Bearer token" } } },
  { path: `${calendars}list/`, init: { headers: { Authorization: "Basic dG9rZW4=" } } },
  // Methods and paths (rulings R1.2, R1.3, R1.8, R1.10)
  { path: `${calendars}delete/`, query: "token=token&calendar_id=1", init: { method: "DELETE" } },
  { path: `${calendars}list/`, query: "token=token", init: { method: "HEAD" } },
  { path: `${calendars}create/`, query: "token=token", init: { method: "HEAD" } },
  { path: `${calendars}create/`, query: "token=token", init: { headers: { "X-Purpose": "preview" } } },
  get("nothing/"),
  get("me/calendars/list"),
  get("me/timezones/"),
  // Unknown and repeated parameters (rulings R1.4, R1.11)
  get(`${calendars}list/`, { pgae: "2", "x y": "1", [`long${"g".repeat(50)}`]: "1" }),
  raw(`${calendars}list/`, "token=token&page=1&page=2"),
  raw(`${calendars}list/`, "token=token&x=%ff"),
  raw(`${calendars}list/`, "token=token&x=%00"),
  // Calendars
  get(`${calendars}list/`),
  get(`${calendars}list/`, { page: "2" }),
  get(`${calendars}list/`, { page: "0" }),
  get(`${calendars}create/`, { title: " ", timezone: "Mars/Olympus", palette_id: "11" }),
  get(`${calendars}create/`, { title: "Alias", timezone: "US/Pacific" }),
  get(`${calendars}save/`, { calendar_id: "1", title: "Saved" }),
  get(`${calendars}save/`, { calendar_id: "99", title: "Saved" }),
  get(`${calendars}delete/`, { calendar_id: "2" }),
  get(`${calendars}delete/`, { calendar_id: "2" }),
  get(`${calendars}delete/`, { calendar_id: "01" }),
  // Events and the forms of their dates (rulings R4.2)
  ...[
    "07/04/2026 13:30",
    "07/04/2026 01:30 pm",
    "07/04/2026 13:30:59 PM",
    "2026-07-04 13:30",
    "2026-07-04T13:30:15",
    "03/08/2026 02:30",
    "11/01/2026 01:30",
    "2026-07-04",
    "7/4/2026 13:30",
    "07/04/2026 13:30 AM",
    "2026-07-04T13:30Z",
    "02/30/2026 10:00",
    "07/04/1899 10:00",
  ].map((start_date) => get(`${events}create/`, { ...event, start_date })),
  json(`${events}create/`, {
    ...event,
    calendar_id: 1,
    all_day_event: true,
    start_date: "07/04/2026",
    end_date: "2026-07-06",
  }),
  get(`${events}create/`, { ...event, end_date: "07/04/2026 13:29" }),
  get(`${events}create/`, { ...event, color_id: "9" }),
  get(`${events}create/`, { ...event, color_id: "8", reminder: "40321", organizer_email: "nobody" }),
  get(`${events}create/`, { calendar_id: "1" }),
  get(`${events}save/`, { ...saved, description: "a\\nb", organizer: "Ada" }),
  get(`${events}save/`, { ...saved, organizer: "" }),
  get(`${events}save/`, { ...saved, event_id: "999" }),
  ...[
    {},
    { page: "2" },
    { order_by: "id-asc" },
    { order_by: "date-desc" },
    { order_by: "title" },
    { month: "07" },
    { month: "07", year: "2026" },
    { upcoming: "now" },
    { upcoming: "07/04/2026 01:31 PM", order_by: "x" },
    { upcoming: "soon" },
  ].map((filter: Values) => get(`${events}list/`, { calendar_id: "1", ...filter })),
  get(`${events}delete/`, { event_id: "1" }),
  get(`${events}delete/`, { event_id: "1" }),
  // Writes under a key (extensions.md X2.1)
  ...[
    keyed("one", event),
    keyed("one", event),
    keyed("one", { ...event, color_id: "" }),
    keyed("one", { ...event, title: "Other" }),
    keyed("two", { ...event, calendar_id: "99" }),
    keyed("two", event),
    keyed("two words", event),
    keyed("x".repeat(256), event),
  ],
  // If-Match (extensions.md X2.2)
  ...['"0"', '"0"', '"5", "1"', "*", "1"].map((match) =>
    json(`${events}save/`, { ...saved, event_id: "2" }, { "If-Match": match }),
  ),
  json(`${events}delete/`, { event_id: "2" }, { "If-Match": '"0"' }),
  json(`${events}create/`, event, { "If-Match": '"0"' }),
  // Subscribers
  ...["", "inactive/", "blocked/"].map((part) => get(`${subscribers}${part}`, { calendar_id: "1" })),
  get(subscribers, { calendar_id: "1", order_by: "date-desc", page: "2" }),
  get("calendars/subscriber/", { calendar_id: "1", subscriber_id: "2" }),
  get("calendars/subscriber/", { calendar_id: "1", subscriber_id: "9" }),
  raw("timezones", ""),
];

let server: TestServer;
let fake: FakeServer;
let sides: { readonly server: Side; readonly fake: Side };

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "3" });
  fake = createFakeServer({ pageSize: 3, clock: () => new Date(server.now * 1000) });
  const account = await server.account();
  const prefix = "/api/v1/";
  sides = {
    server: { fetch, base: server.url, token: account.token, prefix, succeeded: new Set() },
    fake: { fetch: fake.fetch, base: fake.baseUrl, token: fake.token, prefix, succeeded: new Set() },
  };
  subscribe = async () => {
    const choices = [{}, { active: 0 }, { blocked: 1 }, { subscribed_at: server.now - 86_400 }];
    for (const choice of choices) {
      const row = { active: 1, blocked: 0, subscribed_at: server.now, ...choice };
      await addSubscriber(server, account, "1", row);
      fake.addSubscriber({
        calendar_id: "1",
        name: "Ada Byron",
        email: "ada@example.com",
        calendar_type: "apple",
        active: row.active === 1,
        blocked: row.blocked === 1,
        since: new Date(row.subscribed_at * 1000),
      });
    }
  };
});
afterAll(() => server.stop());

let subscribe: () => Promise<void>;

describe("the fake and the server answer the same to", () => {
  test.each(script.map((sent, index) => [`${index} ${titleOf(sent)}`, sent] as const))(
    "%s",
    async (_title, sent) => {
      if (
        sent.path.startsWith("calendars/subscribers/") &&
        fake.requests.every(({ path }) => !path.includes("subscribers"))
      )
        await subscribe();
      const expected = await exchange(sides.server, sent);
      expect(await exchange(sides.fake, sent)).toEqual(expected);
    },
  );

  // Errors may be equal for want of a token or a path.
  test("each operation, which succeeds at least once", () => {
    const paths = Object.values(operations).map(({ path }) => path);
    expect(paths.filter((path) => !sides.server.succeeded.has(path))).toEqual([]);
  });
});
