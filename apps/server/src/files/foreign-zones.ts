import { zoneNamed } from "../time/zones.js";
import type { DefinedZones, Years, ZoneDefinition } from "./zone-definitions.js";

/**
 * What others call the zones of IANA: Windows in its own way (CLDR, supplemental/windowsZones, territory 001), and Outlook and Exchange where
 * they show them, also in older releases; without what names are compared without.
 */
export const foreignNames: Readonly<Record<string, readonly string[]>> = {
  "Africa/Cairo": ["Egypt Standard Time", "Cairo"],
  "Africa/Casablanca": ["Morocco Standard Time", "Casablanca", "Casablanca, Monrovia"],
  "Africa/Johannesburg": ["South Africa Standard Time", "Harare, Pretoria"],
  "Africa/Juba": ["South Sudan Standard Time", "Juba"],
  "Africa/Khartoum": ["Sudan Standard Time", "Khartoum"],
  "Africa/Lagos": ["W. Central Africa Standard Time", "West Central Africa"],
  "Africa/Nairobi": ["E. Africa Standard Time", "East Africa, Nairobi", "Nairobi"],
  "Africa/Sao_Tome": ["Sao Tome Standard Time", "Sao Tome"],
  "Africa/Tripoli": ["Libya Standard Time", "Tripoli"],
  "Africa/Windhoek": ["Namibia Standard Time", "Windhoek"],
  "America/Adak": ["Aleutian Standard Time", "Aleutian Islands"],
  "America/Anchorage": ["Alaskan Standard Time", "Alaska"],
  "America/Araguaina": ["Tocantins Standard Time", "Araguaina"],
  "America/Argentina/Buenos_Aires": [
    "Argentina Standard Time",
    "Buenos Aires",
    "Buenos Aires, Georgetown",
    "City of Buenos Aires",
  ],
  "America/Asuncion": ["Paraguay Standard Time", "Asuncion"],
  "America/Bahia": ["Bahia Standard Time", "Salvador"],
  "America/Bogota": [
    "SA Pacific Standard Time",
    "Bogota, Lima",
    "Bogota, Lima, Quito",
    "Bogota, Lima, Quito, Rio Branco",
  ],
  "America/Cancun": ["Eastern Standard Time (Mexico)", "Chetumal"],
  "America/Caracas": ["Venezuela Standard Time", "Caracas", "Caracas, La Paz"],
  "America/Cayenne": ["SA Eastern Standard Time", "Cayenne, Fortaleza", "Georgetown"],
  "America/Chicago": ["Central Standard Time", "Central Time (US & Canada)"],
  "America/Cuiaba": ["Central Brazilian Standard Time", "Cuiaba", "Manaus"],
  "America/Denver": ["Mountain Standard Time", "Mountain Time (US & Canada)"],
  "America/Grand_Turk": ["Turks And Caicos Standard Time", "Turks and Caicos"],
  "America/Guatemala": ["Central America Standard Time", "Central America"],
  "America/Halifax": ["Atlantic Standard Time", "Atlantic Time (Canada)"],
  "America/Havana": ["Cuba Standard Time", "Havana"],
  "America/Indiana/Indianapolis": ["US Eastern Standard Time", "Indiana (East)"],
  "America/La_Paz": [
    "SA Western Standard Time",
    "Georgetown, La Paz, Manaus, San Juan",
    "Georgetown, La Paz, San Juan",
  ],
  "America/Los_Angeles": [
    "Pacific Standard Time",
    "Pacific Time (US & Canada)",
    "Pacific Time (US & Canada); Tijuana",
  ],
  "America/Mazatlan": [
    "Mexico Standard Time 2",
    "Mountain Standard Time (Mexico)",
    "Chihuahua, La Paz, Mazatlan",
    "La Paz, Mazatlan",
  ],
  "America/Mexico_City": [
    "Central Standard Time (Mexico)",
    "Mexico Standard Time",
    "Guadalajara, Mexico City, Monterrey",
    "Mexico City",
    "Mexico City, Tegucigalpa",
  ],
  "America/Miquelon": ["Saint Pierre Standard Time", "Saint Pierre and Miquelon"],
  "America/Montevideo": ["Montevideo Standard Time", "Montevideo"],
  "America/New_York": ["Eastern Standard Time", "Eastern Time (US & Canada)"],
  "America/Nuuk": ["Greenland Standard Time", "Greenland"],
  "America/Phoenix": ["US Mountain Standard Time", "Arizona"],
  "America/Port-au-Prince": ["Haiti Standard Time", "Haiti"],
  "America/Punta_Arenas": ["Magallanes Standard Time", "Punta Arenas"],
  "America/Regina": ["Canada Central Standard Time", "Saskatchewan"],
  "America/Santiago": ["Pacific SA Standard Time", "Santiago"],
  "America/Sao_Paulo": ["E. South America Standard Time", "Brasilia"],
  "America/St_Johns": ["Newfoundland Standard Time", "Newfoundland"],
  "America/Tijuana": ["Pacific Standard Time (Mexico)", "Baja California", "Tijuana, Baja California"],
  "America/Whitehorse": ["Yukon Standard Time", "Yukon"],
  "Asia/Almaty": ["Astana", "Astana, Almaty"],
  "Asia/Amman": ["Jordan Standard Time", "Amman"],
  "Asia/Baghdad": ["Arabic Standard Time", "Baghdad"],
  "Asia/Baku": ["Azerbaijan Standard Time", "Baku"],
  "Asia/Bangkok": ["SE Asia Standard Time", "Bangkok, Hanoi, Jakarta"],
  "Asia/Barnaul": ["Altai Standard Time", "Barnaul, Gorno-Altaysk"],
  "Asia/Beirut": ["Middle East Standard Time", "Beirut"],
  "Asia/Bishkek": ["Central Asia Standard Time", "Bishkek"],
  "Asia/Chita": ["Transbaikal Standard Time", "Chita"],
  "Asia/Colombo": [
    "Sri Lanka Standard Time",
    "Colombo",
    "Sri Jayawardenepura",
    "Sri Jayawardenepura, Sri Lanka",
  ],
  "Asia/Damascus": ["Syria Standard Time", "Damascus"],
  "Asia/Dhaka": ["Bangladesh Standard Time", "Almaty, Dhaka", "Astana, Dhaka", "Dhaka"],
  "Asia/Dubai": ["Arabian Standard Time", "Abu Dhabi, Muscat"],
  "Asia/Hebron": ["West Bank Standard Time", "Gaza, Hebron"],
  "Asia/Hovd": ["W. Mongolia Standard Time", "Hovd"],
  "Asia/Irkutsk": [
    "North Asia East Standard Time",
    "Irkutsk",
    "Irkutsk, Ulaan Bataar",
    "Irkutsk, Ulaanbaatar",
  ],
  "Asia/Jerusalem": ["Israel Standard Time", "Israel, Jerusalem Standard Time", "Jerusalem"],
  "Asia/Kabul": ["Afghanistan Standard Time", "Kabul"],
  "Asia/Kamchatka": [
    "Kamchatka Standard Time",
    "Russia Time Zone 11",
    "Anadyr, Petropavlovsk-Kamchatsky",
    "Petropavlovsk-Kamchatsky",
  ],
  "Asia/Karachi": ["Pakistan Standard Time", "Islamabad, Karachi", "Islamabad, Karachi, Tashkent"],
  "Asia/Kathmandu": ["Nepal Standard Time", "Kathmandu", "Kathmandu, Nepal"],
  "Asia/Kolkata": [
    "India Standard Time",
    "Bombay, Calcutta, Madras, New Delhi",
    "Calcutta, Chennai, Mumbai, New Delhi",
    "Chennai, Kolkata, Mumbai, New Delhi",
    "Kolkata, Chennai, Mumbai, New Delhi, India Standard Time",
  ],
  "Asia/Krasnoyarsk": ["North Asia Standard Time", "Krasnoyarsk"],
  "Asia/Magadan": ["Magadan Standard Time", "Magadan"],
  "Asia/Novosibirsk": [
    "N. Central Asia Standard Time",
    "Almaty, Novosibirsk",
    "Almaty, Novosibirsk, North Central Asia",
    "Novosibirsk",
  ],
  "Asia/Omsk": ["Omsk Standard Time", "Omsk"],
  "Asia/Pyongyang": ["North Korea Standard Time", "Pyongyang"],
  "Asia/Qyzylorda": ["Qyzylorda Standard Time", "Qyzylorda"],
  "Asia/Riyadh": ["Arab Standard Time", "Arab, Kuwait, Riyadh", "Kuwait, Riyadh"],
  "Asia/Sakhalin": ["Sakhalin Standard Time", "Sakhalin"],
  "Asia/Seoul": ["Korea Standard Time", "Seoul", "Seoul, Korea Standard time"],
  "Asia/Shanghai": [
    "China Standard Time",
    "Beijing, Chongqing, Hong Kong SAR, Urumqi",
    "Beijing, Chongqing, Hong Kong, Urumqi",
  ],
  "Asia/Singapore": ["Singapore Standard Time", "Kuala Lumpur, Singapore"],
  "Asia/Srednekolymsk": ["Russia Time Zone 10", "Chokurdakh"],
  "Asia/Taipei": ["Taipei Standard Time", "Taipei"],
  "Asia/Tashkent": ["West Asia Standard Time", "Ashgabat, Tashkent", "Tashkent"],
  "Asia/Tbilisi": ["Georgian Standard Time", "Tbilisi"],
  "Asia/Tehran": ["Iran Standard Time", "Tehran"],
  "Asia/Tokyo": ["Tokyo Standard Time", "Osaka, Sapporo, Tokyo"],
  "Asia/Tomsk": ["Tomsk Standard Time", "Tomsk"],
  "Asia/Ulaanbaatar": ["Ulaanbaatar Standard Time", "Ulaanbaatar"],
  "Asia/Vladivostok": ["Vladivostok Standard Time", "Vladivostok", "Vladivostok, Magadan"],
  "Asia/Yakutsk": ["Yakutsk Standard Time", "Yakutsk"],
  "Asia/Yangon": ["Myanmar Standard Time", "Rangoon", "Yangon (Rangoon)"],
  "Asia/Yekaterinburg": ["Ekaterinburg Standard Time", "Ekaterinburg"],
  "Asia/Yerevan": ["Caucasus Standard Time", "Baku, Tbilisi, Yerevan", "Yerevan"],
  "Atlantic/Azores": ["Azores Standard Time", "Azores", "Azores, Cape Verde Is."],
  "Atlantic/Cape_Verde": [
    "Cape Verde Standard Time",
    "Cabo Verde Is.",
    "Cape Verde Is.",
    "Cape Verde Islands",
  ],
  "Atlantic/Reykjavik": ["Greenwich Standard Time", "Casablanca, Monrovia, Reykjavik", "Monrovia, Reykjavik"],
  "Australia/Adelaide": ["Cen. Australia Standard Time", "Adelaide", "Adelaide, Central Australia"],
  "Australia/Brisbane": ["E. Australia Standard Time", "Brisbane", "Brisbane, East Australia"],
  "Australia/Darwin": ["AUS Central Standard Time", "Darwin"],
  "Australia/Eucla": ["Aus Central W. Standard Time", "Eucla"],
  "Australia/Hobart": ["Tasmania Standard Time", "Hobart", "Hobart, Tasmania"],
  "Australia/Lord_Howe": ["Lord Howe Standard Time", "Lord Howe Island"],
  "Australia/Perth": ["W. Australia Standard Time", "Perth", "Perth, Western Australia"],
  "Australia/Sydney": [
    "AUS Eastern Standard Time",
    "Canberra, Melbourne, Sydney",
    "Canberra, Melbourne, Sydney, Hobart (year 2000 only)",
  ],
  "Etc/GMT+11": ["UTC-11", "Coordinated Universal Time-11"],
  "Etc/GMT+12": [
    "Dateline Standard Time",
    "Eniwetok, Kwajalein",
    "Eniwetok, Kwajalein, Dateline Time",
    "International Date Line West",
  ],
  "Etc/GMT+2": ["Mid-Atlantic Standard Time", "UTC-02", "Coordinated Universal Time-02", "Mid-Atlantic"],
  "Etc/GMT+8": ["UTC-08", "Coordinated Universal Time-08"],
  "Etc/GMT+9": ["UTC-09", "Coordinated Universal Time-09"],
  "Etc/GMT-12": ["UTC+12", "Coordinated Universal Time+12"],
  "Etc/GMT-13": ["UTC+13", "Coordinated Universal Time+13"],
  "Etc/UTC": ["Coordinated Universal Time", "Universal Coordinated Time", "tzone://Microsoft/Utc"],
  "Europe/Astrakhan": ["Astrakhan Standard Time", "Astrakhan, Ulyanovsk"],
  "Europe/Berlin": [
    "W. Europe Standard Time",
    "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
    "Brussels, Berlin, Bern, Rome, Stockholm, Vienna",
  ],
  "Europe/Bucharest": [
    "GTB Standard Time",
    "Athens, Bucharest",
    "Athens, Bucharest, Istanbul",
    "Athens, Istanbul, Minsk",
    "Bucharest",
  ],
  "Europe/Budapest": [
    "Central Europe Standard Time",
    "Belgrade, Bratislava, Budapest, Ljubljana, Prague",
    "Belgrade, Pozsony, Budapest, Ljubljana, Prague",
    "Bratislava, Budapest, Ljubljana, Prague, Warsaw",
    "Prague, Central Europe",
  ],
  "Europe/Chisinau": ["E. Europe Standard Time", "Chisinau"],
  "Europe/Istanbul": ["Turkey Standard Time", "Istanbul"],
  "Europe/Kaliningrad": ["Kaliningrad Standard Time", "Kaliningrad"],
  "Europe/Kyiv": [
    "FLE Standard Time",
    "Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius",
    "Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius",
    "Helsinki, Riga, Tallinn",
  ],
  "Europe/London": [
    "GMT Standard Time",
    "Dublin, Edinburgh, Lisbon, London",
    "Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London",
    "Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London",
    "Greenwich Mean Time; Dublin, Edinburgh, London",
  ],
  "Europe/Minsk": ["Belarus Standard Time", "Minsk"],
  "Europe/Moscow": ["Russian Standard Time", "Moscow, St. Petersburg", "Moscow, St. Petersburg, Volgograd"],
  "Europe/Paris": [
    "Romance Standard Time",
    "Amsterdam, Copenhagen, Madrid, Paris, Vilnius",
    "Brussels, Copenhagen, Madrid, Paris",
    "Brussels, Madrid, Copenhagen, Paris",
    "Paris, Madrid, Brussels, Copenhagen",
  ],
  "Europe/Samara": ["Russia Time Zone 3", "Izhevsk, Samara"],
  "Europe/Saratov": ["Saratov Standard Time", "Saratov"],
  "Europe/Volgograd": ["Volgograd Standard Time", "Volgograd"],
  "Europe/Warsaw": [
    "Central European Standard Time",
    "Belgrade, Sarajevo, Skopje, Sofija, Zagreb",
    "Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb",
    "Sarajevo, Skopje, Warsaw, Zagreb",
  ],
  "Indian/Mauritius": ["Mauritius Standard Time", "Port Louis"],
  "Pacific/Apia": ["Samoa Standard Time", "Samoa"],
  "Pacific/Auckland": ["New Zealand Standard Time", "Auckland, Wellington"],
  "Pacific/Bougainville": ["Bougainville Standard Time", "Bougainville Island"],
  "Pacific/Chatham": ["Chatham Islands Standard Time", "Chatham Islands"],
  "Pacific/Easter": ["Easter Island Standard Time", "Easter Island"],
  "Pacific/Fiji": [
    "Fiji Standard Time",
    "Fiji",
    "Fiji Islands, Kamchatka, Marshall Is.",
    "Fiji, Kamchatka, Marshall Is.",
  ],
  "Pacific/Guadalcanal": [
    "Central Pacific Standard Time",
    "Magadan, Solomon Is., New Caledonia",
    "Magadan, Solomon Islands, New Caledonia",
    "Solomon Is., New Caledonia",
  ],
  "Pacific/Honolulu": ["Hawaiian Standard Time", "Hawaii"],
  "Pacific/Kiritimati": ["Line Islands Standard Time", "Kiritimati Island"],
  "Pacific/Marquesas": ["Marquesas Standard Time", "Marquesas Islands"],
  "Pacific/Norfolk": ["Norfolk Standard Time", "Norfolk Island"],
  "Pacific/Pago_Pago": ["Midway Island, Samoa"],
  "Pacific/Port_Moresby": ["West Pacific Standard Time", "Guam, Port Moresby"],
  "Pacific/Tongatapu": ["Tonga Standard Time", "Nuku'alofa", "Nuku'alofa, Tonga"],
};

