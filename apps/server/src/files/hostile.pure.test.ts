import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { dayText } from "../time/recurrence-id.js";
import { preparing } from "./run-thread.js";

// Files that are made to take long. KALENDS_IMPORT_BYTES=10000000 makes them as large as they may be.

const bytes = Number(process.env.KALENDS_IMPORT_BYTES ?? 300_000);
const isFull = bytes >= 10_000_000;
const now = Date.UTC(2026, 6, 1) / 1000;

/** The CPU time of this thread in ms: other processes of the machine do not count. Only Linux tells. */
const schedule = "/proc/self/schedstat";
const cpuMs = (): number =>
  existsSync(schedule) ? Number(readFileSync(schedule, "utf8").split(" ")[0]) / 1e6 : 0;

const longestHoldMs = 50;

interface Outcome {
  /** The number of events, or why the file was refused. */
  readonly came: number | string;
  readonly notes: readonly string[];
  /** The longest time that the event loop was held, in ms of CPU. */
  readonly heldMs: number;
}

/** Reads a file; again, up to three times, when it held the event loop: a garbage collection does so once, the file each time. */
async function outcomeOf(file: string): Promise<Outcome> {
  let outcome = await readOnce(file);
  for (let times = 1; times < 3 && outcome.heldMs >= longestHoldMs; times++) outcome = await readOnce(file);
  return outcome;
}

async function readOnce(file: string): Promise<Outcome> {
  file.lastIndexOf("\r"); // a text that was joined is put together by the first search: not part of the import
  let [last, heldMs, isOver] = [cpuMs(), 0, false];
  const tick = (): void => {
    const at = cpuMs();
    heldMs = Math.max(heldMs, at - last);
    last = at;
    if (!isOver) setImmediate(tick);
  };
  tick();
  const began = performance.now();
  const came = await preparing(
    { text: file, timezone: "Europe/Berlin", now, takesPrivate: false },
    async (prepared) => {
      const notes: string[] = [];
      for await (const { instances, skipped } of prepared.slices())
        notes.push(
          ...instances.flatMap((instance) => instance.notes),
          ...skipped.map(({ reason }) => reason),
        );
      return { came: prepared.events, notes };
    },
  ).catch((error: Error) => ({ came: error.message, notes: [] }));
  isOver = true;
  heldMs = Math.max(heldMs, cpuMs() - last);
  if (isFull) {
    const [took, rss] = [performance.now() - began, process.memoryUsage.rss()].map(Math.round);
    process.stderr.write(
      `${took} ms, held ${heldMs.toFixed(1)} ms, ${Math.round((rss ?? 0) / 1e6)} MB in all\n`,
    );
  }
  return { ...came, heldMs };
}

const times = (text: string): string => text.repeat(Math.ceil(bytes / text.length));
const each = (make: (index: number) => string): readonly string[] =>
  Array.from({ length: Math.ceil(Math.min(9_999, bytes / make(0).length)) }, (_, index) => make(index));
const start = "BEGIN:VCALENDAR\r\n";

const refused: readonly (readonly [what: string, file: () => string, reason: RegExp])[] = [
  ["components within components", () => start + times("BEGIN:VEVENT\r\n"), /nested too deep/],
  ["one line without an end", () => `${start.trim()}${"x".repeat(bytes)}`, /no proper name/],
  ["HTML", () => times("<p>Not found</p>\n"), /no iCalendar file/],
  ["nothing", () => "\r\n", /no iCalendar file/],
  ["half a file", () => calendarFile(vevent()).slice(0, -40), /ends within a VEVENT/],
  ["ends that nothing has begun", () => `${start}END:VEVENT\r\n`, /closes no component/],
  [
    "components of no use",
    () => calendarFile(...Array.from({ length: 10_001 }, () => "BEGIN:X-A\r\nEND:X-A")),
    /more than 10000 events/,
  ],
  [
    "endless rules that come to too many dates",
    () => calendarFile(...Array.from({ length: 40 }, (_, n) => vevent(`UID:${n}`, "RRULE:FREQ=DAILY"))),
    /more than 10000 events, the dates/,
  ],
];

