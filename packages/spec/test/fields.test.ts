import { describe, expect, test } from "vitest";
import { operationIds, operations } from "../src/operations.js";
import {
  cursorParameter,
  customDataFilters,
  customDataParameter,
  ids,
  maxLengths,
  parameter,
  statusParameter,
} from "../src/fields.js";
import type { Operation } from "../src/operation.js";

interface Case {
  readonly title: string;
  readonly value: string;
  readonly accepted: boolean;
}

interface Schema {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown };
}

/** One test for each row; an accepted value comes out as it went in. */
function check(schema: Schema, cases: readonly Case[]): void {
  test.each(cases)("$title: $value, accepted: $accepted", ({ value, accepted }) => {
    const { success, data } = schema.safeParse(value);
    expect(success).toBe(accepted);
    if (accepted) expect(data).toBe(value);
  });
}

const yes = (title: string, value: string): Case => ({ title, value, accepted: true });
const no = (title: string, value: string): Case => ({ title, value, accepted: false });

/** What a whole number never looks like. */
const notWhole = [
  no("no text", "one"),
  no("no sign", "+1"),
  no("not negative", "-1"),
  no("no leading zero", "01"),
  no("no fraction", "1.0"),
  no("no fraction with a comma", "1,5"),
  no("no exponent", "1e1"),
  no("no hexadecimal", "0x1"),
  no("no blank in front", " 1"),
  no("no blank behind", "1 "),
  no("no line break behind", "1\n"),
  no("no second line", "1\n2"),
  no("no digits of another script", "١"),
  no("no wide digits", "１"),
  no("not infinite", "Infinity"),
];

describe.each([
  { name: "calendar_id", schema: ids.calendar },
  { name: "event_id", schema: ids.event },
  { name: "subscriber_id", schema: ids.subscriber },
  { name: "page", schema: parameter.page },
])("$name is a whole number from 1 to 2^53-1 (rulings R2.6, R3.1)", ({ schema }) => {
  check(schema, [
    yes("the least", "1"),
    yes("two digits", "10"),
    yes("the greatest", "9007199254740991"),
    no("one more", "9007199254740992"),
    no("sixteen nines", "9999999999999999"),
    no("seventeen digits", "10000000000000000"),
    no("zero", "0"),
    no("two zeros", "00"),
    no("empty", ""),
    ...notWhole,
  ]);
});

describe("order_by is one of the three named orders (rulings R3.7)", () => {
  check(parameter.orderBy, [
    yes("latest first", "date-desc"),
    yes("oldest id first", "id-asc"),
    yes("newest id first", "id-desc"),
    no("an order that the contract does not name", "date-asc"),
    no("capital letters", "ID-ASC"),
    no("an underscore", "id_asc"),
    no("two at once", "id-asc,id-desc"),
    no("empty", ""),
  ]);
});

describe("month has two digits, 01 to 12 (contract 8)", () => {
  const accepted = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"];

  test("of all one, two and three digit texts, exactly the twelve", () => {
    expect(digits(1, 2, 3).filter((value) => parameter.month.safeParse(value).success)).toEqual(accepted);
  });

  check(parameter.month, [
    no("a name", "July"),
    no("a blank", "1 "),
    no("a line break", "01\n"),
    no("empty", ""),
  ]);
});

describe("year has four digits (contract 8)", () => {
  test("of all texts of up to four digits, exactly those of four", () => {
    const accepted = digits(1, 2, 3, 4).filter((value) => parameter.year.safeParse(value).success);
    expect(accepted).toEqual(digits(4));
  });

  check(parameter.year, [
    no("five digits", "02026"),
    no("a sign", "-026"),
    no("text", "year"),
    no("empty", ""),
  ]);
});

