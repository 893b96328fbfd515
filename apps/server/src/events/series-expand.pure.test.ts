import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { datesOf as timesOf } from "./dates.js";
import { expand as follow, type Refusal, type SeriesPlan } from "./series-expand.js";

/** When scripts/series-reference.py takes place. */
const now = Date.UTC(2026, 10, 22, 12) / 1000;

/** Random rules and what two other programs make of them; a longer list of the same script can be named. */
const reference =
  process.env.KALENDS_SERIES_REFERENCE ??
  new URL("../../test/fixtures/series-reference.txt", import.meta.url);

function local(text: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(text) ?? []
  )
    .slice(1)
    .map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) / 1000;
}

/** The series with the times of its events. */
async function expand(plan: SeriesPlan, options: Parameters<typeof follow>[1]) {
  const expansion = await follow(plan, options);
  if ("message" in expansion) return expansion;
  const [length, { places }] = [plan.end - plan.start, expansion];
  const occurrences = places.map((place) => ({ place, ...timesOf({ ...plan, start: place, length }) }));
  return { ...expansion, occurrences };
}

const list = (text: string) => (text === "" ? [] : text.split(",").map(local));

describe("the dates of a rule", () => {
  test("are those of dateutil and recurring_ical_events, for random rules over twelve zones and their clock changes", async () => {
    const lines = readFileSync(reference, "utf8").trim().split("\n");
    const isWrong = async (line: string): Promise<boolean> => {
      const [timezone = "", first = "", rrule = "", rdate = "", exdate = "", , , digest] = line.split("|");
      const start = local(first);
      const plan = {
        start,
        end: start + 600,
        allDay: false,
        timezone,
        rrule,
        rdate: list(rdate),
        exdate: list(exdate),
      };
      const expansion = await expand(plan, { now });
      if ("message" in expansion) return true;
      const instants = expansion.occurrences
        .map(({ start_at }) => start_at)
        .toSorted((one, other) => one - other);
      return createHash("sha256").update(instants.join(",")).digest("hex").slice(0, 10) !== digest;
    };
    const wrong: string[] = [];
    for (const line of lines) if (await isWrong(line)) wrong.push(line);
    expect(wrong).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(2000);
  });
});

const weekly = {
  start: local("20261214T1900"),
  end: local("20261214T2030"),
  allDay: false,
  timezone: "Europe/Berlin",
  rrule: "FREQ=WEEKLY;COUNT=3",
} as const satisfies SeriesPlan;

function shownOf(expansion: Awaited<ReturnType<typeof expand>>): readonly string[] | Refusal {
  if ("message" in expansion) return expansion;
  return expansion.occurrences.map(({ start_local }) =>
    new Date(start_local * 1000).toISOString().slice(0, 16),
  );
}

const datesOf = async (change: Partial<SeriesPlan>, options = {}) =>
  shownOf(await expand({ ...weekly, ...change }, { now, ...options }));

