import { expect, test } from "vitest";
import type { Values } from "./calls.js";
import { testServer } from "./harness.js";
import { randomFrom } from "./random.js";
import { seriesOf, type Shown } from "./series-world.js";

// What a preview and a dry run say is what the write then does (extensions X8.2), in random sequences around the changes of clocks.

const sequences = Number(process.env.KALENDS_SERIES_SEQUENCES ?? "40");
const firstSeed = Number(process.env.KALENDS_SERIES_SEED ?? "1");
const steps = 3;

const server = await testServer();
const owner = await server.account();
const { eventsOf } = seriesOf(owner);

/** Calls again what a busy machine was too slow for. */
async function call(...request: Parameters<typeof owner.call>): ReturnType<typeof owner.call> {
  for (;;) {
    const answer = await owner.call(...request);
    if (answer.status !== 503) return answer;
  }
}

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Etc/UTC"];
/** Nights in which clocks change, and one in which none does. */
const nights = [
  "2027-03-28",
  "2027-03-14",
  "2027-04-04",
  "2026-10-25",
  "2026-11-01",
  "2026-09-06",
  "2027-06-01",
];
const day = 86_400;

const text = (local: number): string => new Date(local * 1000).toISOString().slice(0, 16);
const localOf = (date: string): number => Date.parse(`${date}Z`) / 1000;

type Random = <T>(...items: readonly T[]) => T;

function pickFrom(seed: number): Random {
  const random = randomFrom(seed);
  return (...items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick");
    return item;
  };
}

function randomRule(pick: Random): string {
  return pick(
    `FREQ=DAILY;COUNT=${pick(1, 3, 9)}`,
    `FREQ=DAILY;INTERVAL=${pick(2, 3)};COUNT=${pick(2, 5)}`,
    `FREQ=WEEKLY;BYDAY=${pick("SU", "SA,SU", "MO,WE,SU")};COUNT=${pick(2, 6)}`,
    "FREQ=MONTHLY;BYDAY=-1SU;COUNT=8",
    "FREQ=DAILY;COUNT=400",
  );
}

function randomDates(pick: Random, start: number): string {
  const some = Array.from({ length: pick(1, 2) }, () => start + pick(0, 1, 2, 3, 7) * day + pick(0, 0, 1800));
  return some.map(text).join(",");
}

/** The request that creates a series, or makes one of an event. */
async function randomCreation(pick: Random, calendar_id: string, timezone: string): Promise<Values> {
  const start =
    localOf(pick(...nights)) - pick(0, 1, 2, 7) * day + pick(1, 2, 2, 3, 19) * 3600 + pick(0, 0, 1800);
  const rule: Record<string, string> = { rrule: randomRule(pick) };
  if (pick(true, false, false)) rule["rdate"] = randomDates(pick, start);
  if (pick(true, false, false)) rule["exdate"] = randomDates(pick, start);
  const event = {
    calendar_id,
    title: "First",
    timezone,
    start_date: text(start),
    end_date: text(start + pick(3600, 5400, day)),
    all_day_event: String(pick(false, false, false, true)),
  };
  if (pick(true, true, false)) return { ...event, ...rule };
  const { body } = await call("eventsCreate", event);
  return { event_id: body.event.id, ...rule };
}

/** A change or a deletion of events of a series. */
function randomChange(
  pick: Random,
  events: readonly Shown[],
): readonly ["eventsSeriesUpdate" | "eventsSeriesDelete", Values] {
  const event = pick(...events);
  const scope = pick("this", "following", "all");
  const start = localOf(event.start_date) + pick(-day, 0, day, 7 * day) + pick(-3600, 0, 1800);
  if (pick(true, false, false, false)) return ["eventsSeriesDelete", { event_id: event.id, scope }];
  const change: Values = pick<Values>(
    { title: pick("A", "B") },
    { start_date: text(start), end_date: text(start + 5400) },
    { start_date: text(start) },
    { timezone: pick(...zones) },
    { rrule: randomRule(pick) },
    { rrule: randomRule(pick), start_date: text(start), end_date: text(start + 3600) },
    { rdate: randomDates(pick, start), title: "C" },
    { exdate: randomDates(pick, start) },
  );
  return ["eventsSeriesUpdate", { event_id: event.id, scope, ...change }];
}

const startsOf = (events: readonly Shown[]): readonly string[] =>
  events
    .toSorted(
      (one, other) =>
        Date.parse(String(one["start_at"])) - Date.parse(String(other["start_at"])) ||
        Number(one.id) - Number(other.id),
    )
    .map(({ start_date }) => start_date);

