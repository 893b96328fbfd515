import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOfTests, startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";

let server: TestServer;
let account: TestAccount;
let calendarId = "";

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  calendarId = (await account.call("createCalendar", { title: "Home", timezone: "America/New_York" })).body
    .calendar.id;
});
afterAll(() => server.stop());

const create = (params: Readonly<Record<string, string>>) =>
  account.call("createEvent", {
    calendar_id: calendarId,
    title: "Lunch",
    start_date: "07/04/2026 13:30",
    ...params,
  });
const listed = async (id: number) => {
  const { body } = await account.call("listEvents", { calendar_id: calendarId, order_by: "id-asc" });
  return body.events.find((event: { id: string }) => event.id === String(id));
};

describe("save an event", () => {
  const full = {
    description: "old",
    location: "old",
    organizer: "old",
    organizer_email: "old@example.com",
    reminder: "5",
  };

  test("counts the save and moves date_modified", async () => {
    const { id } = (await create({})).body.event;
    server.now = startOfTests + 60;
    const params = { event_id: String(id), title: "Dinner", start_date: "07/04/2026 19:00" };
    const first = (await account.call("saveEvent", params)).body.event;
    expect(first).toMatchObject({
      id,
      title: "Dinner",
      updated_times: "1",
      date_create: startOfTests,
      date_modified: startOfTests + 60,
    });
    expect((await account.call("saveEvent", params)).body.event.updated_times).toBe("2");
    server.now = startOfTests;
  });

  test("keeps what has no default when it is absent, and clears it when it is empty", async () => {
    const { id } = (
      await create({
        ...full,
        color_id: "3",
        all_day_event: "true",
        timezone: "UTC",
        end_date: "07/05/2026 13:30",
      })
    ).body.event;
    const params = { event_id: String(id), title: "x", start_date: "07/04/2026 13:30" };
    const kept = (await account.call("saveEvent", params)).body.event;
    expect(kept).toMatchObject(full);
    const empty = Object.fromEntries(Object.keys(full).map((name) => [name, ""]));
    expect((await account.call("saveEvent", { ...params, ...empty })).body.event).toMatchObject(empty);
  });

  test("takes the default of what has one when it is absent or empty", async () => {
    for (const empty of [{}, { color_id: "", all_day_event: "", timezone: "", end_date: "" }]) {
      const { id } = (
        await create({ color_id: "3", all_day_event: "true", timezone: "UTC", end_date: "07/05/2026 13:30" })
      ).body.event;
      const saved = await account.call("saveEvent", {
        event_id: String(id),
        title: "x",
        start_date: "07/04/2026 13:30",
        ...empty,
      });
      expect(saved.body.event).toMatchObject({
        color_id: "",
        all_day_event: "false",
        timezone: "America/New_York",
        date_end: "07/04/2026",
        date_end_time: "14:30:00",
      });
    }
  });

  test("a refused save changes nothing", async () => {
    const { id } = (await create({ color_id: "3" })).body.event;
    const before = await listed(id);
    await account.call("saveEvent", {
      event_id: String(id),
      title: "x",
      start_date: "03/08/2026 02:30",
      end_date: "03/08/2026 03:10",
    });
    expect(await listed(id)).toEqual(before);
  });
});

test("a deleted event leaves the list and the count, and cannot be deleted again", async () => {
  const { id } = (await create({})).body.event;
  const count = async () =>
    (await account.call("listEvents", { calendar_id: calendarId })).body.calendar.events_count;
  const before = await count();
  expect((await account.call("deleteEvent", { event_id: String(id) })).body).toEqual({
    meta: { code: "200" },
    event: { id: String(id), status: "deleted" },
  });
  expect(await count()).toBe(before - 1);
  expect((await account.call("deleteEvent", { event_id: String(id) })).body.meta.error_type).toBe(
    "event_not_found",
  );
});