describe("start_date and end_date have the form of the contract, or one that existing clients send (rulings R4.2)", () => {
  check(parameter.startDate, [
    yes("24 hours", "07/04/2026 13:30"),
    yes("AM", "07/04/2026 01:30 AM"),
    yes("PM", "07/04/2026 01:30 PM"),
    yes("small letters", "07/04/2026 01:30 pm"),
    yes("mixed letters", "07/04/2026 01:30 Pm"),
    yes("13 PM, as clients were shown it", "07/04/2026 13:30 PM"),
    yes("00 AM, as clients were shown it", "07/04/2026 00:30 AM"),
    yes("seconds", "07/04/2026 13:30:00"),
    yes("seconds and PM", "07/04/2026 13:30:00 PM"),
    yes("YYYY-MM-DD HH:MM", "2026-07-04 13:30"),
    yes("YYYY-MM-DD HH:MM:SS", "2026-07-04 13:30:59"),
    yes("YYYY-MM-DDTHH:MM", "2026-07-04T13:30"),
    yes("YYYY-MM-DDTHH:MM:SS", "2026-07-04T13:30:59"),
    yes("a date alone", "07/04/2026"),
    yes("a date alone, year first", "2026-07-04"),
    yes("the first minute of a day", "07/04/2026 00:00"),
    yes("the last minute of a day", "07/04/2026 23:59"),
    yes("the first year", "01/01/1900 00:00"),
    yes("the last year", "12/31/9999 23:59"),
    no("a year before", "12/31/1899 23:59"),
    no("the year 0", "01/01/0000 00:00"),
    no("a year of five digits", "01/01/10000 00:00"),
    no("a year of two digits", "07/04/26 13:30"),
    no("hour 24", "07/04/2026 24:00"),
    no("minute 60", "07/04/2026 13:60"),
    no("month 0", "00/04/2026 13:30"),
    no("month 13", "13/04/2026 13:30"),
    no("day 0", "07/00/2026 13:30"),
    no("day 32", "07/32/2026 13:30"),
    no("a month of one digit", "7/04/2026 13:30"),
    no("a day of one digit", "07/4/2026 13:30"),
    no("an hour of one digit", "07/04/2026 1:30 PM"),
    no("second 60", "07/04/2026 13:30:60"),
    no("the day first", "31/07/2026 13:30"),
    no("the day before the month, year first", "2026-31-07 13:30"),
    no("a marker, year first", "2026-07-04 01:30 PM"),
    no("slashes, year first", "2026/07/04 13:30"),
    no("a Z", "2026-07-04T13:30:00Z"),
    no("an offset", "2026-07-04T13:30:00-04:00"),
    no("an offset of the contract's form", "07/04/2026 13:30 +0100"),
    no("fractions of a second", "2026-07-04T13:30:00.000"),
    no("a T, month first", "07/04/2026T13:30"),
    no("a small t", "2026-07-04t13:30"),
    no("a month of one digit, year first", "2026-7-04 13:30"),
    no("a year of five digits, year first", "12026-07-04 13:30"),
    no("no blank before the marker", "07/04/2026 01:30PM"),
    no("two blanks before the marker", "07/04/2026 01:30  PM"),
    no("two blanks after the date", "07/04/2026  13:30"),
    no("a blank behind", "07/04/2026 13:30 "),
    no("a blank in front", " 07/04/2026 13:30"),
    no("a tab for the blank", "07/04/2026\t13:30"),
    no("a plus that was not decoded", "07/04/2026+13:30"),
    no("half a marker", "07/04/2026 01:30 P"),
    no("dots in the marker", "07/04/2026 01:30 p.m."),
    no("hyphens", "07-04-2026 13:30"),
    no("the basic form of ISO 8601", "20260704T1330"),
    no("Unix time", "1783186200"),
    no("a line break behind", "07/04/2026 13:30\n"),
    no("wide digits", "０7/04/2026 13:30"),
    no("empty", ""),
  ]);
});

