import { describe, expect, test } from "vitest";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { formatWallClock } from "../time/formats.js";
import { prepare } from "./prepare.js";

const now = Date.UTC(2026, 6, 1) / 1000;

interface Options {
  readonly timezone?: string;
  readonly takesPrivate?: boolean;
}

/** The wall clock and the title of each event, then why others were skipped. */
async function read(
  components: readonly string[],
  { timezone = "Europe/Berlin", takesPrivate = false }: Options = {},
): Promise<readonly string[]> {
  const options = { timezone, now, takesPrivate };
  const { instances, skipped } = prepare(calendarFile(...components), options);
  return [
    ...instances.map(({ dates, texts, isAllDay }) => {
      const start = formatWallClock(dates.start_local);
      return `${isAllDay ? start.slice(0, 10) : start} ${texts.title}`;
    }),
    ...skipped.map(({ title, reason }) => `${title}: ${reason}`),
  ];
}

describe("what its CLASS says is not for the public", () => {
  const reason = "it is private, as its CLASS says";
  test.each(["PRIVATE", "CONFIDENTIAL", "private", "X-SECRET"])(
    "%s is skipped, or taken on purpose",
    async (name) => {
      const file = [vevent(`CLASS:${name}`), vevent("UID:two", "SUMMARY:Two", "CLASS:PUBLIC")];
      expect(await read(file)).toEqual(["2026-08-01T12:00 Two", `One: ${reason}`]);
      expect(await read(file, { takesPrivate: true })).toEqual([
        "2026-08-01T12:00 One",
        "2026-08-01T12:00 Two",
      ]);
    },
  );

  const daily = ["DTSTART;VALUE=DATE:20260801", "RRULE:FREQ=DAILY;COUNT=3"];
  const second = ["RECURRENCE-ID;VALUE=DATE:20260802", "DTSTART;VALUE=DATE:20260802"];

  test("a private date of a public series is left out: neither it nor what the series says of it is shown", async () => {
    const dates = [vevent(...daily), vevent(...second, "SUMMARY:Surgery", "CLASS:PRIVATE")];
    expect(await read(dates)).toEqual(["2026-08-01 One", "2026-08-03 One", `Surgery: ${reason}`]);
  });

  test("a changed date without CLASS is as private as its series, and one that is public is not", async () => {
    const series = vevent(...daily, "CLASS:PRIVATE");
    expect(await read([series, vevent(...second, "SUMMARY:Moved")])).toEqual([
      `One: ${reason}`,
      `Moved: ${reason}`,
    ]);
    expect(await read([series, vevent(...second, "SUMMARY:Open day", "CLASS:PUBLIC")])).toEqual([
      "2026-08-02 Open day",
      `One: ${reason}`,
    ]);
  });

  test.each(["DTSTART;TZID=Nowhere:20260801T100000", "DTSTART:soon", "RDATE:soon", "DURATION:-PT1H"])(
    "%s, which cannot be read, makes neither an event less private nor its changed dates",
    async (line) => {
      const series = vevent(line, ...daily, "CLASS:PRIVATE");
      expect(await read([series, vevent(...second, "SUMMARY:Moved")])).toEqual([
        `One: ${reason}`,
        `Moved: ${reason}`,
      ]);
    },
  );

  test("an event that a file has twice is private when one of the two is", async () => {
    const [open, closed] = [vevent(), vevent("SUMMARY:Closed", "CLASS:PRIVATE")];
    const same = "another event of the file has the same UID";
    expect(await read([open, closed])).toEqual([`One: ${same}`, `Closed: ${reason}`]);
    expect(await read([closed, open])).toEqual([`Closed: ${same}`, `One: ${reason}`]);
    const [date, privateDate] = [vevent(...second), vevent(...second, "SUMMARY:Closed", "CLASS:PRIVATE")];
    expect(await read([vevent(...daily), date, privateDate])).toEqual([
      "2026-08-01 One",
      "2026-08-03 One",
      `One: ${same}`,
      `Closed: ${reason}`,
    ]);
  });

  test("a changed date that a file has twice is as private as its series unless both say that they are public", async () => {
    const series = vevent(...daily, "CLASS:PRIVATE");
    const [open, plain] = [vevent(...second, "SUMMARY:Open", "CLASS:PUBLIC"), vevent(...second)];
    for (const dates of [
      [open, plain],
      [plain, open],
    ])
      expect((await read([series, ...dates])).filter((line) => line.startsWith("2026"))).toEqual([]);
    expect(await read([series, open, open])).toContain("2026-08-02 Open");
  });
});