describe("a series", () => {
  test("has the first event also when the rule does not name it, and counts it", async () => {
    expect(await datesOf({ rrule: "FREQ=WEEKLY;BYDAY=TU;COUNT=3" })).toEqual([
      "2026-12-14T19:00",
      "2026-12-15T19:00",
      "2026-12-22T19:00",
    ]);
  });

  test("has the dates of RDATE and lacks those of EXDATE, with or without a rule", async () => {
    const [rdate, exdate] = [[local("20261220T1000")], [local("20261214T1900")]];
    expect(await datesOf({ rdate, exdate })).toEqual([
      "2026-12-20T10:00",
      "2026-12-21T19:00",
      "2026-12-28T19:00",
    ]);
    expect(await datesOf({ rrule: "", rdate })).toEqual(["2026-12-14T19:00", "2026-12-20T10:00"]);
    expect(await datesOf({ rrule: "", exdate })).toMatchObject({ parameter: "exdate" });
  });

  test("keeps its wall clock over a clock change; a skipped time moves forward, a repeated one is the first (R4.3)", async () => {
    const [start, end] = [local("20270327T0230"), local("20270327T0310")];
    const spring = await expand({ ...weekly, start, end, rrule: "FREQ=DAILY;COUNT=3" }, { now });
    expect(shownOf(spring)).toEqual(["2027-03-27T02:30", "2027-03-28T03:30", "2027-03-29T02:30"]);
    if ("message" in spring) throw new Error(spring.message);
    // 02:30 is skipped and becomes 03:30: the event keeps its length.
    expect(spring.occurrences.map(({ start_at, end_at }) => end_at - start_at)).toEqual([2400, 2400, 2400]);
    expect(spring.occurrences.map(({ place }) => place - start)).toEqual([0, 86_400, 2 * 86_400]);
    const autumn = await expand(
      { ...weekly, start: local("20261025T0230"), end: local("20261025T0230") },
      { now },
    );
    expect(autumn).toMatchObject({
      occurrences: [{ start_at: Date.UTC(2026, 9, 25, 0, 30) / 1000 }, {}, {}],
    });
  });

  test("takes weeks 52 and 53 as ISO 8601 numbers them", async () => {
    const [start, end] = [local("20260102T1000"), local("20260102T1100")];
    const rrule = "FREQ=YEARLY;BYWEEKNO=53,52;BYDAY=SU,SA;COUNT=9";
    expect(await datesOf({ start, end, rrule })).toEqual([
      "2026-01-02T10:00",
      ...["2026-12-26T10:00", "2026-12-27T10:00", "2027-01-02T10:00", "2027-01-03T10:00"],
      ...["2028-01-01T10:00", "2028-01-02T10:00", "2028-12-30T10:00", "2028-12-31T10:00"],
    ]);
  });

  test("without an end goes two years ahead or to 366 events, and on from there without a gap or a repetition", async () => {
    const week = await expand({ ...weekly, rrule: "FREQ=WEEKLY" }, { now });
    expect(week).toMatchObject({ isEndless: true, isCut: false });
    expect("message" in week || week.occurrences.length).toBe(102);
    const plan = {
      ...weekly,
      rrule: "FREQ=DAILY",
      rdate: [local("20300101T1900")],
      exdate: [local("20261215T1900")],
    };
    const day = await expand(plan, { now });
    if ("message" in day) throw new Error(day.message);
    expect([day.occurrences.length, day.isCut]).toEqual([366, true]);
    const more = await expand(plan, { now: now + 4 * 366 * 86_400, after: day.madeUntil, most: 1800 });
    if ("message" in more) throw new Error(more.message);
    const places = [...day.occurrences, ...more.occurrences].map(({ place }) => place);
    expect(new Set(places).size).toBe(places.length);
    const days = places.toSorted((one, other) => one - other).map((place) => (place - weekly.start) / 86_400);
    expect(days.slice(0, 3)).toEqual([0, 2, 3]);
    expect(days.at(-1)).toBe(days.length);
  });

  test("that is stored goes on a hundred years after it has begun, and ends with its rule", async () => {
    const [start, end] = [local("19250614T1900"), local("19250614T2000")];
    const plan = { ...weekly, start, end, rrule: "FREQ=YEARLY" };
    const last = async (rrule: string, options = {}) => {
      const dates = await datesOf({ ...plan, rrule }, { lenient: true, ...options });
      return "message" in dates ? dates.message : dates.at(-1);
    };
    expect(await last("FREQ=YEARLY")).toBe("2028-06-14T19:00");
    expect(await last("FREQ=YEARLY", { after: local("20280614T1900"), now: now + 366 * 86_400 })).toBe(
      "2029-06-14T19:00",
    );
    expect(await last("FREQ=YEARLY;COUNT=110")).toBe("2034-06-14T19:00");
    expect(await last("FREQ=YEARLY;UNTIL=20300614T190000")).toBe("2030-06-14T19:00");
    expect(await last("FREQ=YEARLY", { lenient: false })).toBe("must end within 100 years");
  });

  test("ends with UNTIL, which is of the same type as the start", async () => {
    const rrule = "RRULE:freq=daily;until=";
    const until = async (text: string, change = {}, options = {}) => {
      const dates = await datesOf({ rrule: rrule + text, ...change }, options);
      return "message" in dates ? dates.message : dates.length;
    };
    expect(await until("20261216T180000Z")).toBe(3); // 19:00 in Berlin
    expect(await until("20261216T175959Z")).toBe(2);
    expect(await until("20261216T190000")).toBe(3);
    expect(await until("20261216")).toMatch(/^must have a time such as/);
    expect(await until("20261216", {}, { lenient: true })).toBe(3);
    expect(await until("20261216", { allDay: true })).toBe(3);
    expect(await until("20261216T000000Z", { allDay: true })).toMatch(/^must have a date such as/);
    expect(await until("20261215T230000Z", { allDay: true }, { lenient: true })).toBe(3);
    expect(await until("20261201T000000Z")).toMatch(/before the first event/);
  });
});

