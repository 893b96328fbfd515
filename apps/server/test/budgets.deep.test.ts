import { describe, expect, test } from "vitest";
import { testServer } from "./harness.js";

// What a request may cost is enforced (docs/limits.md).

const server = await testServer();
const account = await server.account();

const newCalendar = async (owner = account): Promise<string> =>
  (await owner.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar.id;

const totalsOf = async (calendar_id: string): Promise<readonly unknown[]> => {
  const { body } = await account.call("calendarsDetails", { calendar_id });
  const series = await server.db.read("series").where({ calendar_id }).count({ total: "*" });
  return [body.calendar.events_total, series[0]?.total];
};

const daily = { title: "Daily", start_date: "2026-10-12T19:00", rrule: "FREQ=DAILY;COUNT=366" };
const manyNames = JSON.stringify(
  Object.fromEntries(Array.from({ length: 400 }, (_, index) => [index.toString(36), ""])),
);

describe("a series that would write more than a request may", () => {
  test.each([
    ["long texts", { description: "x".repeat(65_000) }],
    ["many names in custom_data", { custom_data: manyNames }],
  ])("because of %s is refused when it is created and changed, and nothing is stored", async (_, texts) => {
    const calendar_id = await newCalendar();
    const refused = await account.call("eventsSeriesCreate", { calendar_id, ...daily, ...texts });
    expect([refused.status, refused.body.meta.error_type]).toEqual([422, "write_too_large"]);
    expect(await totalsOf(calendar_id)).toEqual([0, 0]);

    const created = await account.call("eventsSeriesCreate", { calendar_id, ...daily });
    expect(created.status, created.text).toBe(200);
    const event_id = created.body.event_ids[0];
    const changed = await account.call("eventsSeriesUpdate", { event_id, scope: "all", ...texts });
    expect([changed.status, changed.body.meta.error_type]).toEqual([422, "write_too_large"]);
    const { body } = await account.call("eventsDetails", { event_id });
    expect([body.event.description, body.event.custom_data]).toEqual(["", {}]);
    expect((await account.call("eventsSeriesDelete", { event_id, scope: "all" })).status).toBe(200);
  });

  test("is refused when its webhooks multiply it, however it is batched", async () => {
    const owner = await server.account();
    const calendar_id = await newCalendar(owner);
    for (let webhook = 0; webhook < 10; webhook++) {
      const made = await owner.call("webhooksCreate", {
        url: `https://example.com/${webhook}`,
        types: "event.created",
      });
      expect(made.status, made.text).toBe(200);
    }
    const texts = { description: "x".repeat(8_000), rrule: "FREQ=DAILY;COUNT=100" };
    const refused = await owner.call("eventsSeriesCreate", { calendar_id, ...daily, ...texts });
    expect([refused.status, refused.body.meta.error_type]).toEqual([422, "write_too_large"]);
    const deliveries = server.db.read("webhook_deliveries").where({ calendar_id });
    expect(await deliveries.count({ total: "*" })).toEqual([{ total: 0 }]);
    const short = await owner.call("eventsSeriesCreate", {
      calendar_id,
      ...daily,
      ...texts,
      rrule: "FREQ=DAILY;COUNT=20",
    });
    expect(short.status, short.text).toBe(200);
  });
});

test("an event with long texts is stored beside ordinary ones that are written at once", async () => {
  const calendar_id = await newCalendar();
  const create = (description: string) =>
    account.call("eventsCreate", {
      calendar_id,
      title: "Event",
      start_date: "2026-10-12T19:00",
      description,
    });
  const texts = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? "x".repeat(65_000) : ""));
  const answers = await Promise.all(texts.map(create));
  expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
  expect((await totalsOf(calendar_id))[0]).toBe(40);
});

test("a write that would read more than 16 MB of texts is refused before it does, and a part of it is not", async () => {
  const calendar_id = await newCalendar();
  const rrule = "FREQ=DAILY;COUNT=90";
  const { event_ids } = (await account.call("eventsSeriesCreate", { calendar_id, ...daily, rrule })).body;
  const ids: readonly string[] = event_ids;
  const change = (some: readonly string[], fields: Readonly<Record<string, string>>) =>
    account.call("eventsBatch", { events: some.join(","), ...fields });
  for (let from = 0; from < 90; from += 15) {
    const { status } = await change(ids.slice(from, from + 15), { description: "\u8A9E".repeat(65_535) });
    expect(status).toBe(200);
  }
  const [event_id = "", last = ""] = [ids[0], ids[60]];
  for (const answer of [
    await change(ids, { delete: "true" }),
    await change(ids, { delete: "true", dry_run: "true" }),
    await account.call("eventsSeriesDelete", { event_id, scope: "all" }),
    await account.call("eventsSeriesUpdate", { event_id, scope: "all", description: "" }),
  ])
    expect([answer.status, answer.body.meta.error_type]).toEqual([422, "write_too_large"]);
  expect((await account.call("eventsSeriesDelete", { event_id: last, scope: "following" })).status).toBe(200);
  expect((await change(ids.slice(0, 60), { delete: "true" })).status).toBe(200);
});
