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

/** What is sent as start_date, and what date, time and half of the day come back. */
export const starts = [
  {
    id: "24-hours",
    sent: "07/04/2026 13:30",
    shown: ["07/04/2026", "13:30:00", "PM"],
    title: "13:30 is half past one in the afternoon",
  },
  {
    id: "24-hours-morning",
    sent: "07/04/2026 09:05",
    shown: ["07/04/2026", "09:05:00", "AM"],
    title: "09:05 is five past nine in the morning",
  },
  {
    id: "midnight",
    sent: "07/04/2026 00:00",
    shown: ["07/04/2026", "00:00:00", "AM"],
    title: "00:00 is the midnight that begins the day",
  },
  { id: "noon", sent: "07/04/2026 12:00", shown: ["07/04/2026", "12:00:00", "PM"], title: "12:00 is noon" },
  {
    id: "last-minute",
    sent: "07/04/2026 23:59",
    shown: ["07/04/2026", "23:59:00", "PM"],
    title: "23:59 is the last minute of the day",
  },
  {
    id: "pm",
    sent: "07/04/2026 01:30 PM",
    shown: ["07/04/2026", "13:30:00", "PM"],
    title: "01:30 PM is 13:30",
  },
  {
    id: "am",
    sent: "07/04/2026 01:30 AM",
    shown: ["07/04/2026", "01:30:00", "AM"],
    title: "01:30 AM is 01:30",
  },
  {
    id: "twelve-am",
    sent: "07/04/2026 12:15 AM",
    shown: ["07/04/2026", "00:15:00", "AM"],
    title: "12:15 AM is a quarter past midnight",
  },
  {
    id: "twelve-pm",
    sent: "07/04/2026 12:15 PM",
    shown: ["07/04/2026", "12:15:00", "PM"],
    title: "12:15 PM is a quarter past noon",
  },
  {
    id: "leap-day",
    sent: "02/29/2028 10:00",
    shown: ["02/29/2028", "10:00:00", "AM"],
    title: "29 February of a leap year is a day",
  },
  {
    id: "month-first",
    sent: "03/04/2026 10:00",
    shown: ["03/04/2026", "10:00:00", "AM"],
    title: "The month comes before the day",
  },
] as const;

/** Days and times of the right form that do not exist. */
export const impossibleDates = [
  { id: "february-30", sent: "02/30/2026 10:00", title: "30 February is refused and makes nothing" },
  {
    id: "february-29",
    sent: "02/29/2027 10:00",
    title: "29 February of a common year is refused and makes nothing",
  },
  { id: "april-31", sent: "04/31/2026 10:00", title: "31 April is refused and makes nothing" },
  { id: "month-13", sent: "13/01/2026 10:00", title: "A month 13 is refused and makes nothing" },
  { id: "hour-25", sent: "07/04/2026 25:00", title: "25:00 is refused and makes nothing" },
  { id: "minute-60", sent: "07/04/2026 10:60", title: "10:60 is refused and makes nothing" },
  { id: "words", sent: "tomorrow at noon", title: "A start in words is refused and makes nothing" },
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

/** Forms that only rulings R4.2 refuses. */
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
