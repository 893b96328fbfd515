import { operations } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { attempt, fileOf, flood, importFile, newCalendar, nextYear, onTarget } from "./attacks.js";
import { expectBounded, expectRestart, measure } from "./measure.js";
import type { Target } from "./target.js";
import { customDataOfManyNames } from "./worst.js";

// Kinds: multiply, hold. A series repeats whatever its event carries, and a page reads what it shows.

const text = "x".repeat(65_000);

describe("daily series", () => {
  test("with the longest texts hold the writer no longer than others may wait", async (context) => {
    await onTarget({}, async (target) => {
      const { id } = await newCalendar(target);
      const file = fileOf(27, (index) => [
        `UID:${index}`,
        `DTSTART:${nextYear}0101T100000Z`,
        "RRULE:FREQ=DAILY;COUNT=366",
        `DESCRIPTION:${text}`,
      ]);
      const row = await measure(context, target, "27 daily series with texts of 65 KB", async () => [
        await importFile(target, id, file),
      ]);
      expectBounded(row);
      await expectRestart(context, target, row);
    });
  });

  test("with as many custom names as fit do so too, with webhooks for each event", async (context) => {
    await onTarget({}, async (target) => {
      const { id } = await newCalendar(target);
      for (let n = 0; n < 10; n++)
        await target.call(operations.createWebhook.path, { url: `https://hooks${n}.example/` });
      const custom_data = customDataOfManyNames();
      const count = 5;
      const attack = `${count} daily series with 545 custom names, 10 webhooks`;
      const row = await measure(context, target, attack, () =>
        flood(count, 1, (index) =>
          attempt(target, operations.createSeries.path, {
            calendar_id: id,
            title: `Series ${index}`,
            start_date: `${nextYear}-01-01T10:00`,
            rrule: "FREQ=DAILY;COUNT=366",
            custom_data,
          }),
        ),
      );
      expectBounded(row);
      await expectRestart(context, target, row);
    });
  });
});

test("a series of the longest events holds the writer for what is written alone", async (context) => {
  await onTarget({}, async (target) => {
    const { id } = await newCalendar(target);
    const { series, event_ids } = await target.call(operations.createSeries.path, {
      calendar_id: id,
      title: "Series",
      start_date: `${nextYear}-01-01T10:00`,
      rrule: "FREQ=DAILY;COUNT=366",
    });
    const description = "語".repeat(65_535);
    for (const event_id of event_ids)
      await target.call(operations.updateEvent.path, { event_id, description });
    const row = await measure(context, target, "writes of a series of 366 events of 196 KB", async () => {
      const update = { event_id: event_ids[1], title: "Special" };
      const one = await attempt(target, operations.updateSeries.path, { ...update, scope: "this" });
      const all = await attempt(target, operations.updateSeries.path, { ...update, scope: "all" });
      for (const event_id of event_ids) await target.call(operations.deleteEvent.path, { event_id });
      return [one, all, await attempt(target, operations.restoreSeries.path, { series_id: series.id })];
    });
    expect(row.statuses).toEqual({ 200: 2, 422: 1 });
    expectBounded(row);
  });
});

/** More than one transaction may write of one thing, and little of the other. */
const tooMuch = {
  rows: { custom_data: JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n, 1]))) },
  bytes: { description: text },
};

test("a series of too many rows alone, or of too many bytes alone, is refused", async () => {
  await onTarget({}, async (target) => {
    const { id } = await newCalendar(target);
    for (const [what, texts] of Object.entries(tooMuch)) {
      const answer = await attempt(target, operations.createSeries.path, {
        calendar_id: id,
        title: "Series",
        start_date: `${nextYear}-01-01T10:00`,
        rrule: "FREQ=DAILY;COUNT=366",
        ...texts,
      });
      const { error_type } = JSON.parse(answer.text).meta;
      expect([what, answer.status, error_type]).toEqual([what, 422, "write_too_large"]);
    }
  });
});

/** Fills June 2030 with long texts, by requests that are each within the budget. */
async function fillMonth(target: Target, calendarId: string, perDay: number): Promise<void> {
  await flood(perDay, 2, (index) =>
    target.call(operations.createSeries.path, {
      calendar_id: calendarId,
      title: `Concert ${index}`,
      start_date: `${nextYear}-06-01T${String(index % 24).padStart(2, "0")}:00`,
      rrule: "FREQ=DAILY;COUNT=30",
      description: text,
    }),
  );
}

/** Pages at once: more than may wait. */
const tooMany = 200;

const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl"];

/** A month page as no one has asked for it before. */
function page(target: Target, uniquekey: string, index: number) {
  const day = 1 + (index % 30);
  return target.send({
    path: `/c/${uniquekey}?month=${nextYear}-06${index === 0 ? "" : `&day=${day}`}&utm=${index}`,
    headers: { "Accept-Language": languages[index % languages.length] ?? "en", Connection: "close" },
  });
}

describe("month pages of long texts", () => {
  test("read what they print: one, twelve and a hundred uncached ones at once, and more are refused", async (context) => {
    await onTarget({}, async (target) => {
      const { id, uniquekey } = await newCalendar(target);
      await fillMonth(target, id, 27);
      for (const count of [1, 12, 100, tooMany]) {
        const attack = `${count} uncached month pages at once, texts of 65 KB`;
        const row = await measure(context, target, attack, () =>
          flood(count, count, (index) => page(target, uniquekey, index)),
        );
        expectBounded(row);
        expect.soft(row.statuses["200"] ?? 0, "pages that were answered").toBeGreaterThan(0);
        if (count === tooMany)
          expect.soft(row.statuses["503"] ?? 0, "pages that were refused").toBeGreaterThan(0);
        if (!row.isAlive) break;
      }
    });
  });
});
