import { afterAll, describe, expect, test } from "vitest";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import { listAccounts } from "../src/cli/accounts.js";
import {
  bytesOfCalendar,
  bytesOfEvent,
  bytesOfSeries,
  limitAccounts,
} from "../src/calendars/stored-bytes.js";
import { extendSeries } from "../src/events/series-extend.js";
import { initial } from "../src/db/columns.js";
import type { CalendarRow, EventRow } from "../src/db/rows.js";
import type { SeriesRow } from "../src/db/series-row.js";
import { expireTrash, purgeRequested } from "../src/events/trash-purge-job.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { runHere } from "./command.js";
import { startOfTests, startTestServer, type TestAccount } from "./harness.js";
import { parseMetrics } from "./metrics-text.js";
import { randomFrom } from "./random.js";

// What an account stores is counted with each write, and may be limited (docs/limits.md).

const server = await startTestServer();
afterAll(async () => {
  limitAccounts(false);
  await server.stop();
});

/** The counter of each calendar that holds anything, and what its rows are counted as. */
async function countersOf(): Promise<readonly { readonly counted: number; readonly scanned: number }[]> {
  const calendars = await server.db.read<CalendarRow>("calendars").select("*");
  const events = await server.db.read<EventRow>("events").select("*");
  const series = [
    ...(await server.db.read<SeriesRow>("series").select("*")),
    ...(await server.db.read<SeriesRow>("trashed_series").select("*")),
  ];
  return calendars.map((calendar) => {
    const own = events.filter(({ calendar_id }) => calendar_id === calendar.id);
    const ofSeries = series.filter(({ calendar_id }) => calendar_id === calendar.id);
    const isPurged = calendar.deleted_at !== null && calendar.purge_pending + calendar.trashed === 0;
    const sum =
      own.reduce((total, event) => total + bytesOfEvent(event), 0) +
      ofSeries.reduce((total, row) => total + bytesOfSeries(row), 0);
    return { counted: calendar.stored_bytes, scanned: isPurged ? sum : sum + bytesOfCalendar(calendar) };
  });
}

async function expectCounted(): Promise<void> {
  const counters = await countersOf();
  expect(counters.map(({ counted }) => counted)).toStrictEqual(counters.map(({ scanned }) => scanned));
}

/** Random operations of an account, all of which change what it stores. */
function operationsOf(owner: TestAccount, random: () => number) {
  const text = () => 'aä€😀"\n'.repeat(Math.floor(random() * 60)).trim();
  const line = () => `T${text().replaceAll("\n", " ")}`;
  const data = () => JSON.stringify({ key: text(), [`name${Math.floor(random() * 9)}`]: "x" });
  const calendars: string[] = [];
  const events: string[] = [];
  const series: string[] = [];
  const one = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "0";
  const keep = (list: string[], id: unknown) => void (typeof id === "string" && list.push(id));
  const texts = () => ({ title: line(), description: text(), location: line(), custom_data: data() });
  const start_date = "2026-10-12T19:00";
  const rrule = () => `FREQ=DAILY;COUNT=${2 + Math.floor(random() * 6)}`;
  const scope = () => one(["this", "following", "all"]);
  const published = () => (random() < 0.5 ? {} : { published: one(["true", "false"]) });
  const file = () =>
    calendarFile(vevent(`UID:${Math.floor(random() * 9)}@x`, `DESCRIPTION:${text().replaceAll("\n", "")}`));
  const createCalendar = async () => {
    const { body } = await owner.call("createCalendar", { title: line(), description: text() });
    keep(calendars, body.calendar?.id);
  };
  const all = [
    createCalendar,
    () => owner.call("saveCalendar", { calendar_id: one(calendars), title: line() }),
    () =>
      owner.call("calendarsUpdate", {
        calendar_id: one(calendars),
        description: text(),
        custom_data: data(),
      }),
    async () => {
      const [calendar_id = "", ...others] = calendars;
      if (others.length < 5 || random() < 0.5) return;
      calendars.splice(0, 1);
      await owner.call("deleteCalendar", { calendar_id });
    },
    async () =>
      keep(
        events,
        (
          await owner.call("eventsCreate", {
            calendar_id: one(calendars),
            ...texts(),
            start_date,
            categories: one(["a,b", "ä", ""]),
            ...published(),
          })
        ).body.event?.id,
      ),
    () =>
      owner.call("eventsUpdate", {
        event_id: one([...events, ...series]),
        ...texts(),
        status: one(["confirmed", "cancelled"]),
        ...published(),
      }),
    () =>
      owner.call("saveEvent", {
        event_id: one(events),
        title: line(),
        start_date: "2026-10-12T19:00",
      }),
    () => owner.call("deleteEvent", { event_id: one(events) }),
    async () =>
      keep(
        series,
        (
          await owner.call("eventsSeriesCreate", {
            calendar_id: one(calendars),
            ...texts(),
            start_date,
            rrule: rrule(),
            ...published(),
          })
        ).body.event_ids?.[0],
      ),
    () => owner.call("eventsSeriesUpdate", { event_id: one(series), scope: scope(), description: text() }),
    () => owner.call("eventsSeriesUpdate", { event_id: one(series), scope: "all", rrule: rrule() }),
    () => owner.call("eventsSeriesDelete", { event_id: one(series), scope: scope() }),
    () => owner.call("eventsRestore", { event_id: one([...events, ...series]) }),
    () => owner.call("calendarsRestore", { calendar_id: one(calendars) }),
    () => (random() < 0.2 ? owner.call("trashPurge", { event_id: one(events) }) : purgeRequested(server.db)),
    () => owner.call("calendarsImport", { calendar_id: one(calendars), ics: file() }),
    () => purgeDeletedCalendars(server.db),
  ];
  return { createCalendar, random: () => itemOf(all, random)() };
}