describe("exceptions of a series of whole days, as Exchange writes them", () => {
  const weekly = ["DTSTART;VALUE=DATE:20260706", "RRULE:FREQ=WEEKLY;COUNT=3"];
  const moved = ["DTSTART;VALUE=DATE:20260714", "SUMMARY:Moved"];
  const expected = ["2026-07-06 One", "2026-07-14 Moved", "2026-07-20 One"];
  const unmoved = ["2026-07-06 One", "2026-07-20 One"];
  const forms = [
    [";VALUE=DATE:20260713", "Europe/Berlin"],
    [";TZID=Europe/Berlin:20260713T000000", "Europe/Berlin"],
    [";TZID=W. Europe Standard Time:20260713T000000", "America/New_York"],
    [":20260712T220000Z", "Europe/Berlin"],
    [":20260712T220000Z", "Etc/UTC"],
    [":20260713T000000Z", "Europe/Berlin"],
    [":20260713T040000Z", "America/New_York"],
    [":20260713T040000Z", "Etc/UTC"],
    [":20260712T120000Z", "Pacific/Auckland"],
  ] as const;

  test.each(forms)(
    "RECURRENCE-ID%s in a calendar of %s replaces the date of that day",
    async (form, timezone) => {
      expect(await read([vevent(...weekly), vevent(`RECURRENCE-ID${form}`, ...moved)], { timezone })).toEqual(
        expected,
      );
    },
  );

  test.each(forms)("RDATE%s in a calendar of %s adds that day", async (form, timezone) => {
    const event = vevent("DTSTART;VALUE=DATE:20260706", `RDATE${form}`);
    expect(await read([event], { timezone })).toEqual(["2026-07-06 One", "2026-07-13 One"]);
  });

  test.each(forms)("EXDATE%s in a calendar of %s leaves that day out", async (form, timezone) => {
    expect(await read([vevent(...weekly, `EXDATE${form}`)], { timezone })).toEqual(unmoved);
  });
});

describe("a rule of whole days ends with the day that UNTIL means", () => {
  test.each([
    ["20261020", "Etc/UTC"],
    ["20261020T000000", "America/New_York"],
    ["20261020T235959", "Etc/UTC"],
    // The midnight with which the day begins: of the calendar, of the author, of UTC.
    ["20261019T220000Z", "Europe/Berlin"],
    ["20261020T040000Z", "America/New_York"],
    ["20261019T230000Z", "Etc/UTC"],
    ["20261019T220000Z", "Etc/UTC"],
    ["20261020T040000Z", "Europe/Berlin"],
    ["20261019T183000Z", "Europe/Berlin"],
    ["20261020T000000Z", "America/New_York"],
    ["20261020T000000Z", "Asia/Tokyo"],
    // The last second or minute of it.
    ["20261020T235959Z", "Etc/UTC"],
    ["20261020T235959Z", "Europe/Berlin"],
    ["20261020T235959Z", "America/New_York"],
    ["20261020T215959Z", "Europe/Berlin"],
    ["20261020T215959Z", "Etc/UTC"],
    ["20261021T035959Z", "America/New_York"],
    ["20261020T225900Z", "Europe/London"],
    ["20261020T182959Z", "Asia/Kolkata"],
  ])("%s in a calendar of %s", async (until, timezone) => {
    const daily = vevent("DTSTART;VALUE=DATE:20261018", `RRULE:FREQ=DAILY;UNTIL=${until}`);
    expect(await read([daily], { timezone })).toEqual(["2026-10-18 One", "2026-10-19 One", "2026-10-20 One"]);
  });

  test("before 1970 too", async () => {
    const daily = vevent("DTSTART;VALUE=DATE:19601018", "RRULE:FREQ=DAILY;UNTIL=19601019T235959Z");
    expect(await read([daily])).toEqual(["1960-10-18 One", "1960-10-19 One"]);
  });
});

test("VALUE=DATE with a time keeps the time", async () => {
  expect(await read([vevent("DTSTART;VALUE=DATE:20260704T200000", "DURATION:PT1H")])).toEqual([
    "2026-07-04T20:00 One",
  ]);
  expect(
    await read([vevent("DTSTART;TZID=America/New_York;VALUE=DATE:20260704T200000", "DURATION:PT1H")]),
  ).toEqual(["2026-07-04T20:00 One"]);
});

describe("a description in HTML becomes text", () => {
  const description = async (...lines: readonly string[]) => {
    const { instances } = prepare(calendarFile(vevent(...lines)), {
      timezone: "UTC",
      now,
      takesPrivate: false,
    });
    return instances[0]?.texts.description;
  };
  test("of Google, which writes it as DESCRIPTION", async () => {
    expect(await description("DESCRIPTION:<b>Bring</b> cake<br>and tea")).toBe("Bring cake\r\nand tea");
  });
  test("of Outlook, which writes it beside the text", async () => {
    const html = "X-ALT-DESC;FMTTYPE=text/html:<html><body><p>One</p><p>Two</p></body></html>";
    expect(await description(html)).toBe("One\r\nTwo");
    expect(await description("DESCRIPTION:Plain", html)).toBe("Plain");
  });
  test("and stays as it is in a file of Kalends, where HTML is text", async () => {
    const file = calendarFile(vevent("DESCRIPTION:<b>x</b>")).replace(
      "-//Test//EN",
      "-//Kalends//Kalends 1.0//EN",
    );
    const { instances } = prepare(file, { timezone: "UTC", now, takesPrivate: false });
    expect(instances[0]?.texts.description).toBe("<b>x</b>");
  });
});