type Read = readonly [what: string, file: () => string, came: number, note?: RegExp];
const read: readonly Read[] = [
  [
    "alarms",
    () => calendarFile(vevent(times("BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n").trimEnd())),
    1,
    /several alarms/,
  ],
  [
    "starts without quotes round their zone",
    () => calendarFile(vevent(times("DTSTART;TZID=a:;TZID=b;c;:A=1:20270101\r\n").trimEnd())),
    0,
  ],
  [
    "changes of all following dates",
    () =>
      calendarFile(
        vevent("RRULE:FREQ=DAILY"),
        ...each((n) =>
          vevent(`RECURRENCE-ID;RANGE=THISANDFUTURE:${dayText((20_666 + (n % 366)) * 86_400)}T100000Z`),
        ),
      ),
    366,
  ],
  ["folds after each character", () => calendarFile(vevent(`DESCRIPTION:a${times("\r\n b")}`)), 1],
  ["empty lines", () => calendarFile(vevent(`LOCATION:x${times("\n")}`)), 1],
  ["parameters", () => calendarFile(vevent(`LOCATION${times(";A=1")}:x`)), 1],
  ["quotes that are not closed", () => calendarFile(vevent(`LOCATION;A="${times("a")}`)), 1],
  [
    "a description",
    () => calendarFile(vevent(`DESCRIPTION:${times("😀\\, ")}`)),
    1,
    /DESCRIPTION is too long/,
  ],
  [
    "lines of thousands of dates",
    () => {
      const dates = Array.from({ length: 3_600 }, () => "20270101").join();
      return calendarFile(
        ...each((n) => vevent(`UID:${n}`, `RDATE:${dates}`, `EXDATE:${dates}`)).slice(0, 10),
      );
    },
    Math.min(10, Math.ceil(bytes / 65_000)),
  ],
  [
    "blanks in a category",
    () => calendarFile(vevent(times(`CATEGORIES:x${" ".repeat(3_990)}y\r\n`).trimEnd())),
    1,
  ],
  [
    "dates that are left out",
    () =>
      calendarFile(
        vevent("RRULE:FREQ=DAILY;COUNT=3", times("EXDATE:20260802T100000Z,20260802T100000Z\r\n").trimEnd()),
      ),
    2,
    /EXDATE/,
  ],
  [
    "a start of many parameters",
    () => calendarFile(vevent(`DTSTART${times(';A="x"')}:20260801T100000Z`)),
    0,
    /DTSTART is too long/,
  ],
  ["a rule that names no date", () => calendarFile(vevent("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")), 1],
  ["a rule of each minute", () => calendarFile(vevent("RRULE:FREQ=MINUTELY")), 1, /RRULE must have a FREQ/],
  [
    "a rule of all minutes since 1901",
    () =>
      calendarFile(
        vevent(
          "DTSTART:19010101T100000Z",
          `RRULE:FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()}`,
        ),
      ),
    1,
    /too many dates/,
  ],
  [
    "days since 1990",
    () => calendarFile(vevent("DTSTART:19900101T100000Z", "RRULE:FREQ=DAILY")),
    366,
    /dates of the series are left out/,
  ],
  [
    "ten years of weeks",
    () => calendarFile(vevent("RRULE:FREQ=WEEKLY;UNTIL=20360801T100000Z")),
    100,
    /more than two years ahead/,
  ],
  ["a date that is none", () => calendarFile(vevent("DTSTART:20260230T100000Z")), 0, /not a real date/],
  [
    "an end before the start",
    () => calendarFile(vevent("DTSTART:20260801T100000Z", "DTEND:20260801T090000Z")),
    1,
    /its end is left out/,
  ],
  [
    "the year 9999",
    () => calendarFile(vevent("DTSTART;VALUE=DATE:99991231", "DURATION:P2D")),
    0,
    /year 9999/,
  ],
];

describe("a file that is made to take long is refused, and the event loop goes on:", () => {
  test.each(refused)("%s", async (_what, file, reason) => {
    const { came, heldMs } = await outcomeOf(file());
    expect(came).toMatch(reason);
    expect(heldMs).toBeLessThan(longestHoldMs);
  });

  test("rules that name no dates, for as long as all rules of a file may take", async () => {
    const file = calendarFile(
      ...each((n) => vevent(`UID:${n}`, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")).slice(
        0,
        isFull ? 9_999 : 20,
      ),
    );
    const { came, heldMs } = await outcomeOf(file);
    expect(String(came)).toMatch(isFull ? /rules that name too few dates/ : /^20$/);
    expect(heldMs).toBeLessThan(longestHoldMs);
  });
});

describe("what can be read of a file is read, and the event loop goes on:", () => {
  test.each(read.map(([what, file, count, note]) => ({ what, file, count, note })))(
    "$what",
    async ({ file, count, note }) => {
      const { came, notes, heldMs } = await outcomeOf(file());
      expect(came).toBe(count);
      if (note !== undefined) expect(notes.join("\n")).toMatch(note);
      expect(heldMs).toBeLessThan(longestHoldMs);
    },
  );

  test("as many events as fit", async () => {
    const file = calendarFile(...each((n) => vevent(`UID:${n}`, `DESCRIPTION:${"Text ü ".repeat(110)}`)));
    const { came, heldMs } = await outcomeOf(file);
    expect(came).toBe(file.split("BEGIN:VEVENT").length - 1);
    expect(heldMs).toBeLessThan(longestHoldMs);
  });
});
