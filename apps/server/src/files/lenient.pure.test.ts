import { describe, expect, test } from "vitest";
import { formatInstant } from "../time/instants.js";
import { formatWallClock } from "../time/formats.js";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { prepare } from "./prepare.js";

// Files that other readers take although they are not as RFC 5545 has it. What is read otherwise than written is noted.

const now = Date.UTC(2027, 0, 1) / 1000;

/** What a file comes to, an event a line: start, length in minutes or last day, title, and what was noted. */
function read(text: string, takesPrivate = false): readonly string[] {
  const { instances, skipped } = prepare(text, { timezone: "Europe/Rome", now, takesPrivate });
  return [
    ...instances.map(({ dates, texts, isAllDay, notes }) =>
      [
        isAllDay
          ? `${formatWallClock(dates.start_local).slice(0, 10)} to ${formatWallClock(dates.end_local).slice(0, 10)}`
          : `${formatInstant(dates.start_at)} +${(dates.end_at - dates.start_at) / 60}`,
        texts.title,
        ...notes,
      ].join(" | "),
    ),
    ...skipped.map(({ title, reason }) => `skipped | ${title} | ${reason}`),
  ];
}

const start = ["DTSTART:20270301T120000Z", "DURATION:PT1H"];
const event = (...lines: readonly string[]) => read(calendarFile(vevent(...start, ...lines)));
const [first, second, third] = [1, 8, 15].map(
  (day) => `2027-03-${String(day).padStart(2, "0")}T12:00:00Z +60 | One`,
);
const readAs = "RRULE is read as FREQ=WEEKLY;COUNT=3";

describe("a rule that is written otherwise is read:", () => {
  test.each([
    ["FREQ=WEEKLY;COUNT=3;", readAs],
    [";FREQ=WEEKLY;;COUNT=3", readAs],
    ["FREQ=WEEKLY;BYDAY=;COUNT=3", readAs],
    ["freq = weekly; count = 3", readAs],
    ["RRULE:FREQ=WEEKLY;COUNT=3", readAs],
    ["FREQ=WEEKLY;COUNT=3;X-NAME=1", readAs],
    ["FREQ=WEEKLY;COUNT=3;COUNT=3", readAs],
    ["RSCALE=GREGORIAN;FREQ=WEEKLY;SKIP=OMIT;COUNT=3", readAs],
    ["FREQ=WEEKLY;COUNT=3", ""],
    ["freq=weekly;count=3", ""],
  ])("%s", (rule, note) => {
    expect(event(`RRULE:${rule}`)).toEqual([note === "" ? first : `${first} | ${note}`, second, third]);
  });

  test("COUNT and UNTIL end it, whichever comes first", () => {
    expect(event("RRULE:FREQ=WEEKLY;COUNT=2;UNTIL=20270315T120000Z")).toEqual([first, second]);
    expect(event("RRULE:FREQ=WEEKLY;COUNT=9;UNTIL=20270308T120000Z")).toEqual([first, second]);
  });

  test("that of a VTIMEZONE too", () => {
    const half = (name: string, from: string, to: string, month: number) =>
      [
        `BEGIN:${name}`,
        `DTSTART:1970${String(month).padStart(2, "0")}01T020000`,
        `TZOFFSETFROM:${from}`,
        `TZOFFSETTO:${to}`,
        `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=-1SU;`,
        `END:${name}`,
      ].join("\r\n");
    const halves = [half("STANDARD", "+0200", "+0100", 10), half("DAYLIGHT", "+0100", "+0200", 3)];
    const zone = ["BEGIN:VTIMEZONE", "TZID:Ours", ...halves, "END:VTIMEZONE"].join("\r\n");
    expect(read(calendarFile(zone, vevent("DTSTART;TZID=Ours:20270701T120000")))).toEqual([
      "2027-07-01T10:00:00Z +0 | One",
    ]);
  });
});

