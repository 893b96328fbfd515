import { expect, test } from "vitest";
import { addFollower, addSubscriber } from "../../test/calls.js";
import { testServer } from "../../test/harness.js";

const server = await testServer();

const owner = await server.account();
const other = await server.account();

async function newCalendar(): Promise<string> {
  return (await owner.call("calendarsCreate", { title: "Concerts", timezone: "Europe/Berlin" })).body.calendar
    .id;
}

const counters = async (calendar_id: string) => {
  const { calendar } = (await owner.call("calendarsDetails", { calendar_id })).body;
  return [calendar.followers_total, calendar.followers_active];
};

test("the list has all subscribers in the shape of the extensions, or those of one state (extensions X8.6)", async () => {
  const calendar_id = await newCalendar();
  const { id } = await addFollower(server, owner, calendar_id, {
    name: "Ada Byron",
    email: "ada@example.com",
    city: "London",
    categories: "Children,Concerts",
  });
  const gone = await addSubscriber(server, owner, calendar_id, {
    active: 0,
    blocked: 1,
    subscribed_at: server.now,
  });
  const { body } = await owner.call("subscribersList", { calendar_id, order_by: "id-asc" });
  expect(body.calendar).toEqual({ id: calendar_id, subscribers_count: 2 });
  const at = new Date(server.now * 1000).toISOString().replace(".000Z", "Z");
  expect(body.subscribers[0]).toEqual({
    id: String(id),
    calendar_id,
    name: "Ada Byron",
    email: "ada@example.com",
    ip: "",
    postal: "",
    city: "London",
    state: "",
    country: "",
    calendar_type: "ical",
    active: true,
    blocked: false,
    categories: ["Children", "Concerts"],
    date_subscribed: at,
    date_seen: at,
    date_unfollowed: "",
  });
  for (const [only, ids] of [
    ["inactive", [String(gone.id)]],
    ["blocked", [String(gone.id)]],
  ] as const) {
    const found = (await owner.call("subscribersList", { calendar_id, only })).body;
    expect(found.subscribers.map((one: { readonly id: string }) => one.id)).toEqual(ids);
    expect(found.calendar.subscribers_count).toBe(1);
  }
  const none = await owner.call("subscribersList", { calendar_id, month: "01", year: "2001" });
  expect(none.body).toMatchObject({ calendar: { subscribers_count: 0 }, subscribers: [] });
});

test("a subscriber is blocked, unblocked and deleted, with the counters of the calendar", async () => {
  const calendar_id = await newCalendar();
  const { id } = await addFollower(server, owner, calendar_id);
  const subscriber_id = String(id);
  expect(await counters(calendar_id)).toEqual([1, 1]);
  const blocked = await owner.call("subscribersBlock", { subscriber_id });
  expect(blocked.body.subscriber).toMatchObject({ id: subscriber_id, calendar_id, blocked: true });
  expect((await owner.call("subscribersBlock", { subscriber_id })).text).toBe(blocked.text);
  expect(await counters(calendar_id)).toEqual([1, 0]);
  const { subscriber } = (await owner.call("subscribersUnblock", { subscriber_id })).body;
  expect(subscriber.blocked).toBe(false);
  expect(await counters(calendar_id)).toEqual([1, 1]);
  const deleted = await owner.call("subscribersDelete", { subscriber_id });
  expect(deleted.body.subscriber).toEqual({ id: subscriber_id, status: "deleted" });
  expect(await counters(calendar_id)).toEqual([0, 0]);
  expect((await owner.call("subscribersDelete", { subscriber_id })).status).toBe(404);
});

test("those of another account, and of a deleted calendar, are not found, and stay as they are", async () => {
  const calendar_id = await newCalendar();
  const { id } = await addFollower(server, owner, calendar_id);
  const subscriber_id = String(id);
  const absent = { subscriber_id: "999999" };
  for (const change of ["subscribersBlock", "subscribersUnblock", "subscribersDelete"] as const) {
    const [foreign, none] = [await other.call(change, { subscriber_id }), await other.call(change, absent)];
    expect([foreign.status, foreign.body.meta.error_type]).toEqual([404, "subscriber_not_found"]);
    expect(none.body.meta.error_message).toBe(foreign.body.meta.error_message);
  }
  expect((await other.call("subscribersList", { calendar_id })).status).toBe(404);
  expect(await counters(calendar_id)).toEqual([1, 1]);
  await owner.call("calendarsDelete", { calendar_id });
  expect((await owner.call("subscribersBlock", { subscriber_id })).status).toBe(404);
});

test("a calendar is created with custom data, by which it is found (extensions X8.6)", async () => {
  const custom_data = '{"hall":"2b"}';
  const { calendar } = (await owner.call("calendarsCreate", { title: "With data", custom_data })).body;
  expect(calendar).toMatchObject({ timezone: "America/Los_Angeles", custom_data: { hall: "2b" } });
  const found = await owner.call("calendarsList", { custom_data_key: "hall", custom_data_value: "2b" });
  expect(found.body.calendars).toEqual([calendar]);
});