describe("a rule is refused with a reason", () => {
  test.each([
    ["FREQ=SECONDLY", "FREQ of DAILY, WEEKLY, MONTHLY, YEARLY"],
    ["FREQ=MINUTELY;COUNT=3", "FREQ of"],
    ["FREQ=HOURLY", "FREQ of"],
    ["BYDAY=MO", "FREQ of"],
    ["", "FREQ of"],
    ["weekly", "the form FREQ=WEEKLY"],
    ["FREQ=WEEKLY;;", "the form FREQ=WEEKLY"],
    ["FREQ=WEEKLY;BYEASTER=1", "no part other than"],
    ["RSCALE=CHINESE;FREQ=YEARLY", "has a RSCALE other than GREGORIAN"],
    ["FREQ=WEEKLY;FREQ=DAILY", "FREQ once"],
    ["FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z", "COUNT or UNTIL"],
    ["FREQ=DAILY;INTERVAL=0", "one number of 1 to 9999 as INTERVAL"],
    ["FREQ=DAILY;COUNT=0", "as COUNT"],
    ["FREQ=DAILY;COUNT=367", "at most 366 events"],
    ["FREQ=DAILY;COUNT=99999999", "as COUNT"],
    ["FREQ=DAILY;UNTIL=20290101T000000Z", "at most 366 events"],
    ["FREQ=DAILY;UNTIL=2027-12-31", "as UNTIL"],
    ["FREQ=DAILY;UNTIL=20270231T000000Z", "as UNTIL"],
    ["FREQ=DAILY;UNTIL=20271301T000000Z", "as UNTIL"],
    ["FREQ=WEEKLY;BYDAY=1MO", "a number in BYDAY only with"],
    ["FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO", "a number in BYDAY only with"],
    ["FREQ=WEEKLY;BYDAY=XX", "days of MO"],
    ["FREQ=MONTHLY;BYDAY=0MO", "days as MO or -1MO"],
    ["FREQ=MONTHLY;BYDAY=6MO", "numbers of 1 to 5"],
    ["FREQ=YEARLY;BYMONTH=1;BYDAY=6MO", "numbers of 1 to 5"],
    ["FREQ=YEARLY;BYDAY=54MO", "numbers of 1 to 53"],
    ["FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY only with a FREQ of DAILY, MONTHLY, YEARLY"],
    ["FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY only with a FREQ of YEARLY"],
    ["FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO only with a FREQ of YEARLY"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "as BYMONTHDAY"],
    ["FREQ=MONTHLY;BYMONTHDAY=0", "as BYMONTHDAY"],
    ["FREQ=YEARLY;BYMONTH=13", "as BYMONTH"],
    ["FREQ=YEARLY;BYMONTH=5L", "as BYMONTH"],
    ["FREQ=DAILY;BYHOUR=24", "as BYHOUR"],
    ["FREQ=DAILY;BYSECOND=30", "no BYSECOND but 0"],
    ["FREQ=MONTHLY;BYSETPOS=1", "another BY part"],
    ["FREQ=MONTHLY;WKST=9", "days of MO"],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "a date after the first event"],
    ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2", "end within 100 years"],
    ["FREQ=YEARLY;COUNT=200", "end within 100 years"],
  ])("%s", async (rrule, reason) => {
    const refusal = await expand({ ...weekly, rrule: rrule || "=" }, { now });
    expect("message" in refusal ? refusal.message : "no refusal").toContain(
      rrule === "" ? "the form FREQ=WEEKLY" : reason,
    );
  });

  test("all-day events have no times, and RDATE has a limit too", async () => {
    expect(await datesOf({ allDay: true, rrule: "FREQ=DAILY;BYHOUR=8;COUNT=2" })).toMatchObject({
      message: "must not have BYHOUR for an all-day event",
      code: "refused",
    });
    expect(
      await datesOf({ allDay: true, rrule: "FREQ=DAILY;BYHOUR=8;COUNT=2" }, { lenient: true }),
    ).toHaveLength(2);
    const rdate = Array.from({ length: 366 }, (_, index) => weekly.start + (index + 1) * 60);
    expect(await datesOf({ rrule: "", rdate })).toEqual({
      parameter: "rdate",
      message: "must make at most 366 events",
      code: "too_many",
      limit: 366,
    });
    expect(await datesOf({ start: local("99991231T2200"), end: local("99991231T2300") })).toMatchObject({
      parameter: "end_date",
    });
  });

  test("a rule that takes too long is refused, and others are let in meanwhile", async () => {
    const positions = Array.from({ length: 200 }, (_, index) => index + 100).join(",");
    const hours = Array.from({ length: 24 }, (_, index) => index).join(",");
    const rrule = `FREQ=DAILY;BYHOUR=${hours};BYSETPOS=${positions}`;
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    const refusal = await expand({ ...weekly, rrule }, { now });
    clearInterval(count);
    // a fast machine may follow it to its end: then it names nothing
    expect(refusal).toMatchObject({ parameter: "rrule" });
    expect(turns).toBeGreaterThan(1);
  });

  test("a period with very many dates lets others in too, and none beyond `until` are looked for", async () => {
    const all = (count: number) => Array.from({ length: count }, (_, index) => index).join(",");
    const rrule = `FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${all(24)};BYMINUTE=${all(60)}`;
    const plan = { ...weekly, rrule };
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    await follow(plan, { now, most: 500_000 }); // a year has more minutes
    clearInterval(count);
    expect(turns).toBeGreaterThan(1);
    const until = weekly.start + 599 * 60;
    expect(await follow(plan, { now, most: 500_000, until })).toMatchObject({ places: { length: 600 } });
  });

  test("however long a rule has no date, within milliseconds of CPU", async () => {
    const all = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index).join(",");
    const often = `BYHOUR=${all(0, 23)};BYMINUTE=${all(0, 59)}`;
    const rules = [
      `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;${often};COUNT=366`,
      `FREQ=YEARLY;BYDAY=53MO,-53SU;BYMONTHDAY=15;BYYEARDAY=${all(1, 366)};${often};BYSETPOS=-366`,
      `FREQ=YEARLY;BYMONTH=${all(1, 12)};${often};BYSETPOS=366;COUNT=366`,
      `FREQ=YEARLY;BYWEEKNO=${all(-53, -1)};BYMONTH=5;BYMONTHDAY=31;BYDAY=MO;BYYEARDAY=1`,
    ];
    const began = process.cpuUsage();
    for (const rrule of rules) await expand({ ...weekly, rrule }, { now });
    expect(process.cpuUsage(began).user / 1_000 / rules.length).toBeLessThan(250);
  });
});
