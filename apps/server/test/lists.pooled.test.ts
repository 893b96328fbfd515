import { type Operation, type OperationId, operationIds, operations } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { addMessages, addSubscriber, freshItems, blamed, exchange } from "./calls.js";
import { type Answer, request, startTestServer, testServer, type TestServer } from "./harness.js";

// Pages and orders of every list (rulings R3.1 to R3.4, R3.7).

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();
const { token } = owner;

/** Every operation that has pages. */
const listIds = operationIds.filter((id) => "page" in operations[id].params.shape);

// Eight events; three start at the same moment, in two time zones.
const calendar_id: string = (await owner.call("createCalendar", { title: "Full", timezone: "UTC" })).body
  .calendar.id;
const starts = ["07/05/2026 10:00", "07/03/2026 10:00", "07/05/2026 10:00", "07/09/2026 10:00"];
for (const start_date of starts) await owner.call("createEvent", { calendar_id, title: "x", start_date });
await owner.call("createEvent", {
  calendar_id,
  title: "x",
  start_date: "07/05/2026 12:00",
  timezone: "Europe/Paris",
});
for (const start_date of ["07/01/2026 10:00", "07/09/2026 10:00", "07/04/2026 10:00"]) {
  await owner.call("createEvent", { calendar_id, title: "x", start_date });
}
for (const day of [5, 3, 5, 9, 5, 1, 9, 4]) {
  await addSubscriber(server, owner, calendar_id, {
    active: 0,
    blocked: 1,
    subscribed_at: server.now + day * 86_400,
  });
}
for (let n = 0; n < 6; n++) await owner.call("createCalendar", { title: `Calendar ${n}` });
const { webhook_id = "", event_id = "" } = await freshItems(server, owner);
for (let n = 0; n < 7; n++) await owner.call("eventsUpdate", { event_id, title: `Title ${n}` });
for (let n = 0; n < 6; n++) await owner.call("tokensCreate", { name: `Token ${n}`, scope: "read" });
const { event_ids } = (
  await owner.call("eventsSeriesCreate", {
    calendar_id,
    title: "x",
    start_date: "2026-08-01T10:00",
    rrule: "FREQ=DAILY;COUNT=8",
  })
).body;
await owner.call("eventsBatch", { events: event_ids.join(","), delete: "true" });
for (let n = 0; n < 7; n++) await owner.call("webhooksTest", { webhook_id });
await addMessages(server, owner, calendar_id, 8);

/** What both the events and the subscribers above give, as positions in the order of creation. */
const orders = {
  "": [8, 7, 6, 5, 4, 3, 2, 1],
  "date-desc": [7, 4, 5, 3, 1, 8, 2, 6],
  "id-asc": [1, 2, 3, 4, 5, 6, 7, 8],
  "id-desc": [8, 7, 6, 5, 4, 3, 2, 1],
};

function itemsOf(id: OperationId, { body }: Answer): readonly { readonly id: string }[] {
  const name = Object.keys(operations[id].payload.shape).find((key) => Array.isArray(body[key]));
  return name === undefined ? [] : body[name];
}

function ids(id: OperationId, answer: Answer): readonly number[] {
  return itemsOf(id, answer).map((item) => Number(item.id));
}

function url(id: OperationId, params: Readonly<Record<string, string>>, from: TestServer = server): string {
  const op: Operation = operations[id];
  const needed = {
    ...("event_id" in op.params.shape
      ? { event_id }
      : "calendar_id" in op.params.shape
        ? { calendar_id }
        : {}),
    ...("webhook_id" in op.params.shape ? { webhook_id } : {}),
  };
  return `${from.url}${op.path}?${new URLSearchParams({ ...needed, ...params }).toString()}`;
}

/** Every page from the first to the last, by following `next`. */
async function walk(first: string, init?: RequestInit): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  for (let next = first; next !== ""; next = pages.at(-1)?.body.paging.next) {
    const answer = await request(next, init);
    expect(answer.status).toBe(200);
    pages.push(answer);
    expect(pages.length).toBeLessThan(10);
  }
  return pages;
}