/** What the times of an event of a file depend on. */
export interface Zones {
  /** The zone of times that name none. */
  readonly own: string;
  /** The VTIMEZONEs of the file by their TZID. */
  readonly definitions: Pick<ReadonlyMap<string, ZoneDefinition>, "get">;
  readonly defined: DefinedZones;
  /** When the event takes place. */
  readonly years: Years;
}

/**
 * Returns the zone of a TZID of a file; undefined when nothing defines it. Files name zones as IANA does, as Windows does, or with a
 * text of their own, for which a VTIMEZONE is.
 */
export function zoneOf(tzid: string, { own, definitions, defined, years }: Zones): string | undefined {
  const known = knownZone(tzid.trim().replace(/^"(.*)"$/, "$1"));
  if (known !== undefined) return known;
  const definition = definitions.get(tzid);
  if (definition === undefined) return undefined;
  return knownZone(definition.location.trim()) ?? defined.zoneOf(definition, own, years);
}

/** Returns the IANA name of a zone by its name there, or that of Windows or of Outlook; in any case. */
export function knownZone(name: string): string | undefined {
  return zoneNamed(name) ?? byName.get(nameless(name)) ?? zoneAtEnd(name);
}

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(foreignNames).flatMap(([zone, names]) => names.map((name) => [nameless(name), zone])),
);

/**
 * A name without the offset that Outlook shows before it, such as "(UTC-05:00) ", and what Windows once had after it, such as " (RTZ 2)" and
 * " - Old"; without case, and with one sign for "and".
 */
function nameless(name: string): string {
  return name
    .replace(/^\((?:UTC|GMT)[^)]{0,8}\)\s*/i, "")
    .replace(/ (?:\(RTZ \d\d?\)|- (?:Old|New))\s*$/i, "")
    .trim()
    .toLowerCase()
    .replaceAll(" and ", " & ");
}

/** Of a globally unique TZID (RFC 5545 3.8.3.1), such as "/example.org/2026a/Europe/Berlin", the end is the IANA name. */
function zoneAtEnd(name: string): string | undefined {
  if (!name.startsWith("/") || name.length > 255) return undefined;
  const parts = name.split("/");
  const ends = [3, 2].map((count) => parts.slice(-count).join("/"));
  return ends.flatMap((end) => (end.includes("/") ? (zoneNamed(end) ?? []) : []))[0];
}
