import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Exchanged } from "./exchange.js";
import { fileOf, flood, importFile, newCalendar, onTarget } from "./attacks.js";
import { expectBounded, expectRestart, measure } from "./measure.js";

// Kinds: multiply, grow. What a file comes to is far more than the file.

/** Each date of each event is before 1900, and so is skipped. */
const skippedDates = (count: number): string =>
  fileOf(count, (index) => [
    `UID:${index}`,
    "DTSTART;VALUE=DATE:18990101",
    "RRULE:FREQ=DAILY;COUNT=364",
    "SUMMARY:x",
  ]);

/** Dates of one series, without the series. */
const recurrences = (count: number): string =>
  fileOf(count, (index) => {
    const date = new Date(Date.UTC(2030, 0, 1) + index * 3_600_000);
    const text = date.toISOString().replaceAll(/[-:]|\.000/g, "");
    return ["UID:one", `RECURRENCE-ID:${text}`, `DTSTART:${text}`];
  });

describe("files whose dates are all skipped", () => {
  const [few, many] = [1_000, 10_000];

  test("answer a report that is bounded, also as a dry run, and are stored so with a key", async (context) => {
    await onTarget({}, async (target) => {
      const { id } = await newCalendar(target);
      const row = await measure(context, target, `${few} events with skipped dates, four times`, async () => {
        const file = skippedDates(few);
        const key = { "Idempotency-Key": randomUUID() };
        return [
          await importFile(target, id, file),
          await importFile(target, id, file, { query: "&dry_run=true" }),
          await importFile(target, id, file, { headers: key }),
          await importFile(target, id, file, { headers: key }),
        ];
      });
      expectBounded(row);
      await expectRestart(context, target, row);
    });
  });

  test("do so when they are as large as may be, and three at once", async (context) => {
    await onTarget({}, async (target) => {
      const calendars = [await newCalendar(target), await newCalendar(target), await newCalendar(target)];
      const row = await measure(
        context,
        target,
        `${many} events with skipped dates, then three at once`,
        async () => {
          const file = skippedDates(many);
          const alone = await importFile(target, calendars[0]?.id ?? "", file);
          const three = await Promise.all(calendars.map(({ id }) => importFile(target, id, file)));
          return [alone, ...three];
        },
      );
      expectBounded(row);
      await expectRestart(context, target, row);
    });
  });
});

test("many dates of one UID, again and again, cost each time the same, and a file of one event after them nothing", async (context) => {
  const count = 10_000;
  await onTarget({}, async (target) => {
    const { id } = await newCalendar(target);
    const answers: Exchanged[] = [];
    const row = await measure(context, target, `${count} RECURRENCE-IDs of one UID, four files`, async () => {
      for (let file = 0; file < 4; file++) {
        const answer = await importFile(target, id, recurrences(count));
        answers.push(answer);
        if (answer.status === 0) break; // it is seen; each further one takes minutes
      }
      return answers;
    });
    expectBounded(row);
    const [first, ...others] = answers.map(({ ms }) => ms);
    const most = 1_000 + 3 * (first ?? 0);
    expect.soft(Math.max(...others), "ms of a file onto those before").toBeLessThan(most);
    const one = await measure(context, target, "then a file of one event with that UID", async () => [
      await importFile(target, id, recurrences(1)),
    ]);
    expectBounded(one);
    await expectRestart(context, target, one);
  });
});

/** More than may wait. */
const atOnce = 30;

test("more files at once than may be worked on and wait are refused at once", async (context) => {
  await onTarget({}, async (target) => {
    const { id } = await newCalendar(target);
    const row = await measure(context, target, `${atOnce} files of 2,000 events at once`, () => {
      const file = fileOf(2_000, (index) => [`UID:${index}`, "DTSTART:20300704T100000Z", "SUMMARY:Concert"]);
      return flood(atOnce, atOnce, () => importFile(target, id, file));
    });
    expectBounded(row);
    expect.soft(row.statuses["200"] ?? 0, "files that were imported").toBeGreaterThan(0);
    expect.soft(row.statuses["503"] ?? 0, "files that were refused").toBeGreaterThan(0);
    await expectRestart(context, target, row);
  });
});
