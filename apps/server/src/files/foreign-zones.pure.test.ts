import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { formatInstant } from "../time/instants.js";
import { listedZones, zoneNamed, zonePeriods } from "../time/zones.js";
import { prepare } from "./prepare.js";
import { foreignNames, knownZone } from "./foreign-zones.js";

// Zones that files name otherwise than IANA does, and those that they define themselves.

const now = Date.UTC(2026, 6, 1) / 1000;

/** A VTIMEZONE as programs of Windows write it: the rules of one year for all years. */
function zone(
  tzid: string,
  [standard, daylight]: readonly [string, string],
  rules: readonly [string, string, string] = europe,
): string {
  const [autumn, spring, hour] = rules;
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${tzid}`,
    ...["BEGIN:STANDARD", `DTSTART:16011028T${hour}`, `RRULE:FREQ=YEARLY;${autumn}`],
    ...[`TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`, "END:STANDARD"],
    ...["BEGIN:DAYLIGHT", "DTSTART:16010325T020000", `RRULE:FREQ=YEARLY;${spring}`],
    ...[`TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`, "END:DAYLIGHT"],
    "END:VTIMEZONE",
  ].join("\r\n");
}

const europe = ["BYDAY=-1SU;BYMONTH=10", "BYDAY=-1SU;BYMONTH=3", "030000"] as const;
const america = ["BYDAY=1SU;BYMONTH=11", "BYDAY=2SU;BYMONTH=3", "020000"] as const;

function fixed(tzid: string, offset: string): string {
  const lines = [
    "BEGIN:STANDARD",
    "DTSTART:16010101T000000",
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
  ];
  return ["BEGIN:VTIMEZONE", `TZID:${tzid}`, ...lines, "END:STANDARD", "END:VTIMEZONE"].join("\r\n");
}

/** The start of each event in UTC, its zone and its notes, or why it was skipped. */
async function read(...components: readonly string[]): Promise<readonly string[]> {
  const { instances, skipped } = prepare(calendarFile(...components), {
    timezone: "Europe/Rome",
    now,
    takesPrivate: false,
  });
  return [
    ...instances.map(({ dates, zone, notes }) => [formatInstant(dates.start_at), zone, ...notes].join(" | ")),
    ...skipped.map(({ reason }) => `skipped | ${reason}`),
  ];
}

const at = (tzid: string, time = "20260704T200000") =>
  vevent(`DTSTART;TZID=${tzid}:${time}`, "DURATION:PT1H");

test.each([
  ["Europe/lisbon", "2026-07-04T19:00:00Z | Europe/Lisbon"],
  ["US/eastern", "2026-07-05T00:00:00Z | US/Eastern"],
  ["w. europe standard TIME", "2026-07-04T18:00:00Z | Europe/Berlin"],
  ['"(UTC-05:00) Eastern Time (US & Canada)"', "2026-07-05T00:00:00Z | America/New_York"],
  ['"(UTC-05:00) Eastern Time (US and Canada)"', "2026-07-05T00:00:00Z | America/New_York"],
  ['"(UTC-01:00) Cape Verde Islands"', "2026-07-04T21:00:00Z | Atlantic/Cape_Verde"],
  ['"(GMT+01.00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', "2026-07-04T18:00:00Z | Europe/Berlin"],
  ['"(UTC) Dublin, Edinburgh, Lisbon, London"', "2026-07-04T19:00:00Z | Europe/London"],
  ["/mozilla.org/20070129_1/europe/berlin", "2026-07-04T18:00:00Z | Europe/Berlin"],
])("%s is known by its name, without a definition", async (tzid, expected) => {
  expect(await read(at(tzid))).toEqual([expected]);
});

test("each display name of Outlook and Exchange is a zone that has had the offset which stands before it", () => {
  const names = readFileSync("test/fixtures/outlook-zones.txt", "utf8").trimEnd().split("\n");
  expect(names).toHaveLength(198);
  const wrong = names.filter((name) => {
    const [, sign, hours, minutes] = /^\((?:UTC|GMT)([+-])(\d\d):(\d\d)\)/.exec(name) ?? [];
    const offset = (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60);
    const zone = knownZone(name);
    const since1990 =
      zone === undefined ? [] : zonePeriods(zone, now).filter(({ until }) => until > 631_152_000);
    return !since1990.some((period) => period.offset === offset);
  });
  expect(wrong).toEqual([]);
});

test("each zone that Windows, Outlook or Exchange names is one of IANA", () => {
  const named = Object.entries(foreignNames).flatMap(([zone, names]) =>
    names.map((name) => ({ zone, name })),
  );
  expect(named).toHaveLength(142 + 216);
  expect(named.filter(({ name, zone }) => knownZone(name) !== zoneNamed(zone))).toEqual([]);
});

test("a name that only the file knows becomes an IANA zone whose offsets agree; that of the calendar is preferred", async () => {
  const own = "Customized Time Zone";
  expect(await read(zone(own, ["+0100", "+0200"]), at(own))).toEqual(["2026-07-04T18:00:00Z | Europe/Rome"]);
  const name = "GMT -0500 (Standard) / GMT -0400 (Daylight)";
  expect(await read(zone(name, ["-0500", "-0400"], america), at(`"${name}"`))).toEqual([
    "2026-07-05T00:00:00Z | America/New_York",
  ]);
});

test.each([
  ["Hall\\, Ship", '"Hall, Ship"'],
  ["Hall\\; Ship", '"Hall; Ship"'],
  ["Hall\\, Ship", "Hall\\, Ship"],
  ["Hall\\, Ship", '"Hall\\, Ship"'],
  ["Hall, Ship", '"Hall, Ship"'],
  ["Hall\\\\Ship", "Hall\\Ship"],
  ["Hall\\Ship", "Hall\\Ship"],
])("a definition of %s is that of TZID=%s: TEXT has escapes", async (tzid, parameter) => {
  expect(await read(fixed(tzid, "+0900"), at(parameter))).toEqual(["2026-07-04T11:00:00Z | Etc/GMT-9"]);
});

test("the zone of a calendar is found by its escaped name too", () => {
  const file = calendarFile(
    "X-WR-TIMEZONE:Hall\\, Ship",
    fixed("Hall\\, Ship", "+0900").replace("BEGIN:STANDARD", "X-LIC-LOCATION:Asia/Tokyo\r\nBEGIN:STANDARD"),
    vevent("DTSTART:20260704T200000"),
  );
  const { instances } = prepare(file, { timezone: "Europe/Rome", now, takesPrivate: false });
  expect(instances.map(({ zone }) => zone)).toEqual(["Asia/Tokyo"]);
});

test("each calendar of a file has its own definition of a name", async () => {
  const name = "Customized Time Zone";
  const calendar = (uid: string, offset: string) =>
    calendarFile(fixed(name, offset), at(name).replace("one@", `${uid}@`));
  const file = calendar("a", "-0500") + calendar("b", "+0900");
  const { instances } = prepare(file, { timezone: "Europe/Rome", now, takesPrivate: false });
  expect(instances.map(({ dates }) => formatInstant(dates.start_at))).toEqual([
    "2026-07-05T01:00:00Z",
    "2026-07-04T11:00:00Z",
  ]);
});

test("a definition without clock changes is the zone of that offset", async () => {
  const zoneAndEvent = (offset: string) => read(fixed("Plant time", offset), at("Plant time"));
  expect(await zoneAndEvent("+0900")).toEqual(["2026-07-04T11:00:00Z | Etc/GMT-9"]);
  expect(await zoneAndEvent("-0300")).toEqual(["2026-07-04T23:00:00Z | Etc/GMT+3"]);
  expect(await zoneAndEvent("+0000")).toEqual(["2026-07-04T20:00:00Z | Etc/UTC"]);
  expect(await zoneAndEvent("+0530")).toEqual(["2026-07-04T14:30:00Z | Asia/Kolkata"]);
});

test("a definition that no zone agrees with decides the instants, kept in the zone of the calendar", async () => {
  const odd = zone("Ship", ["+0117", "+0217"]);
  expect(await read(odd, at("Ship"), at("Ship", "20261204T200000").replace("one@", "two@"))).toEqual([
    "2026-07-04T17:43:00Z | Europe/Rome",
    "2026-12-04T18:43:00Z | Europe/Rome",
  ]);
  // A series keeps its wall clock there over the change of the clocks.
  const weekly = vevent("DTSTART;TZID=Ship:20261018T200000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3");
  expect(await read(odd, weekly)).toEqual([
    "2026-10-18T17:43:00Z | Europe/Rome",
    "2026-10-25T18:43:00Z | Europe/Rome",
    "2026-11-01T18:43:00Z | Europe/Rome",
  ]);
});

test("the years of the event decide: rules that have changed since are those of the file's time", async () => {
  const before2007 = ["BYDAY=-1SU;BYMONTH=10", "BYDAY=1SU;BYMONTH=4", "020000"] as const; // in the USA until 2006
  const old = zone("Eastern", ["-0500", "-0400"], before2007);
  expect(await read(old, at("Eastern", "20060320T120000"))).toEqual([
    "2006-03-20T17:00:00Z | America/New_York",
  ]);
  const today = zone("Eastern", ["-0500", "-0400"], america);
  expect(await read(today, at("Eastern", "20260320T120000"))).toEqual([
    "2026-03-20T16:00:00Z | America/New_York",
  ]);
});

test("of rules that have ended the last change is in force", async () => {
  const [autumn, spring] = ["FREQ=YEARLY;BYMONTH=10;BYDAY=3SU", "FREQ=YEARLY;BYMONTH=2;BYDAY=3SU"];
  const brazil = [
    ...["BEGIN:VTIMEZONE", "TZID:Club time"],
    ...["BEGIN:DAYLIGHT", "DTSTART:20081019T000000", `RRULE:${autumn};UNTIL=20181021T030000Z`],
    ...["TZOFFSETFROM:-0300", "TZOFFSETTO:-0200", "END:DAYLIGHT"],
    ...["BEGIN:STANDARD", "DTSTART:20090215T000000", `RRULE:${spring};UNTIL=20190217T020000Z`],
    ...["TZOFFSETFROM:-0200", "TZOFFSETTO:-0300", "END:STANDARD"],
    "END:VTIMEZONE",
  ].join("\r\n");
  expect(await read(brazil, at("Club time"))).toEqual(["2026-07-04T23:00:00Z | Etc/GMT+3"]);
  expect(await read(brazil, at("Club time", "20170120T200000"))).toEqual([
    "2017-01-20T22:00:00Z | America/Sao_Paulo",
  ]);
  // An end that is still to come, of a rule from before 1900, changes nothing.
  const windows = zone("Hall", ["+0100", "+0200"]).replaceAll(/(RRULE:[^\r]*)/g, "$1;UNTIL=20501231T000000Z");
  expect(await read(windows, at("Hall"))).toEqual(["2026-07-04T18:00:00Z | Europe/Rome"]);
});

test("only a name that nothing defines is a reason to skip, and a definition that says nothing is none", async () => {
  const unknown = 'skipped | the time zone "Nowhere" is not known';
  expect(await read(at("Nowhere"))).toEqual([unknown]);
  const empty = ["BEGIN:VTIMEZONE", "TZID:Nowhere", "END:VTIMEZONE"].join("\r\n");
  expect(await read(empty, at("Nowhere"))).toEqual([unknown]);
  for (const line of ["TZOFFSETTO:east", "RRULE:FREQ=SECONDLY", "DTSTART:soon"]) {
    const broken = fixed("Nowhere", "+0100").replace(new RegExp(`${/^\w+/.exec(line)?.[0]}:[^\r]*`), line);
    expect(
      await read(
        line.startsWith("RRULE") ? broken.replace("TZOFFSETTO", `${line}\r\nTZOFFSETTO`) : broken,
        at("Nowhere"),
      ),
    ).toEqual([unknown]);
  }
});

test("each zone of the list, defined by its changes under another name, gives the same instants", async () => {
  const digits = (seconds: number) => new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.000Z/g, "");
  const sign = (seconds: number) =>
    `${seconds < 0 ? "-" : "+"}${new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 16).replace(":", "")}`;
  for (const name of listedZones()) {
    const periods = zonePeriods(name, now + 4 * 366 * 86_400);
    const first = periods.findIndex(({ until }) => until > now - 2 * 366 * 86_400);
    const offsets = periods.slice(first, first + 8);
    const changes = offsets.slice(1).map(({ offset }, index) => ({
      from: offsets[index]?.offset ?? 0,
      to: offset,
      at: offsets[index]?.until ?? 0,
    }));
    const [only] = offsets;
    const observances =
      changes.length === 0 ? [{ from: only?.offset ?? 0, to: only?.offset ?? 0, at: 0 }] : changes;
    const definition = [
      ...["BEGIN:VTIMEZONE", "TZID:Mine"],
      ...observances.flatMap(({ from, to, at: instant }) => [
        ...["BEGIN:STANDARD", `DTSTART:${digits(instant + from)}`],
        ...[`TZOFFSETFROM:${sign(from)}`, `TZOFFSETTO:${sign(to)}`, "END:STANDARD"],
      ]),
      "END:VTIMEZONE",
    ].join("\r\n");
    const times = ["20260115T090000", "20260715T090000"];
    const events = (tzid: string) => times.map((time) => at(tzid, time).replace("one@", `${time}@`));
    const instants = async (...components: readonly string[]) =>
      (await read(...components)).map((line) => line.slice(0, 20));
    expect([name, ...(await instants(definition, ...events("Mine")))]).toEqual([
      name,
      ...(await instants(...events(name))),
    ]);
  }
});