describe("upcoming is now, or a date and time in one of the four forms (contract 4.5, rulings R3.6)", () => {
  check(parameter.upcoming, [
    yes("this moment", "now"),
    yes("YYYY-MM-DD HH:MM:SS", "2026-07-04 13:30:00"),
    yes("DD-MM-YYYY HH:MM:SS", "31-07-2026 13:30:00"),
    yes("YYYY/MM/DD HH:MMam", "2026/07/04 01:30am"),
    yes("YYYY/MM/DD HH:MMpm", "2026/07/04 01:30pm"),
    yes("MM/DD/YYYY HH:MMam", "07/31/2026 01:30am"),
    yes("MM/DD/YYYY HH:MMpm", "07/31/2026 01:30pm"),
    yes("a marker in capitals", "07/31/2026 01:30PM"),
    yes("a marker in mixed letters", "2026/07/31 01:30aM"),
    yes("the date alone, year first", "2026-07-04"),
    yes("the date alone, day first", "31-07-2026"),
    yes("the date alone, year first with slashes", "2026/07/04"),
    yes("the date alone, month first", "07/31/2026"),
    yes("the last second of a day", "2026-07-04 23:59:59"),
    no("now in capitals", "NOW"),
    no("now and a blank", "now "),
    no("another word", "today"),
    no("hyphens without seconds", "2026-07-04 13:30"),
    no("slashes without a marker", "2026/07/04 13:30"),
    no("slashes with seconds", "2026/07/04 01:30:00pm"),
    no("hyphens with a marker", "2026-07-04 01:30pm"),
    no("month first with hyphens", "07-31-2026 13:30:00"),
    no("day first with slashes", "31/07/2026 01:30pm"),
    no("mixed separators", "2026-07/04"),
    no("hour 24", "2026-07-04 24:00:00"),
    no("second 60", "2026-07-04 13:30:60"),
    no("month 13", "2026-13-04 13:30:00"),
    no("day 32", "2026-07-32 13:30:00"),
    no("ISO 8601", "2026-07-04T13:30:00"),
    no("a zone behind", "2026-07-04 13:30:00Z"),
    no("now inside a text", "known"),
    no("a date inside a text", "x2026-07-04"),
    no("a year before 1900", "1899-12-31"),
    no("Unix time", "1783186200"),
    no("a line break behind", "2026-07-04\n"),
    no("empty", ""),
  ]);
});

describe("timezone has the shape of a zone name", () => {
  check(parameter.zone, [
    yes("area and city", "Europe/Paris"),
    yes("three parts", "America/Argentina/Buenos_Aires"),
    yes("a hyphen", "America/Port-au-Prince"),
    yes("a plus", "Etc/GMT+12"),
    yes("a minus", "Etc/GMT-14"),
    yes("digits", "EST5EDT"),
    yes("an alias", "US/Pacific"),
    yes("one word", "UTC"),
    yes("one word with a hyphen", "W-SU"),
    yes("64 characters", `A/${"b".repeat(62)}`),
    no("65 characters", `A/${"b".repeat(63)}`),
    no("65 characters in one word", "A".repeat(65)),
    no("four parts", "A/b/c/d"),
    no("a blank for the underscore", "America/New York"),
    no("a blank in front", " Europe/Paris"),
    no("quotes around it", '"Europe/Paris"'),
    no("an offset", "+02:00"),
    no("an offset behind GMT", "GMT+02:00"),
    no("an empty part", "Europe//Paris"),
    no("a slash behind", "Europe/"),
    no("a way out of the folder of zones", "../etc/passwd"),
    no("letters of another script", "Европа/Париж"),
    no("a line break behind", "Europe/Paris\n"),
    no("empty", ""),
  ]);
});

describe("palette_id is 1 to 10 (rulings R4.10)", () => {
  test("of all texts of up to three digits, exactly the ten", () => {
    const accepted = digits(1, 2, 3).filter((value) => parameter.paletteId.safeParse(value).success);
    expect(accepted).toEqual(wholes(1, 10));
  });

  check(parameter.paletteId, [...notWhole, no("empty", "")]);
});

describe("color_id is 1 to 20, or empty for no colour (rulings R4.9)", () => {
  test("of all texts of up to three digits, exactly the twenty", () => {
    const accepted = digits(1, 2, 3).filter((value) => parameter.colorId.safeParse(value).success);
    expect(accepted).toEqual(wholes(1, 20));
  });

  check(parameter.colorId, [yes("empty", ""), ...notWhole, no("a colour", "#ff0000")]);
});

describe("reminder is 0 to 40320 minutes, or empty for none (rulings R4.9)", () => {
  test("of all texts of up to five digits, exactly the 40321 numbers", () => {
    const accepted = digits(1, 2, 3, 4, 5).filter((value) => parameter.reminder.safeParse(value).success);
    expect(accepted).toEqual(wholes(0, 40_320));
  });

  check(parameter.reminder, [yes("empty", ""), ...notWhole, no("six digits", "100000"), no("a unit", "30m")]);
});