describe("a rule that is not followed leaves its first date and a note:", () => {
  const only = "only the first date of its rule is taken";
  test.each([
    ["FREQ=HOURLY;COUNT=3", "RRULE must have a FREQ of DAILY, WEEKLY, MONTHLY, YEARLY"],
    ["RSCALE=CHINESE;FREQ=YEARLY", "RRULE has a RSCALE other than GREGORIAN, which is not supported"],
    ["FREQ=MONTHLY;SKIP=FORWARD", "RRULE has a SKIP other than OMIT, which is not supported"],
    ["FREQ=WEEKLY;COUNT=3;COUNT=4", "RRULE must have COUNT once"],
    ["every week", "RRULE must have the form FREQ=WEEKLY;BYDAY=MO,WE"],
    [
      `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()}`,
      "RRULE names too many dates",
    ],
  ])("%s", (rule, reason) => {
    expect(event(`RRULE:${rule}`)).toEqual([`${first} | ${only}: ${reason}`]);
  });

  test("and those of RDATE, but not those of EXDATE", () => {
    const lines = ["RRULE:FREQ=HOURLY", "RDATE:20270308T120000Z,20270315T120000Z", "EXDATE:20270315T120000Z"];
    const note = `${only}: RRULE must have a FREQ of DAILY, WEEKLY, MONTHLY, YEARLY`;
    expect(event(...lines)).toEqual([`${first} | ${note}`, second]);
  });
});

