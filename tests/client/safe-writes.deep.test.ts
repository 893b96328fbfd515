import { CalendarApiError, createCalendarClient, type CalendarClientOptions } from "@kalends/client";
import { createExtensionsClient, type Event } from "@kalends/client/extensions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { startCuttingProxy } from "./cutting-proxy.js";

// Two servers on one database. `KALENDS_SAFE_WRITES=full` runs the full numbers.

const isFull = process.env["KALENDS_SAFE_WRITES"] === "full";
const creates = isFull ? 500 : 60;
const rounds = isFull ? 200 : 20;
const atOnce = 16;
const start_date = "07/04/2026 13:30";

let server: TestServer;
let second: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "4" });
  second = await startTestServer({ PAGE_SIZE: "4", DATABASE_URL: server.databaseUrl });
  ({ token } = await server.account());
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const clientOf = (baseUrl: string, options: Partial<CalendarClientOptions> = {}) =>
  createCalendarClient({ baseUrl, token, ...options });
const extensionsOf = (baseUrl: string) => createExtensionsClient({ baseUrl, token });

async function newCalendar(title: string): Promise<string> {
  return (await clientOf(server.url).calendars.create({ title, timezone: "Europe/Paris" })).id;
}

async function idsIn(calendar_id: string): Promise<readonly string[]> {
  const events = await extensionsOf(server.url).events.list({ calendar_id, order_by: "id-asc" }).toArray();
  return events.map(({ id }) => id);
}

/** Does each piece of work once, a few at the same time. */
async function inParallel(total: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

describe("a write whose answer is lost is done once (extensions X2.1)", () => {
  test.each(["POST", "GET"] as const)(
    `${creates} creates by %s over a network that loses half of the answers make ${creates} events`,
    async (mutationMethod) => {
      await using proxy = await startCuttingProxy([server.url, second.url]);
      const { events } = clientOf(proxy.url, { mutationMethod });
      const calendar_id = await newCalendar("Lossy");
      const returned: string[] = [];
      await inParallel(creates, async (number) => {
        const { id, title } = await events.create({ calendar_id, title: String(number), start_date });
        expect(title).toBe(String(number));
        returned.push(String(id));
      });
      expect(proxy.lost).toBeGreaterThan(creates * 0.9);
      expect(await idsIn(calendar_id)).toEqual(returned.toSorted((a, b) => Number(a) - Number(b)));
      expect(returned).toHaveLength(creates);
    },
  );

  test("without the key, the same network makes more events than calls", async () => {
    await using proxy = await startCuttingProxy([server.url, second.url]);
    const onRequest = ({ headers }: Request): void => headers.delete("Idempotency-Key");
    const { events } = clientOf(proxy.url, { onRequest });
    const calendar_id = await newCalendar("Lossy, without a key");
    await events.create({ calendar_id, title: "Once?", start_date });
    expect((await idsIn(calendar_id)).length).toBeGreaterThan(1);
  });
});

describe("two writers who read, change and write with If-Match lose no change (extensions X2.2)", () => {
  /** Counts once more under a name, from what was read, until the event was still that. Returns how often it was not. */
  async function count(baseUrl: string, first: Event, name: string): Promise<number> {
    const { events } = extensionsOf(baseUrl);
    for (let event = first, refused = 0; ; refused += 1) {
      const custom_data = { ...event.custom_data, [name]: Number(event.custom_data[name] ?? 0) + 1 };
      try {
        await events.update(event.id, { custom_data }, { ifMatch: event.updated_times });
        return refused;
      } catch (error) {
        if (!(error instanceof CalendarApiError) || error.errorType !== "event_changed") throw error;
        expect(error.status).toBe(412);
        event = await events.get(event.id);
      }
    }
  }

  test(`in ${rounds} rounds`, async () => {
    const calendar_id = await newCalendar("Counted");
    const { events } = extensionsOf(server.url);
    const { id } = await events.add({ calendar_id, title: "Counted", start_date });
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const read = await events.get(id); // by both, before either writes
      const writers = [count(server.url, read, "a"), count(second.url, read, "b")];
      for (const times of await Promise.all(writers)) refused += times;
    }
    expect(await events.get(id)).toMatchObject({
      custom_data: { a: rounds, b: rounds },
      updated_times: 2 * rounds,
    });
    expect(refused).toBe(rounds);
  });
});