describe("all_day_event is true or false, or 1 or 0, in any case (rulings R4.4)", () => {
  test.each(["true", "false"])("%s in every mixture of small and capital letters", (word) => {
    const mixtures = casings(word);
    expect(mixtures).toHaveLength(2 ** word.length);
    expect(mixtures.filter((value) => !parameter.allDay.safeParse(value).success)).toEqual([]);
  });

  check(parameter.allDay, [
    yes("one", "1"),
    yes("zero", "0"),
    no("two", "2"),
    no("two ones", "11"),
    no("yes", "yes"),
    no("on", "on"),
    no("a letter", "t"),
    no("a blank behind", "true "),
    no("a line break behind", "true\n"),
    no("a long s", "falſe"),
    no("empty", ""),
  ]);
});

describe("organizer_email looks like an address (contract 4.6)", () => {
  check(parameter.email, [
    yes("an address", "ada@example.com"),
    yes("a plus", "ada+concerts@example.com"),
    yes("dots", "ada.b.byron@mail.example.co.uk"),
    yes("a host without a dot", "ada@localhost"),
    yes("an apostrophe", "o'hara@example.com"),
    yes("letters of other scripts", "аda@пример.рф"),
    yes("empty, which clears it on save", ""),
    no("no at sign", "ada.example.com"),
    no("two at signs", "ada@byron@example.com"),
    no("nothing before the at sign", "@example.com"),
    no("nothing behind it", "ada@"),
    no("a blank inside", "ada byron@example.com"),
    no("a blank behind", "ada@example.com "),
    no("a name in front", "Ada <ada@example.com>"),
    no("two addresses", "ada@example.com,bob@example.com"),
    no("two addresses with a semicolon", "ada@example.com;bob@example.com"),
    no("a scheme", "mailto:ada@example.com"),
    no("a quote", '"ada"@example.com'),
    no("a line break that would forge a header", "ada@example.com\r\nBcc:x"),
    no("white space only", " "),
  ]);
});

describe("title holds more than white space (rulings R4.12)", () => {
  check(parameter.title, [
    yes("one letter", "A"),
    yes("blanks around a letter", " A "),
    yes("right to left", "קונצרט בקיץ"),
    yes("an emoji of several code points", "👨‍👩‍👧"),
    yes("quotes, backslashes and percent signs", `"50 % off" \\ 'now'`),
    yes("markup, which is text", "<b>bold</b>"),
    yes("the text null", "null"),
    yes("a zero", "0"),
    no("empty", ""),
    no("a blank", " "),
    no("a tab", "\t"),
    no("a blank that does not break", "\u00a0"),
    no("an ideographic blank", "\u3000\u3000"),
    no("line breaks", "\r\n"),
  ]);
});

describe("texts have their longest length in characters, however many units each takes (rulings R4.11)", () => {
  const limits: Readonly<Record<string, number>> = {
    title: 255,
    calendarname: 255,
    location: 255,
    organizer: 255,
    organizer_email: 254,
    description: 65_535,
  };
  const texts = operationIds.flatMap((id) => {
    const op: Operation = operations[id];
    return Object.entries(op.params.shape).flatMap(([name, schema]) => {
      const limit = limits[name];
      return limit === undefined
        ? []
        : [{ id, name, schema, limit, end: name === "organizer_email" ? "@é.example" : "" }];
    });
  });

  test("are 16 parameters of four operations of the contract, and 31 of seven extensions", () => {
    const ofExtensions = [
      "calendarsCreate",
      "calendarsUpdate",
      "eventsCreate",
      "eventsUpdate",
      "eventsBatch",
      "eventsSeriesCreate",
      "eventsSeriesUpdate",
    ];
    expect(new Set(texts.map(({ id }) => id))).toEqual(
      new Set(["createCalendar", "saveCalendar", "createEvent", "saveEvent", ...ofExtensions]),
    );
    expect(texts.filter(({ id }) => !ofExtensions.includes(id))).toHaveLength(16);
    expect(texts.filter(({ id }) => ofExtensions.includes(id))).toHaveLength(31);
    expect(maxLengths).toEqual({ short: 255, email: 254, description: 65_535 });
  });

  describe.each(texts)("$name of $id: $limit", ({ schema, limit, end }) => {
    test.each([
      { title: "letters", one: "a" },
      { title: "accented letters", one: "é" },
      { title: "emoji, two units each", one: "😀" },
    ])("$title", ({ one }) => {
      const longest = one.repeat(limit - end.length) + end;
      expect([...longest]).toHaveLength(limit);
      expect(schema.safeParse(longest).success).toBe(true);
      expect(schema.safeParse(one + longest).success).toBe(false);
    });
  });

  test("count each code point of a family emoji, as JSON Schema's maxLength does", () => {
    const family = "👨‍👩‍👧"; // five code points
    expect(parameter.title.safeParse(family.repeat(51)).success).toBe(true);
    expect(parameter.title.safeParse(`${family.repeat(51)}a`).success).toBe(false);
  });

  test("a megabyte is refused within a second of CPU", () => {
    const huge = "a@".repeat(500_000);
    for (const { schema } of texts) {
      const start = process.cpuUsage(); // not the time, in which a busy machine does other things
      expect(schema.safeParse(huge).success).toBe(false);
      expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
    }
  });
});

