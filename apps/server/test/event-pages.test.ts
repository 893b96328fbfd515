import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CalendarRow } from "../src/db/rows.js";
import { type EventListOptions, pageQuery } from "../src/events/page-queries.js";
import { planOf, searches } from "./databases.js";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";

// Pages of events as they are read for the API: list items that stand ready, joined by the database.

const orders = ["date-desc", "id-asc", "id-desc"] as const;
const total = 41;

let server: TestServer;
let account: TestAccount;
let calendar: CalendarRow;
let items: readonly { readonly id: string; readonly date_start_unix: number }[];

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "7" });
  account = await server.account();
  const fields = { calendarname: "Pages", title: "Pages", timezone: "Europe/Vienna" };
  const calendar_id: string = (await account.call("createCalendar", fields)).body.calendar.id;
  for (let n = 0; n < total; n++) {
    // Every start is that of three events, and none in the order of the ids.
    const day = String(1 + ((Math.floor(n / 3) * 5) % 14)).padStart(2, "0");
    const dates = { start_date: `07/${day}/2026 10:00`, end_date: `07/${day}/2026 11:00` };
    const title = `Nº ${n} "quoted"\u2028`;
    expect((await account.call("createEvent", { calendar_id, title, ...dates })).status).toBe(200);
  }
  const row = await server.db
    .read<CalendarRow>("calendars")
    .where({ id: Number(calendar_id) })
    .first();
  if (row === undefined) throw new Error("the calendar is not there");
  calendar = row;
  items = (await walk("id-asc")).flat();
});
afterAll(() => server.stop());

async function pageOf(order: EventListOptions["order"], page: number, rest = {}): Promise<typeof items> {
  const { body } = await account.call("listEvents", {
    ...rest,
    calendar_id: String(calendar.id),
    order_by: order,
    page: String(page),
  });
  expect(body.calendar.events_count).toBe(total);
  expect(body.paging.next === "").toBe(page >= Math.ceil(total / 7));
  return body.events;
}

function walk(order: EventListOptions["order"]): Promise<(typeof items)[]> {
  return Promise.all(Array.from({ length: 7 }, (_, n) => pageOf(order, n + 1)));
}

describe("pages from the front and from the end of a list make up the list", () => {
  for (const order of orders) {
    test(order, async () => {
      const [key, direction] = order.split("-");
      const sign = direction === "asc" ? 1 : -1;
      const expected = items.toSorted(
        (a, b) =>
          sign *
          ((key === "date" ? a.date_start_unix - b.date_start_unix : 0) || Number(a.id) - Number(b.id)),
      );
      const pages = await walk(order);
      expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 7, 6, 0]);
      expect(pages.flat()).toEqual(expected);
    });
  }
});

describe("a page is read from an index in its order, and nothing else is looked at", () => {
  const month = 2026 * 12 + 6;
  const lists = [
    [{ order: "id-desc" }, "events_by_id (calendar_id=?)"],
    [{ order: "id-asc" }, "events_by_id (calendar_id=?)"],
    [{ order: "date-desc" }, "events_by_start (calendar_id=?)"],
    [{ order: "date-asc", startsFrom: 1 }, "events_by_start (calendar_id=? AND start_at>?)"],
    [{ order: "id-desc", startMonth: month }, "events_by_month_id (calendar_id=? AND start_month=?)"],
    [{ order: "date-desc", startMonth: month }, "events_by_month_start (calendar_id=? AND start_month=?)"],
    [
      { order: "date-asc", startMonth: month, startsFrom: 1 },
      "events_by_month_start (calendar_id=? AND start_month=? AND start_at>?)",
    ],
  ] as const;
  for (const [filter, index] of lists) {
    for (const backwards of [false, true]) {
      test(`${JSON.stringify(filter)}${backwards ? ", from its end" : ""}`, async () => {
        const range = { ...filter, limit: 7, offset: 0, backwards };
        const plan = await server.db.list(1, (on) => {
          const { sql, values } = pageQuery(on, calendar, range);
          return planOf(server.db, sql, values);
        });
        expect(plan).toContain(searches(index));
        expect(plan).not.toContain("scan events");
        expect(plan.includes("sort")).toBe(backwards); // of the page alone
      });
    }
  }
});
