import { describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";
import { mostAnswerBytes } from "../http/limits.js";
import type { Instance } from "./instances.js";
import { findMatches } from "./match.js";
import { preparing } from "./run-thread.js";

// What one file may cost: its answer, its look-ups, what it stores, the time and memory of its thread.

const server = await testServer();
const account = await server.account();

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar
    .id;
}

async function storedRows(calendar_id: string): Promise<readonly number[]> {
  const tables = ["events", "imported_events", "event_values"];
  const counts = tables.map(async (table) => {
    const [row] = await server.db.read(table).where({ calendar_id }).count({ rows: "*" });
    return Number(row?.rows);
  });
  return Promise.all(counts);
}

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A series whose dates all end after the year 9999. */
const skippedSeries = (uid: number): string =>
  vevent(`UID:skipped-${uid}`, "DTSTART:20260801T100000Z", "DTEND:99991231T235900Z", "RRULE:FREQ=DAILY");

describe("the report", () => {
  test("has one entry for the dates of a series that are skipped for one reason", async () => {
    const { body } = await importFile(server, account, await newCalendar(), calendarFile(skippedSeries(1)));
    expect(body.import).toMatchObject({ created: 0, skipped: 366, omitted: 0 });
    expect(body.events).toMatchObject([
      { result: "skipped", dates: 366, reason: "it ends after the year 9999" },
    ]);
  });

  test("of a thousand such series is none: dates that are skipped count as events", async () => {
    const file = calendarFile(...many(1_000, skippedSeries));
    const { status, body } = await importFile(server, account, await newCalendar(), file);
    expect([status, body.meta.error_type]).toEqual([400, "calendar_file_invalid"]);
    expect(body.meta.error_message).toContain("more than 10000 events");
  });

  test("is cut below the size of an answer, with the counts of all", async () => {
    const events = many(3_000, (n) => vevent(`UID:${n}${"u".repeat(1_000)}`, `SUMMARY:${"ü".repeat(255)}`));
    const id = await newCalendar();
    const answer = await server.request(`/api/kalends/v1/calendars/import/?calendar_id=${id}&dry_run=true`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.token}`, "Content-Type": "text/calendar" },
      body: calendarFile(...events),
    });
    expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(mostAnswerBytes);
    // One that is kept for a day is shorter: else a thousand keys would store gigabytes.
    const headers = { "Idempotency-Key": "report" };
    const query = "&dry_run=true";
    const kept = await importFile(server, account, id, calendarFile(...events), { query, headers });
    expect(kept.text.length).toBeLessThan(150_000);
    expect(kept.body.import.created).toBe(3_000);
    expect(kept.body.import.omitted).toBeGreaterThan(answer.body.import.omitted);
    const { created, omitted } = answer.body.import;
    expect(created).toBe(3_000);
    expect(answer.body.events.length).toBeGreaterThan(1_000);
    expect(answer.body.events.length + omitted).toBe(3_000);
  });

  test("has a few notes of each event", async () => {
    const categories = many(60, (n) => `CATEGORIES:${many(2, (m) => `${n}-${m}-${"x".repeat(200)}`).join()}`);
    const { body } = await importFile(
      server,
      account,
      await newCalendar(),
      calendarFile(vevent(...categories)),
    );
    expect(body.events[0].notes.length).toBe(21);
    expect(body.events[0].notes.at(-1)).toMatch(/^and \d+ notes more$/);
  });
});

describe("events of one UID", () => {
  const dates = many(600, (n) =>
    new Date(Date.UTC(2026, 8, 1 + n)).toISOString().slice(0, 10).replaceAll("-", ""),
  );
  const file = calendarFile(
    ...dates.map((day) => vevent(`RECURRENCE-ID:${day}T100000Z`, `DTSTART:${day}T110000Z`, `SUMMARY:${day}`)),
  );

  test("are found by their keys, each row once, however many there are", async () => {
    const id = await newCalendar();
    for (const result of ["created", "unchanged", "unchanged"])
      expect((await importFile(server, account, id, file)).body.import).toMatchObject({ [result]: 600 });
    const { query, dialect } = server.db;
    let rows = 0;
    const counting = {
      dialect,
      query: async <Row>(...args: Parameters<typeof query>): Promise<readonly Row[]> => {
        const found = await query<Row>(...args);
        rows += found.length;
        return found;
      },
    };
    const slice = await preparing(
      { text: file, timezone: "UTC", now: server.now, takesPrivate: false },
      async (prepared) => {
        const all: Instance[] = [];
        for await (const { instances } of prepared.slices()) all.push(...instances);
        return all.slice(0, 100);
      },
    );
    const matchOf = await findMatches(counting, { id: Number(id) }, slice, null);
    expect(slice.map(matchOf).filter((match) => match === undefined)).toEqual([]);
    expect(rows).toBe(100);
  });
});

describe("a file that would store too much is refused before anything is stored:", () => {
  const large: readonly (readonly [what: string, file: () => string])[] = [
    [
      "series with long texts",
      () =>
        calendarFile(
          ...many(27, (n) => vevent(`UID:${n}`, "RRULE:FREQ=DAILY", `DESCRIPTION:${"x".repeat(65_000)}`)),
        ),
    ],
    [
      "series with many names in custom_data",
      () => {
        const data = JSON.stringify(
          Object.fromEntries(many(545, (n) => n.toString(36)).map((name) => [name, 1])),
        );
        const escaped = data.replaceAll(",", String.raw`\,`);
        return calendarFile(
          ...many(5, (n) => vevent(`UID:${n}`, "RRULE:FREQ=DAILY", `X-KALENDS-CUSTOM-DATA:${escaped}`)),
        );
      },
    ],
  ];

  test.each(large)("%s", async (_what, file) => {
    const id = await newCalendar();
    for (const query of ["&dry_run=true", ""]) {
      const { status, body } = await importFile(server, account, id, file(), { query });
      expect([status, body.meta.error_type]).toEqual([422, "write_too_large"]);
      expect(body.meta.error_message).toMatch(/would store more than .*: divide the file/);
      expect(await storedRows(id)).toEqual([0, 0, 0]);
    }
  });
});

describe("a file fails alone", () => {
  const file = {
    text: calendarFile(...many(2_000, (n) => vevent(`UID:${n}`))),
    timezone: "UTC",
    now: 1_785_000_000,
    takesPrivate: false,
  };
  const count = (limits?: { readonly megabytes: number; readonly ms: number }): Promise<number> =>
    preparing(file, ({ events }) => Promise.resolve(events), limits);

  test("that takes too long to read, or too much memory", async () => {
    await expect(count({ megabytes: 256, ms: 1 })).rejects.toThrow(
      "It takes more than 0.001 seconds to read the file",
    );
    await expect(count({ megabytes: 10, ms: 60_000 })).rejects.toThrow("needs more than 10 MB of memory");
    expect(await count()).toBe(2_000);
  });
});