describe("custom_data is a JSON object of at most 4096 bytes, with names of 1 to 64 characters (extensions X2.4)", () => {
  const ofBytes = (bytes: number, one: string) => {
    const rest = bytes - '{"a":""}'.length;
    const size = new TextEncoder().encode(one).length;
    return JSON.stringify({ a: one.repeat(Math.floor(rest / size)) + "x".repeat(rest % size) });
  };
  check(customDataParameter, [
    yes("cleared", ""),
    yes("cleared by an empty object", "{}"),
    yes("values of every kind", '{"a":"b","c":1.5,"d":true,"e":null,"f":[1,{"g":{}}]}'),
    yes("white space around it", ' { "a" : 1 } '),
    yes("4096 bytes", ofBytes(4096, "x")),
    yes("4096 bytes of letters of two bytes", ofBytes(4096, "é")),
    no("4097 bytes", ofBytes(4097, "x")),
    no("4097 bytes of fewer characters", ofBytes(4097, "é")),
    yes("a name of 64 characters of two units", JSON.stringify({ ["😀".repeat(64)]: 1 })),
    no("a name of 65 characters", JSON.stringify({ ["a".repeat(65)]: 1 })),
    no("an empty name", '{"":1}'),
    no("a list", "[]"),
    no("text", '"a"'),
    no("null", "null"),
    no("a number", "1"),
    no("an object that does not end", '{"a":1'),
    no("an object and more", "{}{}"),
    no("no JSON", "{a:1}"),
  ]);
});

describe("custom_data_key is a name, and custom_data_value a value of up to 4096 characters", () => {
  check(customDataFilters.custom_data_key, [
    yes("a letter", "a"),
    yes("64 characters", "a".repeat(64)),
    no("65 characters", "a".repeat(65)),
    no("empty", ""),
  ]);
  check(customDataFilters.custom_data_value, [
    yes("empty", ""),
    yes("4096 characters", "a".repeat(4096)),
    no("4097 characters", "a".repeat(4097)),
  ]);
});

describe("status is one of the three values of RFC 5545 in small letters, or empty (extensions X3.1)", () => {
  check(statusParameter, [
    ...["", "confirmed", "tentative", "cancelled"].map((value) => yes("a status", value)),
    ...["CONFIRMED", "canceled", "deleted", " confirmed"].map((value) => no("no status", value)),
  ]);
});

describe("since is an opaque cursor (extensions X2.5)", () => {
  check(cursorParameter, [
    yes("one character", "a"),
    yes("128 characters of base64url", "aZ0-_".repeat(26).slice(0, 128)),
    no("129 characters", "a".repeat(129)),
    no("empty", ""),
    no("a time", "2026-07-04T10:00:00Z"),
    no("a line break behind", "a\n"),
    no("padding", "YQ=="),
  ]);
});

/** Every text of that many digits. */
function digits(...lengths: readonly number[]): readonly string[] {
  return lengths.flatMap((length) =>
    Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, "0")),
  );
}

/** The numbers from first to last as they are written. */
function wholes(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

/** Every mixture of small and capital letters of a word. */
function casings(word: string): readonly string[] {
  return [...word].reduce<readonly string[]>(
    (starts, letter) =>
      starts.flatMap((start) => [start + letter.toLowerCase(), start + letter.toUpperCase()]),
    [""],
  );
}