function itemOf<Item>(list: readonly Item[], random: () => number): Item {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

describe("the bytes that calendars store", () => {
  test("are what their rows are counted as after 400 random operations", async () => {
    const random = randomFrom(Number(process.env.KALENDS_SEED ?? 15));
    const operations = operationsOf(await server.account(), random);
    await operations.createCalendar();
    for (let round = 0; round < 100; round++)
      await Promise.all(Array.from({ length: 4 }, () => operations.random()));
    const counters = await countersOf();
    expect(counters.filter(({ counted }) => counted > 0).length).toBeGreaterThan(5);
    await expectCounted();
    const later = server.now + 30 * 86_400;
    await expireTrash(server.db, later);
    await purgeDeletedCalendars(server.db);
    await expectCounted();
  });
});

test("what accounts store is shown by `kalends account list`, and their sum and the largest by /metrics", async () => {
  const METRICS_TOKEN = "metrics-token-of-a-test";
  const shown = await startTestServer({ METRICS_TOKEN });
  const accounts = [await shown.account(), await shown.account(), await shown.account()];
  const sizes = [0, 0, 0];
  for (const [index, length] of [1_000, 30_000].entries()) {
    const owner = accounts[index];
    const { calendar } = (await owner?.call("createCalendar", { title: "Town" }))?.body ?? {};
    const event = { calendar_id: calendar.id, title: "Long", start_date: "2026-10-12T19:00" };
    await owner?.call("eventsCreate", { ...event, description: "ä".repeat(length) });
    sizes[index] =
      bytesOfCalendar({ title: "Town", calendarname: "Town" }) +
      bytesOfEvent({ ...noTexts, title: "Long", description: "ä".repeat(length) });
  }
  const listed = await listAccounts(shown.db);
  expect(listed.accounts.map(({ stored_bytes }) => stored_bytes)).toEqual(sizes);

  const samples = async () => {
    const { text: printed } = await shown.request("/metrics", {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const { samples: found = [] } = parseMetrics(printed).get("kalends_stored_bytes") ?? {};
    return Object.fromEntries(found.map(({ labels, value }) => [labels.accounts, value]));
  };
  const [, largest = 0] = sizes;
  // A scrape leaves out what the database does not answer in time.
  await expect.poll(samples).toEqual({ all: (sizes[0] ?? 0) + largest, largest });
  await shown.stop();
});

const noTexts = { ...initial, location: "", organizer: "", organizer_email: "" };

describe("MAX_ACCOUNT_BYTES", () => {
  test("refuses what grows an account beyond it; what shrinks or deletes is done, and others are not concerned", async () => {
    const limited = await startTestServer({ MAX_ACCOUNT_BYTES: "1000000" });
    const [owner, other] = [await limited.account(), await limited.account()];
    const { calendar } = (await owner.call("createCalendar", { title: "Town" })).body;
    const calendar_id: string = calendar.id;
    const event = {
      calendar_id,
      title: "Long",
      start_date: "2026-10-12T19:00",
      description: "x".repeat(60_000),
    };
    const statuses: number[] = [];
    const draft = { calendar_id, title: "Draft", start_date: event.start_date, published: "false" };
    const { id: draftId } = (await owner.call("eventsCreate", draft)).body.event;
    for (let count = 0; count < 12; count++) {
      const hidden = { published: count % 2 === 0 ? "true" : "false" }; // drafts count as events do
      statuses.push((await owner.call("eventsCreate", { ...event, ...hidden })).status);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: 8 }, () => 200),
      ...Array.from({ length: 4 }, () => 507),
    ]);
    const full = async (id: Parameters<TestAccount["call"]>[0], params: Readonly<Record<string, string>>) => {
      const { status, body } = await owner.call(id, params);
      expect([status, body.meta.error_type, body.meta.error_message]).toEqual([
        507,
        "storage_full",
        expect.stringContaining("as many bytes as it may"),
      ]);
    };
    await full("createEvent", event);
    await full("eventsCreate", { ...event, published: "false" });
    await full("eventsUpdate", { event_id: draftId, description: event.description });
    await full("eventsSeriesCreate", {
      ...event,
      description: "x".repeat(500),
      rrule: "FREQ=DAILY;COUNT=100",
    });
    await full("createCalendar", { title: "More", description: "x".repeat(60_000) });
    await full("calendarsUpdate", { calendar_id, description: "x".repeat(60_000) });
    expect((await owner.call("eventsUpdate", { event_id: draftId, published: "true" })).status).toBe(200);
    expect((await owner.call("eventsDelete", { event_id: draftId })).status).toBe(200);
    const { events } = (await owner.call("eventsList", { calendar_id })).body;
    const longer = { event_id: events[0].id, description: "ä".repeat(60_000) };
    await full("eventsUpdate", longer);
    await full("saveEvent", { ...longer, title: "Long", start_date: "2026-10-12 19:00" });
    await full("calendarsImport", {
      calendar_id,
      ics: calendarFile(vevent(`DESCRIPTION:${event.description}`)),
    });
    const called = await runHere(
      ["call", "eventsUpdate", "--event_id", events[0].id, "--description", longer.description],
      { DATABASE_URL: limited.databaseUrl, MAX_ACCOUNT_BYTES: "1000000" },
    );
    expect(called.stderr).toMatch(/^storage_full: The account stores as many bytes as it may/);
    expect((await owner.call("eventsUpdate", { event_id: events[0].id, description: "" })).status).toBe(200);
    expect((await owner.call("deleteEvent", { event_id: events[1].id })).status).toBe(200);
    expect((await owner.call("eventsCreate", event)).status).toBe(200);
    expect((await other.call("createCalendar", { title: "Mine" })).status).toBe(200);
    await limited.stop();
  });

  test("is kept to by events that are created at once, in one calendar and in several", async () => {
    const limited = await startTestServer({ MAX_ACCOUNT_BYTES: "1000000" });
    const owner = await limited.account();
    const ids: string[] = [];
    for (const title of ["One", "Two", "Three"])
      ids.push((await owner.call("createCalendar", { title })).body.calendar.id);
    const event = { title: "Long", start_date: "2026-10-12T19:00", description: "x".repeat(7_000) };
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const { status } = await owner.call("eventsCreate", { ...event, calendar_id: ids[index % 3] ?? "" });
        return status;
      }),
    );
    const stored: readonly number[] = await limited.db
      .read("calendars")
      .where({ account_id: owner.id })
      .pluck("stored_bytes");
    const bytes = stored.reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(bytes).toBeGreaterThan(980_000); // none was refused that had room
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    await limited.stop();
  });
});

test("an account that is full is no failure of the server: its endless series go on once there is room", async () => {
  const full = await startTestServer({ LOG_LEVEL: "error" });
  const owner = await full.account();
  const { id } = (await owner.call("createCalendar", { title: "Full", timezone: "UTC" })).body.calendar;
  const event = { calendar_id: id, title: "x", start_date: "2026-10-12T19:00" };
  await owner.call("eventsSeriesCreate", { ...event, rrule: "FREQ=MONTHLY" });
  limitAccounts(1);
  const series = () =>
    full.db
      .read("series")
      .where({ calendar_id: Number(id) })
      .first("next_at");
  const lines: string[] = [];
  const later = startOfTests + 70 * 86_400;
  expect(await extendSeries({ db: full.db, now: later })).toBe(0);
  expect([await series(), lines]).toEqual([{ next_at: later + 86_400 }, []]);
  expect((await owner.call("eventsCreate", event)).status).toBe(507);
  expect(full.logText()).not.toContain('"err"');
  limitAccounts(false);
  expect(await extendSeries({ db: full.db, now: later + 86_400 })).toBe(2);
  await full.stop();
});
