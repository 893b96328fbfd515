import { expect, test } from "vitest";
import { runHere } from "./command.js";
import { testServer } from "./harness.js";

const server = await testServer();
const kalends = (...args: readonly string[]) => runHere(args, { DATABASE_URL: server.databaseUrl });
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await kalends(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

test("the demo creates two calendars with real events, and subscribers", async () => {
  const none = { code: 1, stderr: "There is no demo.\n" };
  expect(await kalends("demo", "--remove", "--yes")).toMatchObject(none);
  const { account_id, token, calendars } = await json("demo");
  expect(calendars).toHaveLength(2);
  const headers = { Authorization: `Bearer ${token}` };
  for (const { calendar_id, events } of calendars) {
    const { body } = await server.request(`/api/v1/calendars/events/list/?calendar_id=${calendar_id}`, {
      headers,
    });
    expect(body.events).toHaveLength(events);
    expect(events).toBeGreaterThan(10);
  }
  const { body } = await server.request(
    `/api/v1/calendars/subscribers/list/blocked/?calendar_id=${calendars[0].calendar_id}`,
    { headers },
  );
  expect(body.calendar.subscribers_count).toBe(1);

  // A second run finds them: nothing is there twice.
  const again = await json("demo");
  expect(again.calendars).toMatchObject([{ created: 0 }, { created: 0 }]);
  expect(again.calendars[0].page).toContain("http://127.0.0.1:8080/c/");
  const list = await json("call", "calendarsList", "--account", account_id);
  expect(
    list.calendars.map(({ title, events_total }: Record<string, unknown>) => [title, events_total]),
  ).toEqual(calendars.map(({ title, events }: Record<string, unknown>) => [title, events]).toReversed());

  // It has an account of its own, which goes as a whole. The next demo is a new one.
  const removed = await json("demo", "--remove", "--yes");
  expect(removed).toEqual({ account_id, status: "deleted", calendars: 2 });
  await expect
    .poll(async () => (await server.request("/api/v1/calendars/list/", { headers })).status)
    .toBe(401);
  expect(await kalends("demo", "--remove", "--yes")).toMatchObject(none);
  expect((await json("demo")).account_id).not.toBe(account_id);
});
