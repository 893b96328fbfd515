import { equal } from "../engine/assert.js";
import type { Run } from "../engine/check.js";
import type { Item } from "../engine/item.js";
import { bothForms, instants, moment } from "./events.js";

/** Noon of 15 January and of 15 July 2026, in Unix time: literals, taken from tzdata 2026. */
export const zoneNoons = [
  ["America/Los_Angeles", 1_768_507_200, 1_784_142_000],
  ["America/St_Johns", 1_768_491_000, 1_784_125_800],
  ["America/Sao_Paulo", 1_768_489_200, 1_784_127_600],
  ["Europe/Paris", 1_768_474_800, 1_784_109_600],
  ["Africa/Johannesburg", 1_768_471_200, 1_784_109_600],
  ["Asia/Kathmandu", 1_768_457_700, 1_784_096_100],
  ["Asia/Tokyo", 1_768_446_000, 1_784_084_400],
  ["Australia/Adelaide", 1_768_440_600, 1_784_082_600],
  ["Australia/Lord_Howe", 1_768_438_800, 1_784_079_000],
  ["Pacific/Auckland", 1_768_431_600, 1_784_073_600],
  ["Pacific/Chatham", 1_768_428_900, 1_784_070_900],
  ["Pacific/Marquesas", 1_768_512_600, 1_784_151_000],
] as const;

/** Values of start_date, and the date, time and half of the day that come back. */
export const starts = [
  [
    "24-hours",
    "07/04/2026 13:30",
    ["07/04/2026", "13:30:00", "PM"],
    "13:30 is half past one in the afternoon",
  ],
  [
    "24-hours-morning",
    "07/04/2026 09:05",
    ["07/04/2026", "09:05:00", "AM"],
    "09:05 is five past nine in the morning",
  ],
  [
    "midnight",
    "07/04/2026 00:00",
    ["07/04/2026", "00:00:00", "AM"],
    "00:00 is the midnight that begins the day",
  ],
  ["noon", "07/04/2026 12:00", ["07/04/2026", "12:00:00", "PM"], "12:00 is noon"],
  [
    "last-minute",
    "07/04/2026 23:59",
    ["07/04/2026", "23:59:00", "PM"],
    "23:59 is the last minute of the day",
  ],
  ["pm", "07/04/2026 01:30 PM", ["07/04/2026", "13:30:00", "PM"], "01:30 PM is 13:30"],
  ["am", "07/04/2026 01:30 AM", ["07/04/2026", "01:30:00", "AM"], "01:30 AM is 01:30"],
  [
    "twelve-am",
    "07/04/2026 12:15 AM",
    ["07/04/2026", "00:15:00", "AM"],
    "12:15 AM is a quarter past midnight",
  ],
  ["twelve-pm", "07/04/2026 12:15 PM", ["07/04/2026", "12:15:00", "PM"], "12:15 PM is a quarter past noon"],
  ["leap-day", "02/29/2028 10:00", ["02/29/2028", "10:00:00", "AM"], "29 February of a leap year is a day"],
  ["month-first", "03/04/2026 10:00", ["03/04/2026", "10:00:00", "AM"], "The month comes before the day"],
] as const;

/** The 12-hour clock where it is misread most: what is sent, and the hour and minute meant. */
export const halves = [
  ["12:00", "AM", "00:00"],
  ["12:15", "AM", "00:15"],
  ["01:30", "AM", "01:30"],
  ["11:59", "AM", "11:59"],
  ["12:00", "PM", "12:00"],
  ["12:15", "PM", "12:15"],
  ["01:30", "PM", "13:30"],
  ["11:59", "PM", "23:59"],
] as const;

/** Days and times of the right form that do not exist. */
export const impossible = [
  ["february-30", "02/30/2026 10:00", "30 February"],
  ["february-29", "02/29/2027 10:00", "29 February of a common year"],
  ["april-31", "04/31/2026 10:00", "31 April"],
  ["month-13", "13/01/2026 10:00", "A month 13"],
  ["hour-25", "07/04/2026 25:00", "25:00"],
  ["minute-60", "07/04/2026 10:60", "10:60"],
  ["words", "tomorrow at noon", "A start in words"],
] as const;

/** Forms of existing clients, which only rulings R4.2 accepts, for 01:30 in the afternoon. */
export const otherForms = [
  "07/04/2026 13:30:00",
  "07/04/2026 13:30:59 PM",
  "07/04/2026 01:30:00 pm",
  "2026-07-04 13:30",
  "2026-07-04 13:30:59",
  "2026-07-04T13:30",
  "2026-07-04T13:30:00",
] as const;

/** Forms that rulings R4.2 refuses. */
export const unusualDates = [
  "07/04/2026",
  "07/04/2026 24:00",
  "07/04/2026 13:00 AM",
  "07/04/2026 00:30 PM",
  "07/04/2026 01:30  PM",
  "07/04/2026 01:30PM",
  "7/4/2026 13:30",
  "07/04/26 13:30",
  "2026-07-04",
  "2026-7-4 13:30",
  "2026-07-04 01:30 PM",
  "2026-07-04T13:30:00Z",
  "2026-07-04T13:30:00-04:00",
  "31/07/2026 13:30",
  "07-04-2026 13:30",
  "07/04/2026T13:30",
  " 07/04/2026 13:30",
  "00/10/2026 10:00",
  "07/00/2026 10:00",
] as const;

/** Returns the fields of a start or an end on 4 July 2026 at that time of the 24-hour clock. */
export function july4(side: "start" | "end", time: string): Item {
  return moment(side, ["07/04/2026", `${time}:00`, time < "12" ? "AM" : "PM"]);
}

/** The zone at UTC all year round that the list of zones holds. */
export const utc = "Africa/Abidjan";

/** A start in that zone is this instant. */
export function isInstant(rows: readonly (readonly [zone: string, start: string, unix: number])[]): Run {
  return async (kit) => {
    for (const [timezone, start_date, unix] of rows)
      equal((await instants(kit, { timezone, start_date }))[0], unix, `${start_date} in ${timezone}`);
  };
}

/** Both forms show this start for what was sent. */
export function startsAt(sent: string, shown: readonly string[]): Run {
  return async (kit) => {
    for (const event of await bothForms(kit, { start_date: sent }))
      equal(
        ["date_start", "date_start_time", "date_start_ampm"].map((field) => event[field]),
        shown,
        `start of ${sent}`,
      );
  };
}