describe.each(listIds)("%s", (id) => {
  const withOrder = "order_by" in operations[id].params.shape;

  test.each(withOrder ? Object.entries(orders) : [])(
    "order_by=%s is total and the pages together are the whole list",
    async (order_by, want) => {
      const pages = await walk(url(id, { token, order_by }));
      expect(pages.map((page) => itemsOf(id, page).length)).toStrictEqual([3, 3, 2]);
      const all = pages.flatMap((page) => ids(id, page));
      const smallest = Math.min(...all);
      expect(all.map((item) => item - smallest + 1)).toStrictEqual(want);
    },
  );

  test("following next from page 1 reaches the end, showing each item once", async () => {
    const pages = await walk(url(id, { token }));
    const all = pages.flatMap((page) => ids(id, page));
    expect(pages.map((page) => itemsOf(id, page).length)).toStrictEqual([3, 3, 2]);
    expect(new Set(all).size).toBe(8);
    for (const { body } of pages) {
      const count = body.calendar?.events_count ?? body.calendar?.subscribers_count ?? 8;
      expect(count).toBe(8); // over all pages
    }
  });

  test("previous leads back the same way, to the empty string", async () => {
    const pages = await walk(url(id, { token }));
    const [first, second, third] = pages;
    expect(first?.body.paging.previous).toBe("");
    expect((await request(second?.body.paging.previous)).text).toBe(
      (await request(url(id, { token, page: "1" }))).text,
    );
    expect((await request(third?.body.paging.previous)).text).toBe(second?.text);
    expect(third?.body.paging.next).toBe("");
  });

  test("neighbours keep the path and the query, encoded, with one page", async () => {
    const op: Operation = operations[id];
    const sent = "&x=a%26b+c&x=%2B&y=%C3%BC%F0%9F%8E%89&z&page=2&z2=%25";
    const alias = op.path.replace("/api/v1/", "/api/v1/me/");
    for (const path of [op.path, op.path.replace(/\/$/, ""), alias]) {
      const own = `calendar_id=${calendar_id}&webhook_id=${webhook_id}&token=${token}${sent}`;
      const answer = await exchange(server, `${path}?&${own}`);
      const given = new URLSearchParams(own);
      given.delete("page");
      for (const [name, page] of Object.entries({ previous: "1", next: "3" })) {
        const neighbour: string = answer.body.paging[name];
        expect(neighbour).toMatch(/^[!-~]+$/);
        const { origin, pathname, searchParams } = new URL(neighbour);
        expect([origin, pathname]).toStrictEqual([server.url, path]);
        expect([...searchParams]).toStrictEqual([...given, ["page", page]]);
        expect((await request(neighbour)).status).toBe(200);
      }
    }
  });

  test("an empty page is page 1, and next still holds one page only", async () => {
    const { paging } = (await request(url(id, { page: "", token }))).body;
    expect(new URL(paging.next).searchParams.getAll("page")).toStrictEqual(["2"]);
    expect(paging.previous).toBe("");
  });

  test("a token that came as Bearer is not in the neighbours", async () => {
    const init = { headers: { Authorization: `Bearer ${token}` } };
    const pages = await walk(url(id, {}), init);
    expect(pages).toHaveLength(3);
    for (const { text } of pages) expect(text).not.toMatch(/token=|kal_/);
  });

  test("past the end is an empty list with next empty", async () => {
    for (const page of ["4", "1000000", "9007199254740991"]) {
      const answer = await request(url(id, { token, page }));
      expect([page, answer.status, itemsOf(id, answer)]).toStrictEqual([page, 200, []]);
      expect(answer.body.paging.next).toBe("");
      expect(answer.body.calendar?.events_count ?? answer.body.calendar?.subscribers_count ?? 8).toBe(8);
    }
  });

  test("a page that is no page number is a 400 that names it", async () => {
    for (const page of [
      "0",
      "-1",
      "1.5",
      "abc",
      "01",
      "+1",
      " 1",
      "1e1",
      "0x1",
      "9007199254740992",
      "99999999999999999999",
    ]) {
      const answer = await request(url(id, { token, page }));
      expect([page, answer.status, blamed(answer)]).toStrictEqual([page, 400, ["page"]]);
    }
  });
});

test("an unknown order_by is a 400 that names it", async () => {
  for (const id of listIds.filter((name) => "order_by" in operations[name].params.shape)) {
    const others = ["name", "ID-ASC", "id-asc;--", ...(id === "eventsList" ? [] : ["date-asc"]), "id"];
    for (const order_by of others) {
      const answer = await request(url(id, { token, order_by }));
      expect([order_by, answer.status, blamed(answer)]).toStrictEqual([order_by, 400, ["order_by"]]);
    }
  }
});

test("a full last page has no next", async () => {
  const account = await server.account();
  for (const title of ["one", "two", "three"]) await account.call("createCalendar", { title });
  const { body } = await account.get("listCalendars");
  expect([body.calendars.length, body.paging]).toStrictEqual([3, { previous: "", next: "" }]);
});

test("a page has 100 items when PAGE_SIZE is not set", async () => {
  const plain = await startTestServer();
  const account = await plain.account();
  for (let made = 0; made < 101; made++)
    expect((await account.call("createCalendar", { title: "x" })).status).toBe(200);
  const pages = await walk(`${plain.url}/api/v1/calendars/list/?token=${account.token}`);
  expect(pages.map(({ body }) => body.calendars.length)).toStrictEqual([100, 1]);
  await plain.stop();
});

test("calendars come most recently saved first, and saves in one second keep their order", async () => {
  const account = await server.account();
  const made: string[] = [];
  for (const title of ["a", "b", "c"])
    made.push((await account.call("createCalendar", { title })).body.calendar.id);
  const [a = "", b = "", c = ""] = made;
  const listed = async () =>
    (await account.call("listCalendars")).body.calendars.map(({ id }: { id: string }) => id);
  expect(await listed()).toStrictEqual([c, b, a]);
  await account.call("saveCalendar", { calendar_id: b, title: "b" });
  expect(await listed()).toStrictEqual([b, c, a]);
  await account.call("calendarsUpdate", { calendar_id: a, description: "a" });
  expect(await listed()).toStrictEqual([a, b, c]);
  await account.call("saveCalendar", { calendar_id: "999999", title: "none" });
  await account.call("createEvent", { calendar_id: c, title: "x", start_date: "07/04/2026 10:00" });
  expect(await listed()).toStrictEqual([a, b, c]); // a change of its events is no save of the calendar
  server.now += 60;
  await account.call("saveCalendar", { calendar_id: c, title: "c" });
  expect(await listed()).toStrictEqual([c, a, b]);
  server.now -= 60;
  await account.call("deleteCalendar", { calendar_id: a });
  expect(await listed()).toStrictEqual([c, b]);
});
