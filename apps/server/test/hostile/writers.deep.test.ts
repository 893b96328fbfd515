import { operations } from "@kalends/spec";
import { expect, test } from "vitest";
import { budgetOf } from "../../src/http/limits.js";
import { attempt, flood, newCalendar, nextYear, onTarget } from "./attacks.js";
import { expectBounded, isFull, measure } from "./measure.js";
import type { Target } from "./target.js";

// Kind: starve. Writes of one account, each within its budget, that all come at once: what writes, and its connections, are few.

const calendars = 10;
const [many, atOnce] = isFull ? [1_000, 300] : [400, 200];

/** The parameters of the n-th write, into a calendar of the attacker. */
type Write = (calendar_id: string, index: number) => Readonly<Record<string, string>>;

const daily = { title: "x", start_date: `${nextYear}-01-01T10:00`, rrule: "FREQ=DAILY;COUNT=366" };
/** Follows each day for a hundred years, and finds none. */
const positions = Array.from({ length: 200 }, (_, index) => 140 + index).join(",");
const slow = { ...daily, rrule: `FREQ=DAILY;BYHOUR=1;BYSETPOS=${positions}` };
const long = { title: "x", start_date: daily.start_date, description: "x".repeat(60_000) };

const writes: readonly (readonly [what: string, id: "addEvent" | "createSeries" | "saveCalendar", Write])[] =
  [
    ["series of a year", "createSeries", (calendar_id) => ({ calendar_id, ...daily })],
    ["rules that take long to follow", "createSeries", (calendar_id) => ({ calendar_id, ...slow })],
    ["saves of calendars", "saveCalendar", (calendar_id, n) => ({ calendar_id, title: `x${n}` })],
    ["events with the longest texts", "addEvent", (calendar_id) => ({ calendar_id, ...long })],
  ];

for (const [what, id, paramsOf] of writes) {
  test(`${what}, ${atOnce} at once, take turns with the writes of others`, async (context) => {
    await onTarget({}, async (target) => {
      const ids = await newCalendars(target);
      const row = await measure(context, target, `${what}, ${atOnce} at once`, () =>
        flood(many, atOnce, (index) =>
          attempt(target, operations[id].path, paramsOf(ids[index % calendars] ?? "", index)),
        ),
      );
      expectBounded(row, budgetOf(id).bytesAnswered);
      const served = (row.statuses["200"] ?? 0) + (row.statuses["400"] ?? 0);
      expect.soft(served, "writes that were served").toBeGreaterThan(0);
    });
  });
}

/** Names each minute of the day, every day: a year has half a million of them. */
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index).join(",");
const dense = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${numbers(24)};BYMINUTE=${numbers(60)}`;
const exdate = Array.from({ length: 366 }, (_, day) =>
  new Date(Date.UTC(nextYear, 0, 1 + day)).toISOString().slice(0, 16),
).join(",");

test(`new dates of series of every minute, ${atOnce} at once, take turns with the writes of others`, async (context) => {
  await onTarget({}, async (target) => {
    const series = await Promise.all(
      (await newCalendars(target)).map((calendar_id) =>
        target.call(operations.createSeries.path, { calendar_id, ...daily, rrule: dense }),
      ),
    );
    const row = await measure(context, target, `new dates of series of every minute, ${atOnce} at once`, () =>
      flood(many, atOnce, (index) =>
        attempt(target, operations.updateSeries.path, {
          event_id: series[index % calendars].event_ids[0],
          scope: "all",
          exdate,
        }),
      ),
    );
    expectBounded(row, budgetOf("updateSeries").bytesAnswered);
    expect.soft(row.statuses["200"] ?? 0, "writes that were served").toBeGreaterThan(0);
  });
});

async function newCalendars(target: Target): Promise<readonly string[]> {
  const created = await flood(calendars, 1, () => newCalendar(target));
  return created.map(({ id }) => id);
}
