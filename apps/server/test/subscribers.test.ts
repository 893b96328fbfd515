import { expect, test } from "vitest";
import { addSubscriber, type Values } from "./calls.js";
import { testServer } from "./harness.js";

// Which subscribers the three lists show, in which order, and how they are counted (rulings R3.3 to R3.5, R5.2 to R5.5).

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();

async function calendarIn(timezone: string): Promise<string> {
  return (await owner.call("createCalendar", { title: "x", timezone })).body.calendar.id;
}

const calendar_id = await calendarIn("America/New_York");
const at = (iso: string): number => Date.parse(iso) / 1000;
const people = [
  { active: 1, blocked: 0, subscribed_at: at("2026-07-31T20:00:00Z") },
  { active: 0, blocked: 0, subscribed_at: at("2026-08-01T03:59:59Z") }, // still July in New York
  { active: 1, blocked: 1, subscribed_at: at("2026-08-01T04:00:00Z") },
  { active: 0, blocked: 1, subscribed_at: at("2026-06-30T23:00:00Z") },
  { active: 1, blocked: 0, subscribed_at: at("2026-08-31T23:00:00Z") },
];
const made: number[] = [];
for (const person of people) made.push((await addSubscriber(server, owner, calendar_id, person)).id);

async function subscribers(
  id: "listSubscribers" | "listInactiveSubscribers" | "listBlockedSubscribers",
  params: Values = {},
) {
  const { body } = await owner.call(id, { calendar_id, ...params });
  const items: readonly { id: string }[] = body.subscribers;
  return [items.map((item) => made.indexOf(Number(item.id)) + 1), body.calendar.subscribers_count];
}

test("the plain list has everyone, inactive/ those not active, blocked/ those blocked, each with its count", async () => {
  expect(await subscribers("listSubscribers")).toStrictEqual([[5, 4, 3], 5]);
  expect(await subscribers("listSubscribers", { page: "2" })).toStrictEqual([[2, 1], 5]);
  expect(await subscribers("listInactiveSubscribers")).toStrictEqual([[4, 2], 2]);
  expect(await subscribers("listBlockedSubscribers")).toStrictEqual([[4, 3], 2]);
});

test("each list has each order", async () => {
  expect(await subscribers("listSubscribers", { order_by: "date-desc" })).toStrictEqual([[5, 3, 2], 5]);
  expect(await subscribers("listSubscribers", { order_by: "id-asc" })).toStrictEqual([[1, 2, 3], 5]);
  expect(await subscribers("listInactiveSubscribers", { order_by: "date-desc" })).toStrictEqual([[2, 4], 2]);
  expect(await subscribers("listBlockedSubscribers", { order_by: "id-asc" })).toStrictEqual([[3, 4], 2]);
});

test("a month is that of the subscription date in the calendar's zone, and is counted", async () => {
  expect(await subscribers("listSubscribers", { month: "07", year: "2026" })).toStrictEqual([[2, 1], 2]);
  expect(await subscribers("listSubscribers", { month: "08", year: "2026" })).toStrictEqual([[5, 3], 2]);
  expect(await subscribers("listInactiveSubscribers", { month: "06", year: "2026" })).toStrictEqual([[4], 1]);
  expect(await subscribers("listBlockedSubscribers", { month: "08", year: "2026" })).toStrictEqual([[3], 1]);
  const { body } = await owner.call("getSubscriber", { calendar_id, subscriber_id: String(made[1]) });
  expect(body.subscribers[0]).toMatchObject({
    date: "07/31/2026 23:59:59",
    active: "false",
    blocked: "false",
    country: "ZZ",
  });
});

test("the calendar counts all of them, and as active those who are not blocked", async () => {
  const { calendars } = (await owner.call("listCalendars")).body;
  const calendar = calendars.find(({ id }: { id: string }) => id === calendar_id);
  expect(calendar).toMatchObject({ followers_total: "5", followers_active: "2" });
});

test("the first and the last year that can be written are answered; the year 0070 is not 1970", async () => {
  const early = await calendarIn("UTC");
  await addSubscriber(server, owner, early, { active: 1, blocked: 0, subscribed_at: 1_000_000 });
  for (const year of ["0000", "0070", "9999"]) {
    for (const month of ["01", "12"]) {
      const answer = await owner.call("listSubscribers", { calendar_id: early, month, year });
      expect([year, answer.body.calendar?.subscribers_count]).toStrictEqual([year, 0]);
      expect((await owner.call("listEvents", { calendar_id: early, month, year })).status).toBe(200);
    }
  }
});

test("the list and the details return the same subscriber, whatever its name", async () => {
  const names = [
    '","date":5,"id":"',
    ',{"id":"1","date" : 7',
    '\\","date":1,{"',
    "date",
    "x\\",
    "é\u2028🎉\t\u001f",
  ];
  const calendar = await calendarIn("Asia/Kathmandu");
  for (const [index, name] of names.entries()) {
    const location =
      index % 2 === 0 ? { postal: null, city: null, state: null, country: null } : { city: name };
    const person = {
      name,
      active: index % 2,
      blocked: index % 3 === 0 ? 1 : 0,
      subscribed_at: at("2026-07-31T20:00:00Z"),
    };
    await addSubscriber(server, owner, calendar, { ...person, ...location });
  }
  for (const page of ["1", "2"]) {
    const { body } = await owner.call("listSubscribers", { calendar_id: calendar, page, order_by: "id-asc" });
    expect(body.subscribers.map(({ name }: { name: string }) => name)).toEqual(
      page === "1" ? names.slice(0, 3) : names.slice(3),
    );
    for (const listed of body.subscribers) {
      const subscriber_id = listed.id;
      const details = (await owner.call("getSubscriber", { calendar_id: calendar, subscriber_id })).body;
      expect([listed]).toStrictEqual(details.subscribers);
      expect(listed.date).toBe("08/01/2026 01:45:00");
    }
    expect(body.paging.next === "").toBe(page === "2");
  }
});
