import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";
import { randomFrom } from "../../test/random.js";
import {
  changeMany,
  changeOne,
  type Change,
  type Item,
  multiples,
  newPart,
  type Part,
  removed,
  shown,
  zone,
} from "../../test/series-model.js";
import { seriesOf } from "../../test/series-world.js";
import type { CalendarRow } from "../db/rows.js";
import { exportedCalendar } from "../files/export-files.js";
import { toLocal, toUnix } from "../time/zones.js";

// `KALENDS_SERIES_SEQUENCES=2000` runs the full number.

const sequences = Number(process.env.KALENDS_SERIES_SEQUENCES ?? "6");
const first = Number(process.env.KALENDS_SERIES_SEED ?? "1");
const steps = 8;

const server = await testServer();
const owner = await server.account();
const { eventsOf } = seriesOf(owner);

const text = (local: number) => new Date(local * 1000).toISOString().slice(0, 16);
const day = 86_400;

function randomChange(random: () => number, part: Part, anchor: Item, scope: string): Change {
  const pick = <T>(...items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick");
    return item;
  };
  const start = anchor.start + pick(-day, 0, day, 7 * day) + pick(-3600, 0, 1800, 5400);
  const places = [...part.named, ...part.rdate, part.named[0] ?? start];
  const dates = [pick(...places) + pick(0, 0, day / 2, day), pick(...places)];
  const rule = { interval: pick(1, 2, 7), count: pick(1, 2, 5, 8) };
  const all: readonly Change[] = [
    { title: pick("A", "B", "C") },
    { location: pick("", "Here", "There") },
    { title: pick("A", "B"), location: "Both" },
    { start, end: start + pick(0, 2400, 5400, day) },
  ];
  const many: readonly Change[] = [
    { start },
    { end: shown(anchor)[0] + pick(-60, 0, 3600, 9000) },
    ...[{ rule }, { rule, start }, { rule, exdate: dates }, { rule, rdate: dates }],
    ...[{ exdate: dates }, { rdate: dates }, { exdate: [] }, { rdate: [], title: "D" }],
  ];
  return pick(...all, ...(scope === "this" ? [] : many));
}

function paramsOf({ title, location, start, end, rule, rdate, exdate }: Change): Record<string, string> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(location === undefined ? {} : { location }),
    ...(start === undefined ? {} : { start_date: text(start) }),
    ...(end === undefined ? {} : { end_date: text(end) }),
    ...(rule === undefined ? {} : { rrule: `FREQ=DAILY;INTERVAL=${rule.interval};COUNT=${rule.count}` }),
    ...(rdate === undefined ? {} : { rdate: rdate.map(text).join(",") }),
    ...(exdate === undefined ? {} : { exdate: exdate.map(text).join(",") }),
  };
}

/** What the server should list: an entry for each event, and which of them share a series. */
function expected(parts: readonly Part[]): readonly string[] {
  return parts
    .map(({ items }) =>
      items
        .map((item) => [...shown(item).map(text), item.title, item.location].join(" "))
        .toSorted()
        .join("\n"),
    )
    .filter((part) => part !== "")
    .toSorted();
}

async function listed(calendar_id: string): Promise<readonly string[]> {
  const events = await eventsOf(calendar_id);
  const series = [...new Set(events.map(({ series_id }) => series_id))];
  return series
    .map((id) =>
      events
        .filter(({ series_id }) => series_id === id)
        .map(({ start_date, end_date, title, location }) => [start_date, end_date, title, location].join(" "))
        .toSorted()
        .join("\n"),
    )
    .toSorted();
}

/** Creates a series. */
async function createdSeries(calendar_id: string, params: Readonly<Record<string, string>>) {
  const created = await owner.call("eventsSeriesCreate", { calendar_id, ...params });
  expect(created.status, created.text).toBe(200);
}

/** Creates a series as another program writes it. */
async function importedSeries(calendar_id: string, params: Readonly<Record<string, string>>) {
  const { title, location, start_date = "", end_date = "", rrule } = params;
  const at = (date: string) => `TZID=${zone}:${date.replaceAll(/[-:]/g, "")}00`;
  const times = [`DTSTART;${at(start_date)}`, `DTEND;${at(end_date)}`, `RRULE:${rrule}`];
  const file = calendarFile(vevent(...times, `SUMMARY:${title}`, `LOCATION:${location}`));
  expect((await importFile(server, owner, calendar_id, file)).status).toBe(200);
}

/** What an import makes of the events of the model: each lasts as long, whatever the clock does. */
function asImported(part: Part): Part {
  const items = part.items.map((item) => {
    const at = toUnix(item.start, zone);
    const start = toLocal(at, zone);
    const own = { ...item, start, length: toLocal(at + part.length, zone) - start };
    return String(shown(own)) === String(shown(item)) ? item : own;
  });
  return { ...part, items };
}

