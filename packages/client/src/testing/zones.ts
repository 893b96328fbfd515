/*
 * Wall clock and Unix time by Node's own Intl. A wall clock is one number: the Unix seconds of the same digits in UTC.
 */

/** Names that Intl lists under their old form: old → that of tzdata's zone.tab. */
const renamed: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Names of tzdata that are accepted and not listed (rulings R4.5). */
const aliases = `
Africa/Asmera Africa/Timbuktu America/Argentina/ComodRivadavia America/Atka America/Buenos_Aires
America/Catamarca America/Coral_Harbour America/Cordoba America/Ensenada America/Fort_Wayne America/Godthab
America/Indianapolis America/Jujuy America/Knox_IN America/Louisville America/Mendoza America/Montreal
America/Nipigon America/Pangnirtung America/Porto_Acre America/Rainy_River America/Rosario
America/Santa_Isabel America/Shiprock America/Thunder_Bay America/Virgin America/Yellowknife
Antarctica/South_Pole Asia/Ashkhabad Asia/Calcutta Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca
Asia/Harbin Asia/Istanbul Asia/Kashgar Asia/Katmandu Asia/Macao Asia/Rangoon Asia/Saigon Asia/Tel_Aviv
Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator Atlantic/Faeroe Atlantic/Jan_Mayen Australia/ACT
Australia/Canberra Australia/Currie Australia/LHI Australia/NSW Australia/North Australia/Queensland
Australia/South Australia/Tasmania Australia/Victoria Australia/West Australia/Yancowinna Brazil/Acre
Brazil/DeNoronha Brazil/East Brazil/West CET CST6CDT Canada/Atlantic Canada/Central Canada/Eastern
Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan Canada/Yukon Chile/Continental
Chile/EasterIsland Cuba EET EST EST5EDT Egypt Eire Etc/GMT Etc/GMT+0 Etc/GMT+1 Etc/GMT+10 Etc/GMT+11
Etc/GMT+12 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-0
Etc/GMT-1 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5
Etc/GMT-6 Etc/GMT-7 Etc/GMT-8 Etc/GMT-9 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/Universal Etc/Zulu Europe/Belfast
Europe/Kiev Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye GB GB-Eire GMT GMT+0 GMT-0 GMT0
Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT Mexico/BajaNorte
Mexico/BajaSur Mexico/General NZ NZ-CHAT Navajo PRC PST8PDT Pacific/Enderbury Pacific/Johnston
Pacific/Ponape Pacific/Samoa Pacific/Truk Pacific/Yap Poland Portugal ROC ROK Singapore Turkey UCT US/Alaska
US/Aleutian US/Arizona US/Central US/East-Indiana US/Eastern US/Hawaii US/Indiana-Starke US/Michigan
US/Mountain US/Pacific US/Samoa UTC Universal W-SU WET Zulu
`;

/** The zones to choose from, in the order of their names (service.md 4.12). */
export const listedZones: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf("timeZone").map((name) => renamed[name] ?? name), "Etc/UTC"]),
]
  .filter((name) => name.includes("/"))
  .toSorted();

const accepted = new Set([...listedZones, ...aliases.trim().split(/\s+/)]);

export function isZone(name: string): boolean {
  return accepted.has(name);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: isZone(zone) ? zone : "UTC",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}

/** Zones that keep one offset for a time, which Node 20's tzdata (2025c) does not know yet. In Unix time and seconds. */
interface Fixed {
  readonly since: number;
  readonly until?: number;
  readonly offset: number;
}

const fixed: Readonly<Record<string, Fixed>> = {
  "Africa/Casablanca": { since: Date.UTC(2026, 8, 20, 2) / 1000, offset: 0 },
  "Africa/El_Aaiun": { since: Date.UTC(2026, 8, 20, 2) / 1000, offset: 0 },
  "America/Edmonton": { since: Date.UTC(2026, 10, 1) / 1000, offset: -6 * 3600 },
  "America/Havana": {
    since: Date.UTC(2026, 2, 8, 5) / 1000,
    until: Date.UTC(2027, 10, 7, 5) / 1000,
    offset: -4 * 3600,
  },
  "America/Inuvik": { since: Date.UTC(2026, 10, 1) / 1000, offset: -6 * 3600 },
  "America/Vancouver": { since: Date.UTC(2026, 10, 1) / 1000, offset: -7 * 3600 },
  "America/Winnipeg": { since: Date.UTC(2026, 10, 1) / 1000, offset: -5 * 3600 },
};

/** What the clock on the wall shows at an instant. */
export function wallClock(unix: number, zone: string): number {
  const { since, until = Infinity, offset } = fixed[zone] ?? { since: Infinity, offset: 0 };
  if (unix >= since && unix < until) return unix + offset;
  const text = formatOf(zone).format(unix * 1000); // such as 7/4/2026, 13:30:00; parts take twice the time
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = text.split(/[^0-9]+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

const daySeconds = 86_400;

/** The instant of a wall clock: moved forward by a gap, the first of two (RFC 5545 3.3.5, rulings R4.3). */
export function instant(wall: number, zone: string, which: "first" | "second" = "first"): number {
  const offset = (unix: number) => wallClock(unix, zone) - unix;
  const byOffsetBefore = wall - offset(wall - daySeconds);
  const byOffsetAfter = wall - offset(wall + daySeconds);
  if (which === "second" && wallClock(byOffsetAfter, zone) === wall) return byOffsetAfter;
  if (wallClock(byOffsetBefore, zone) === wall) return byOffsetBefore;
  return wallClock(byOffsetAfter, zone) === wall ? byOffsetAfter : byOffsetBefore;
}

/** The smallest offset in force in the year from now on: that of standard time. */
export function standardOffset(zone: string, now: number): number {
  const weeks = Array.from({ length: 53 }, (_, week) => now + week * 7 * daySeconds);
  return Math.min(...weeks.map((unix) => wallClock(unix, zone) - unix));
}
