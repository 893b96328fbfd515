import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { randomFrom } from "../../test/random.js";
import { RuleTime, startsOf } from "../files/rules.js";
import { toLocal, toUnix } from "../time/zones.js";

/*
 * Random rules are followed by rrule-temporal too, which is not ours. `KALENDS_RULES=5000` tries more, `KALENDS_SEED=7` others.
 *
 * Not tried is what it does not follow (2.2.8): of several parts that limit the days of a year it ignores some, such as BYMONTHDAY beside
 * BYYEARDAY or 2MO, and 53MO of a year with 52 is one of the next. It leaves out times that the clock skips; here they are moved on (rulings R4.3), so these are not compared.
 */

const count = Number(process.env.KALENDS_RULES ?? 200);
const firstSeed = Number(process.env.KALENDS_SEED ?? 1);
const days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** Leap days, the turn of a year, and 02:30 before both changes of the clock. */
const starts = [
  "2024-02-29T09:00",
  "2026-03-25T02:30",
  "2026-10-20T02:30",
  "2025-12-31T23:15",
  "2027-01-01T00:00",
  "2026-06-15T19:00",
].map((text) => Date.parse(`${text}Z`) / 1000);
/** How long a rule is followed. */
const years = { DAILY: 1, WEEKLY: 2, MONTHLY: 6, YEARLY: 24 } as const;

const textOf = (local: number): string => new Date(local * 1000).toISOString().replaceAll(/[-:]|\.000/g, "");

interface RandomRule {
  readonly rule: string;
  readonly start: number;
  readonly freq: keyof typeof years;
}

function randomRule(seed: number): RandomRule {
  const random = randomFrom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const chance = (part: number) => random() < part;
  const signed = (most: number) => int(1, most) * (chance(0.4) ? -1 : 1);
  /** Those that are within one year: of others, with an INTERVAL, it is open to which year their days belong. */
  const week = () => int(2, 51) * (chance(0.4) ? -1 : 1);
  const list = (name: string, make: () => string | number, most = 3): string =>
    `${name}=${[...new Set(Array.from({ length: int(1, most) }, make))].join()}`;
  const pick = <T>(...items: readonly [T, ...T[]]): T => items[int(0, items.length - 1)] ?? items[0];
  const freq = pick("DAILY", "WEEKLY", "MONTHLY", "YEARLY");
  const day = () => pick("MO", ...days);
  const by = chance(0.3) ? [list("BYMONTH", () => int(1, 12))] : [];
  const nth = by.length > 0 ? 5 : 52;
  const monthDays = () => list("BYMONTHDAY", () => signed(31), 6);
  const ofPeriod = {
    DAILY: [monthDays, () => list("BYDAY", day)],
    WEEKLY: [() => list("BYDAY", day)],
    MONTHLY: [monthDays, () => list("BYDAY", day), () => list("BYDAY", () => `${signed(5)}${day()}`)],
    YEARLY: [
      monthDays,
      () => list("BYYEARDAY", () => signed(366), 6),
      () => list("BYWEEKNO", week),
      () => `${list("BYWEEKNO", week)};${list("BYDAY", day)}`,
      () => list("BYDAY", () => `${signed(nth)}${day()}`),
      () => list("BYDAY", day),
    ],
  }[freq];
  const limit = ofPeriod[int(0, ofPeriod.length - 1)];
  if (limit !== undefined && chance(0.8)) by.push(limit());
  if (chance(0.25)) by.push(list("BYHOUR", () => int(0, 23)));
  if (chance(0.2)) by.push(list("BYMINUTE", () => int(0, 59)));
  if (by.length > 0 && chance(0.3)) by.push(list("BYSETPOS", () => signed(4)));
  const interval = chance(0.4) ? [`INTERVAL=${int(2, 4)}`] : [];
  const weekStart = chance(0.4) ? [`WKST=${day()}`] : [];
  const rule = [`FREQ=${freq}`, ...interval, ...weekStart, ...by].join(";");
  return { rule, start: starts[int(0, starts.length - 1)] ?? 0, freq };
}

/** The instants that a rule names, its start among them; without those that the clock skips. */
function ours(rule: string, start: number, zone: string): readonly number[] {
  const options = { horizon: Date.UTC(2090, 0) / 1000, rules: new RuleTime({ ofOneMs: 60_000 }) };
  const { locals } = startsOf({ rule, start, zone, isAllDay: false }, options);
  const isThere = (local: number) => toLocal(toUnix(local, zone), zone) === local;
  return locals.filter(isThere).map((local) => toUnix(local, zone));
}

function theirs(rule: string, start: number, zone: string): readonly number[] {
  const rruleString = `DTSTART;TZID=${zone}:${textOf(start).slice(0, -1)}\nRRULE:${rule}`;
  const followed = new RRuleTemporal({ rruleString, temporal: Temporal, maxIterations: 100_000 });
  const named = followed.all().map(({ epochMilliseconds }) => epochMilliseconds / 1000);
  return [...new Set([toUnix(start, zone), ...named])];
}

test(`${count} random rules name the dates that another program finds`, () => {
  let [several, dates] = [0, 0];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { rule, start, freq } = randomRule(seed);
    const until = `${rule};UNTIL=${textOf(start + years[freq] * 366 * 86_400)}`;
    // A time that the clock skips is no position there.
    const zone = rule.includes("BYSETPOS") ? "Etc/UTC" : "Europe/Berlin";
    const expected = theirs(until, start, zone);
    expect(ours(until, start, zone), `${seed}: ${until}`).toEqual(expected);
    if (expected.length > 2) several++;
    dates += expected.length;
    // A start that the rule does not name is counted by COUNT here (RFC 5545 3.8.5.3), so it begins with a date of the rule.
    const [, first] = ours(until, start, "Etc/UTC");
    if (first === undefined) continue;
    const counted = `${rule};COUNT=3`;
    const named = ours(`${rule};UNTIL=${textOf(first + years[freq] * 366 * 86_400)}`, first, "Etc/UTC");
    if (named.length < 3) continue;
    expect(ours(counted, first, "Etc/UTC"), `${seed}: ${counted}`).toEqual(theirs(counted, first, "Etc/UTC"));
  }
  expect(several).toBeGreaterThan(count / 2);
  expect(dates).toBeGreaterThan(10 * count);
});