describe("the client of the extensions", () => {
  test("changes only what is sent, which a save of the contract does not", async () => {
    const calendar_id = await newCalendar("Trips");
    const { events } = extensionsOf(server.url);
    const times = { start_date: "2026-07-04T13:30", end_date: "2026-07-04T23:00" };
    const added = await events.add({ calendar_id, title: "Departure", reminder: "30", ...times });
    const updated = await events.update(added.id, { location: "Gate 7", reminder: "" });
    expect(updated).toEqual({
      ...added,
      location: "Gate 7",
      reminder: "",
      updated_times: 1,
      date_modified: updated.date_modified,
    });
    expect(await events.get(Number(added.id))).toEqual(updated);
    await expect(events.update(added.id, { title: "" })).rejects.toMatchObject({ status: 400 });
    await expect(events.get("999999")).rejects.toMatchObject({ errorType: "event_not_found" });
    expect(updated).toMatchObject({ status: "confirmed", start_at: "2026-07-04T11:30:00Z" });
  });

  test("keeps data of the caller on events and calendars, and finds them by it", async () => {
    const calendar_id = await newCalendar("Rooms");
    const { events, calendars } = extensionsOf(server.url);
    const data = { room: "2b", seats: { free: 3, taken: [1, 2] }, open: true };
    const { id } = await events.add({ calendar_id, title: "é 🎉", start_date, custom_data: data });
    for (let other = 0; other < 5; other++) await events.add({ calendar_id, title: "Other", start_date });
    const found = events.list({ calendar_id, custom_data_key: "room", custom_data_value: "2b" });
    expect((await found.toArray()).map((event) => [event.id, event.custom_data])).toEqual([[id, data]]);
    const pages = events.list({ calendar_id, page: 2 }).pages();
    for await (const { page, items, total } of pages) expect([page, items.length, total]).toEqual([2, 2, 6]);
    expect((await events.update(id, { custom_data: {} })).custom_data).toEqual({});
    const details = await calendars.update(calendar_id, { custom_data: { floor: 2 } });
    expect(details).toMatchObject({ title: "Rooms", custom_data: { floor: 2 }, events_total: 6 });
    expect(await calendars.get(calendar_id)).toEqual(details);
    expect(await calendars.list({ custom_data_key: "floor" }).toArray()).toEqual([details]);
  });

  test("follows what changes, from page to page, and goes on from a cursor that was kept", async () => {
    const calendar_id = await newCalendar("Followed");
    const { events } = extensionsOf(second.url);
    const ids: string[] = [];
    for (let number = 0; number < 6; number++)
      ids.push((await events.add({ calendar_id, title: String(number), start_date })).id);
    let kept: string | undefined;
    const changesSince = async (cursor?: string) => {
      const seen: string[] = [];
      for await (const page of events.follow(calendar_id, cursor)) {
        for (const change of page.changes) {
          const location = change.change === "saved" ? change.event.location : "";
          seen.push(`${change.event_id} ${change.change} ${location}`.trim());
        }
        kept = page.cursor;
      }
      return seen;
    };
    expect(await changesSince()).toEqual(ids.map((id) => `${id} saved`));
    expect(await changesSince(kept)).toEqual([]);
    await events.update(ids[4] ?? "", { location: "here" });
    await clientOf(server.url).events.delete(ids[1] ?? "");
    expect(await changesSince(kept)).toEqual([`${ids[4]} saved here`, `${ids[1]} deleted`]);
    // A change right after a deletion, of an event with a smaller id, is not left out.
    await events.update(ids[0] ?? "", { location: "there" });
    expect(await changesSince(kept)).toEqual([`${ids[0]} saved there`]);
    await clientOf(server.url).events.delete(ids[5] ?? "");
    expect(await changesSince(kept)).toEqual([`${ids[5]} deleted`]);
    const { changes, has_more } = await events.changes(calendar_id, { since: kept });
    expect([changes, has_more]).toEqual([[], false]);
    await expect(events.changes(calendar_id, { since: "nothing" })).rejects.toMatchObject({ status: 400 });
  });
});

test("no write of the extensions answers GET, which a link or a prefetch could send (extensions X1.2)", async () => {
  const { events } = extensionsOf(server.url);
  const { id } = await events.add({ calendar_id: await newCalendar("Links"), title: "Kept", start_date });
  const query = new URLSearchParams({ token, event_id: id, title: "Changed" }).toString();
  for (const method of ["GET", "HEAD"]) {
    const response = await fetch(`${server.url}/api/kalends/v1/events/update/?${query}`, { method });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
  }
  expect((await events.get(id)).title).toBe("Kept");
});