/** What a write has done to a calendar, by its events before and after; `series` is the one that it was about. */
function difference(before: readonly Shown[], after: readonly Shown[], series: string | undefined) {
  const now = new Map(after.map((event) => [event.id, event]));
  const known = new Set(before.map(({ id }) => id));
  const created = after.filter(({ id }) => !known.has(id));
  const deleted = before.filter(({ id }) => !now.has(id));
  const changed = before.filter(({ id, updated_times }) => {
    const event = now.get(id);
    return event !== undefined && event["updated_times"] !== updated_times;
  });
  const kept = before.filter(
    ({ id, series_id }) => series_id === series && now.has(id) && !changed.some((event) => event.id === id),
  );
  return {
    ...{ created: created.length, changed: changed.length, deleted: deleted.length, kept: kept.length },
    created_dates: startsOf(created),
    changed_dates: changed
      .map(({ id, start_date }) => ({ event_id: id, from: start_date, to: now.get(id)?.start_date }))
      .toSorted((one, other) => Number(one.event_id) - Number(other.event_id)),
    deleted_dates: startsOf(deleted),
  };
}

/** Tries a write, does it, and compares what the one said with what the other did. Returns the events after it. */
async function tryAndDo(
  operation: "eventsSeriesCreate" | "eventsSeriesUpdate" | "eventsSeriesDelete",
  params: Values,
  calendar_id: string,
  about: string,
): Promise<readonly Shown[]> {
  const before = await eventsOf(calendar_id);
  const dry = await call(operation, { ...params, dry_run: "true" });
  const untouched = await eventsOf(calendar_id);
  expect(untouched, about).toEqual(before);
  const real = await call(operation, params);
  const after = await eventsOf(calendar_id);
  expect([dry.status, dry.body.meta.errors], about).toEqual([real.status, real.body.meta.errors]);
  if (real.status !== 200) return after;
  const named = before.find(({ id }) => id === params["event_id"]);
  const said = dry.body.dry_run;
  const { notes: _notes, changed_dates, ...rest } = said;
  const byId = changed_dates.toSorted(
    (one: { event_id: string }, other: { event_id: string }) => Number(one.event_id) - Number(other.event_id),
  );
  const series = operation === "eventsSeriesCreate" ? undefined : named?.series_id;
  expect({ ...rest, changed_dates: byId }, about).toEqual(difference(before, after, series));
  if (operation !== "eventsSeriesDelete") {
    const { id: _id, ...shown } = real.body.series;
    expect(dry.body.series, about).toMatchObject(shown);
  }
  for (const { date, becomes } of said.notes) {
    const isSkipped = date !== becomes;
    if (isSkipped)
      expect(
        after.some(({ start_date }) => start_date === date),
        about,
      ).toBe(false);
    expect(
      after.some(({ start_date }) => start_date === becomes),
      about,
    ).toBe(true);
  }
  return after;
}

/** The preview of a creation has the dates of the events that it made. */
async function comparePreview(params: Values, events: readonly Shown[], about: string): Promise<void> {
  const one = events.find(({ id }) => id === params["event_id"]) ?? events[0];
  const { rrule = "", rdate, exdate } = params;
  const { body } = await call("eventsSeriesPreview", {
    start_date: params["start_date"] ?? one?.start_date ?? "",
    timezone: String(one?.["timezone"]),
    all_day_event: String(one?.["all_day_event"]),
    rrule,
    ...(rdate === undefined ? {} : { rdate }),
    ...(exdate === undefined ? {} : { exdate }),
  });
  expect([body.dates, body.count], about).toEqual([
    events
      .map(({ start_date }) => start_date)
      .toSorted()
      .slice(0, 60),
    events.length,
  ]);
}

test(
  `previews and dry runs of ${sequences} random sequences say what the writes then do`,
  { timeout: 3_600_000 },
  async () => {
    let done = 0;
    for (let seed = firstSeed; seed < firstSeed + sequences; seed++) {
      const pick = pickFrom(seed);
      const timezone = pick(...zones);
      const { body } = await call("createCalendar", { title: String(seed), timezone });
      const calendar_id: string = body.calendar.id;
      const creation = await randomCreation(pick, calendar_id, timezone);
      const log: unknown[] = [seed, creation];
      let events = await tryAndDo("eventsSeriesCreate", creation, calendar_id, JSON.stringify(log));
      if (events.every(({ series_id }) => series_id === "")) continue; // the creation was refused
      await comparePreview(creation, events, JSON.stringify(log));
      for (let step = 0; step < steps && events.length > 0; step++) {
        const [operation, params] = randomChange(pick, events);
        log.push([operation, params]);
        events = await tryAndDo(operation, params, calendar_id, JSON.stringify(log));
        done++;
      }
      await call("deleteCalendar", { calendar_id });
    }
    expect(done).toBeGreaterThan(sequences);
  },
);