describe("a TZID without quotes is read up to the colon before the time:", () => {
  test.each([
    ["tzone://Microsoft/Utc", "11:00"],
    ["(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "09:00"],
    ["Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London", "10:00"],
    ["Greenwich Mean Time; Dublin, Edinburgh, London", "10:00"],
    ["tzone://Microsoft/Utc;VALUE=DATE-TIME", "11:00"],
  ])("%s", (tzid, time) => {
    const file = calendarFile(
      vevent(`DTSTART;TZID=${tzid}:20270530T110000`, `EXDATE;TZID=${tzid}:20270530T110000`),
    );
    expect(read(file)).toEqual([
      `2027-05-30T${time}:00Z +0 | One | a TZID has no quotes: it is read up to the time`,
    ]);
  });

  test.each(["Europe/Berlin", '"Europe/Berlin"', "Europe/Berlin;VALUE=DATE-TIME"])("but not %s", (tzid) => {
    const file = calendarFile(vevent(`DTSTART;TZID=${tzid}:20270530T110000`));
    expect(read(file)).toEqual(["2027-05-30T09:00:00Z +0 | One"]);
  });
});

test.each(["TZID=", 'TZID=""', "TZID= ", "VALUE=DATE-TIME;TZID=", "TZID=;VALUE=DATE-TIME"])(
  "a time with an empty zone (%s) is one without a zone",
  (parameter) => {
    const file = calendarFile(
      vevent(`DTSTART;${parameter}:20270530T110000`, `DTEND;${parameter}:20270530T120000`),
    );
    expect(read(file)).toEqual([
      "2027-05-30T09:00:00Z +60 | One | a TZID has no value: the time is read as one without a zone",
    ]);
  },
);

describe("a date without a value is none:", () => {
  const note = (name: string) => `${name} has no value`;
  test.each(["RDATE", "EXDATE", "RDATE;VALUE=PERIOD", "EXDATE;TZID=Europe/Berlin", "RDATE;VALUE=DATE"])(
    "%s",
    (line) => {
      const [name = ""] = line.split(";");
      expect(event("RRULE:FREQ=WEEKLY;COUNT=2", `${line}:`)).toEqual([`${first} | ${note(name)}`, second]);
      expect(event(`${line}: `)).toEqual([`${first} | ${note(name)}`]);
    },
  );

  test.each(["DTEND", "DTEND;TZID=Europe/Berlin", "DURATION"])("%s", (line) => {
    const [name = ""] = line.split(";");
    expect(read(calendarFile(vevent("DTSTART:20270301T120000Z", `${line}:`)))).toEqual([
      `2027-03-01T12:00:00Z +0 | One | ${note(name)}`,
    ]);
  });

  test("RRULE, and RECURRENCE-ID", () => {
    expect(event("RRULE:", "RECURRENCE-ID:")).toEqual([
      `${first} | ${note("RRULE")} | ${note("RECURRENCE-ID")}`,
    ]);
  });

  test("nor is one of a list", () => {
    expect(event("RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20270308T120000Z,", "RDATE:,20270309T120000Z")).toEqual(
      [first, "2027-03-09T12:00:00Z +60 | One", third],
    );
  });

  test("a line without one does not hide the next", () => {
    expect(event("RRULE:", "RRULE:FREQ=WEEKLY;COUNT=2")).toEqual([`${first} | ${note("RRULE")}`, second]);
  });
});

describe("periods of RDATE have their own lengths (RFC 5545 3.8.5.2):", () => {
  test.each([
    ["RDATE;VALUE=PERIOD:20270325T120000Z/PT3H", 180],
    ["RDATE;VALUE=PERIOD:20270325T120000Z/20270325T150000Z", 180],
    ["RDATE:20270325T120000Z/PT3H", 180],
    ["RDATE;VALUE=PERIOD;TZID=Europe/London:20270325T120000/20270325T150000", 180],
    ["RDATE;VALUE=PERIOD:20270325T120000Z/P1DT1H", 1500],
    ["RDATE:20270325T120000Z", 60],
  ])("%s", (line, minutes) => {
    expect(event("RRULE:FREQ=WEEKLY;COUNT=2", line)).toEqual([
      first,
      second,
      `2027-03-25T12:00:00Z +${minutes} | One`,
    ]);
  });

  test("also where the rule names the same time", () => {
    expect(event("RRULE:FREQ=WEEKLY;COUNT=2", "RDATE;VALUE=PERIOD:20270308T120000Z/PT3H")).toEqual([
      first,
      "2027-03-08T12:00:00Z +180 | One",
    ]);
  });

  test("one that ends before it starts has the length of the event, and a note", () => {
    expect(event("RDATE;VALUE=PERIOD:20270308T120000Z/-PT3H")).toEqual([
      `${first} | a period of RDATE has no end after its start: it has the length of the event`,
      second,
    ]);
  });
});

test.each(["\r\r\n", "\r\r\r\n"])("lines may end in %j", (end) => {
  const text = calendarFile(
    vevent(...start, "SUMMARY:Title", "DESCRIPTION:first\r\n  second", "RRULE:FREQ=WEEKLY;COUNT=1"),
  );
  const file = text.replaceAll("\r\n", end);
  expect(read(file)).toEqual(["2027-03-01T12:00:00Z +60 | Title"]);
  const { instances } = prepare(file, { timezone: "UTC", now, takesPrivate: false });
  expect(instances[0]?.texts.description).toBe("first second");
});

describe("RECURRENCE-ID with RANGE=THISANDFUTURE changes that date and the following:", () => {
  const series = vevent(...start, "RRULE:FREQ=WEEKLY;COUNT=4");
  const from = (id: string, ...lines: readonly string[]) =>
    vevent(`RECURRENCE-ID;RANGE=THISANDFUTURE:${id}`, ...lines);
  const later = ["DTSTART:20270308T150000Z", "DURATION:PT2H", "SUMMARY:Later"];

  test("their times and lengths, and their texts", () => {
    expect(read(calendarFile(series, from("20270308T120000Z", ...later)))).toEqual([
      first,
      "2027-03-08T15:00:00Z +120 | Later",
      "2027-03-15T15:00:00Z +120 | Later",
      "2027-03-22T15:00:00Z +120 | Later",
    ]);
  });

  test("up to the next one, and except a date that has its own", () => {
    const own = vevent("RECURRENCE-ID:20270315T120000Z", "DTSTART:20270316T120000Z", "SUMMARY:Own");
    const next = from("20270322T120000Z", "DTSTART:20270322T090000Z", "SUMMARY:Next");
    expect(read(calendarFile(next, own, from("20270308T120000Z", ...later), series))).toEqual([
      first,
      "2027-03-08T15:00:00Z +120 | Later",
      "2027-03-16T12:00:00Z +0 | Own",
      "2027-03-22T09:00:00Z +0 | Next",
    ]);
  });

  test("on the wall clock, over a change of the clock", () => {
    const zone = ";TZID=Europe/Berlin:";
    const weekly = vevent(`DTSTART${zone}20270320T190000`, "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3");
    const moved = vevent(
      `RECURRENCE-ID;RANGE=THISANDFUTURE${zone}20270327T190000`,
      `DTSTART${zone}20270328T200000`,
      "DURATION:PT1H",
    );
    expect(read(calendarFile(weekly, moved))).toEqual([
      "2027-03-20T18:00:00Z +60 | One",
      "2027-03-28T18:00:00Z +60 | One",
      "2027-04-04T18:00:00Z +60 | One",
    ]);
  });

  test("of whole days", () => {
    const days = vevent("DTSTART;VALUE=DATE:20270301", "RRULE:FREQ=WEEKLY;COUNT=3");
    const moved = vevent(
      "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20270308",
      "DTSTART;VALUE=DATE:20270309",
      "DTEND;VALUE=DATE:20270311",
    );
    expect(read(calendarFile(days, moved))).toEqual([
      "2027-03-01 to 2027-03-01 | One",
      "2027-03-09 to 2027-03-10 | One",
      "2027-03-16 to 2027-03-17 | One",
    ]);
  });

  test("when it is private, none of them comes in", () => {
    const reason = "it is private, as its CLASS says";
    const closed = from("20270315T120000Z", "DTSTART:20270315T120000Z", "SUMMARY:Closed", "CLASS:PRIVATE");
    expect(read(calendarFile(series, closed))).toEqual([first, second, `skipped | Closed | ${reason}`]);
  });
});

describe("events of one UID without RECURRENCE-ID are one each when their starts differ:", () => {
  const at = (day: number, ...lines: readonly string[]) =>
    vevent(`DTSTART:202703${10 + day}T120000Z`, ...lines);
  const shown = (day: number) => `2027-03-${10 + day}T12:00:00Z +0 | One`;

  test("three events", () => {
    expect(read(calendarFile(at(2), at(1), at(3)))).toEqual([shown(1), shown(2), shown(3)]);
  });

  test("each is known by its start, a single one by its UID alone", () => {
    const keysOf = (...events: readonly string[]) =>
      prepare(calendarFile(...events), { timezone: "UTC", now, takesPrivate: false }).instances.map(
        ({ recurrenceId, formerId }) => [recurrenceId, formerId],
      );
    expect(keysOf(at(2), at(1))).toEqual([
      ["20270311T120000Z", ""],
      ["20270312T120000Z", undefined],
    ]);
    expect(keysOf(at(2))).toEqual([["", "20270312T120000Z"]]);
  });

  test("beside a series, of which one may replace a date", () => {
    const weekly = at(1, "RRULE:FREQ=WEEKLY;COUNT=3");
    expect(read(calendarFile(weekly, at(2), at(8, "SUMMARY:Other")))).toEqual([
      shown(1),
      "2027-03-18T12:00:00Z +0 | Other",
      shown(15),
      shown(2),
    ]);
  });

  test("two series: the second is its dates", () => {
    const note = "its rule is kept as its dates: another series of the file has the same UID";
    expect(
      read(calendarFile(at(1, "RRULE:FREQ=WEEKLY;COUNT=2"), at(2, "RRULE:FREQ=WEEKLY;COUNT=2"))),
    ).toEqual([shown(1), shown(8), `${shown(2)} | ${note}`, shown(9)]);
  });

  const twice = "another event of the file has the same UID";
  const [later, earlier] = ["LAST-MODIFIED:20260502T100000Z", "LAST-MODIFIED:20260501T100000Z"];

  test.each([
    ["the higher SEQUENCE", ["SEQUENCE:1"], ["SEQUENCE:0"]],
    ["the later LAST-MODIFIED", [later, "SEQUENCE:1"], [earlier, "SEQUENCE:9"]],
  ])("of the same start the one with %s is taken, in either order", (_what, newer, older) => {
    const [one, two] = [at(1, ...newer, "SUMMARY:Newer"), at(1, ...older, "SUMMARY:Older")];
    const expected = ["2027-03-11T12:00:00Z +0 | Newer", `skipped | Older | ${twice}`];
    expect(read(calendarFile(one, two))).toEqual(expected);
    expect(read(calendarFile(two, one))).toEqual(expected);
  });

  test("of the same start and revision the last is taken", () => {
    const file = calendarFile(at(1, "SEQUENCE:0"), at(1, "STATUS:CANCELLED", "SUMMARY:Again"));
    const { instances } = prepare(file, { timezone: "UTC", now, takesPrivate: false });
    expect(instances.map(({ texts }) => [texts.title, texts.status])).toEqual([["Again", "cancelled"]]);
    expect(read(file)).toEqual(["2027-03-11T12:00:00Z +0 | Again", `skipped | One | ${twice}`]);
  });

  test("of two states of a changed date the newer is taken", () => {
    const weekly = at(1, "RRULE:FREQ=WEEKLY;COUNT=2");
    const changed = (number: number) =>
      at(9, "RECURRENCE-ID:20270318T120000Z", `SEQUENCE:${number}`, `SUMMARY:${number}`);
    expect(read(calendarFile(weekly, changed(1), changed(2)))).toEqual([
      shown(1),
      "2027-03-19T12:00:00Z +0 | 2",
      `skipped | 1 | ${twice}`,
    ]);
  });
});

describe("an event without a proper end has none, and a note:", () => {
  const day = "DTSTART;VALUE=DATE:20270301";
  const time = "DTSTART:20270301T120000Z";
  test.each([
    [
      time,
      "DTEND:20270301T110000Z",
      "2027-03-01T12:00:00Z +0",
      "its end is left out: it is before the start",
    ],
    [
      day,
      "DTEND;VALUE=DATE:20270228",
      "2027-03-01 to 2027-03-01",
      "its end is left out: it is before the start",
    ],
    [time, "DURATION:-PT1H", "2027-03-01T12:00:00Z +0", "its end is left out: it is before the start"],
    [time, "DURATION:soon", "2027-03-01T12:00:00Z +0", "its end is left out: DURATION is not a duration"],
    [
      time,
      "DTEND:20270230T110000Z",
      "2027-03-01T12:00:00Z +0",
      "its end is left out: DTEND is not a real date",
    ],
    [
      day,
      "DTEND:20270303T000000",
      "2027-03-01 to 2027-03-02",
      "of DTSTART and DTEND one is a day and the other a time: DTEND is read as DTSTART is",
    ],
    [
      time,
      "DTEND;VALUE=DATE:20270302",
      "2027-03-01T12:00:00Z +660",
      "of DTSTART and DTEND one is a day and the other a time: DTEND is read as DTSTART is",
    ],
  ])("%s and %s", (begin, end, shown, note) => {
    expect(read(calendarFile(vevent(begin, end)))).toEqual([`${shown} | One | ${note}`]);
  });
});

test("dates of a series that cannot be read are left out, and a note says so", () => {
  expect(event("RRULE:FREQ=WEEKLY;COUNT=2", "EXDATE:soon", "RDATE;TZID=Nowhere:20270309T120000")).toEqual([
    `${first} | RDATE is left out: the time zone "Nowhere" is not known | EXDATE is left out: EXDATE is not a real date`,
    second,
  ]);
});

test("a text with damaged characters is noted", () => {
  expect(event("SUMMARY:cut\uFFFD")).toEqual([
    "2027-03-01T12:00:00Z +60 | cut\uFFFD | SUMMARY has damaged characters, each of which is shown as \uFFFD",
  ]);
});