/** Imports what a calendar exports: into itself, where nothing changes, and into a new one. Returns that. */
async function exportedAndImported(id: string, parts: readonly Part[], log: string): Promise<string> {
  const pieces = [];
  const row: CalendarRow = await server.db.read("calendars").where({ id }).first();
  for await (const piece of exportedCalendar((work) => work(server.db.read), row)) pieces.push(piece);
  const file = pieces.join("");
  const before = await eventsOf(id);
  const same = await importFile(server, owner, id, file);
  expect(same.body.import, log).toMatchObject({ created: 0, changed: 0, skipped: 0 });
  expect(await eventsOf(id), log).toEqual(before);
  const other: string = (await owner.call("createCalendar", { title: "Other", timezone: zone })).body.calendar
    .id;
  const body = (await importFile(server, owner, other, file)).body;
  expect(body.import, log).toMatchObject({ created: before.length, changed: 0, skipped: 0 });
  expect(await listed(other), log).toEqual(expected(parts));
  return other;
}

async function runSequence(seed: number, isImported = false): Promise<void> {
  const random = randomFrom(seed);
  let calendar_id: string = (await owner.call("createCalendar", { title: String(seed), timezone: zone })).body
    .calendar.id;
  // around the night of 2027-03-28, when 02:00 to 03:00 is skipped
  const start =
    Date.UTC(
      2027,
      2,
      25,
      ...((
        [
          [2, 30],
          [19, 0],
          [1, 45],
        ] as const
      )[Math.floor(random() * 3)] ?? [9, 0]),
    ) / 1000;
  const rule = { interval: 1 + Math.floor(random() * 2), count: 2 + Math.floor(random() * 7) };
  const texts = { title: "First", location: "Hall" };
  const params = { ...texts, ...paramsOf({ start, end: start + 4500, rule }) };
  await (isImported ? importedSeries : createdSeries)(calendar_id, params);
  const named = multiples(start, rule.interval, rule.count);
  const whole = newPart({ ...texts, named, rdate: [], exdate: [], length: 4500 });
  let parts: readonly Part[] = [isImported ? asImported(whole) : whole];
  const log: unknown[] = [];
  for (let step = 0; step < steps; step++) {
    const part = parts[Math.floor(random() * parts.length)];
    const anchor = part?.items[Math.floor(random() * part.items.length)];
    if (part === undefined || anchor === undefined) return;
    const event_id = await idOf(calendar_id, anchor);
    if (event_id === undefined) continue; // two events are the same to a reader
    const scope = (["this", "following", "all"] as const)[Math.floor(random() * 3)] ?? "this";
    const others = parts.filter((other) => other !== part);
    if (random() < 0.2) {
      log.push(["delete", scope, text(anchor.start)]);
      expect((await owner.call("eventsSeriesDelete", { event_id, scope })).status).toBe(200);
      parts = [...others, ...removed(part, anchor, scope)];
    } else {
      const change = randomChange(random, part, anchor, scope);
      log.push([scope, text(anchor.start), paramsOf(change)]);
      const changed =
        scope === "this" ? changeOne(part, anchor, change) : changeMany(part, anchor, scope, change);
      const params = { event_id, ...paramsOf(change) };
      const isAlone = scope === "this" && random() < 0.5; // events/update/ is the same as this scope
      const { status, text: answer } = isAlone
        ? await owner.call("eventsUpdate", params)
        : await owner.call("eventsSeriesUpdate", { ...params, scope });
      expect(status, JSON.stringify([seed, log, answer])).toBe(changed === undefined ? 400 : 200);
      if (changed !== undefined) parts = [...others, ...[changed].flat()];
    }
    expect(await listed(calendar_id), JSON.stringify([seed, log])).toEqual(expected(parts));
    if (!isImported || random() < 0.5) continue;
    const other = await exportedAndImported(calendar_id, parts, JSON.stringify([seed, log]));
    if (random() < 0.5) calendar_id = other;
  }
}

/** The event that shows as an item does; undefined when several do. */
async function idOf(calendar_id: string, item: Item): Promise<string | undefined> {
  const [start, end] = shown(item).map(text);
  const found = (await eventsOf(calendar_id)).filter(
    (event) =>
      event.start_date === start &&
      event["end_date"] === end &&
      event["title"] === item.title &&
      event["location"] === item.location,
  );
  return found.length === 1 ? found[0]?.id : undefined;
}

test(
  `${sequences} random sequences of changes and deletions of this, following and all do what a model does`,
  { timeout: 600_000 },
  async () => {
    for (let seed = first; seed < first + sequences; seed++) await runSequence(seed);
  },
);

// extensions X6.1, X6.2, X8.2
test(
  `${sequences} random sequences of an imported series, its changes, exports and imports do what a model does`,
  { timeout: 600_000 },
  async () => {
    for (let seed = first; seed < first + sequences; seed++) await runSequence(seed, true);
  },
);
