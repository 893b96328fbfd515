import { isDateAlone, readStartDate, readUpcoming } from "./dates.js";
import type { Faulty } from "./faults.js";
import { isZone } from "./zones.js";

/** Why a value is not accepted; undefined when it is. */
export type Rule = (
  value: string,
  faulty: Faulty,
  all?: Readonly<Record<string, string>>,
) => string | undefined;

function when(accepted: boolean, otherwise: string): string | undefined {
  return accepted ? undefined : otherwise;
}

const id: Rule = (value, faulty) => {
  if (faulty("K61") && /^[1-9]/.test(value)) return undefined;
  return when(
    /^[1-9]\d{0,15}$/.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER,
    "must be a whole number from 1 to 9007199254740991",
  );
};

/** Characters are code points (rulings R4.11). */
function atMost(max: number): Rule {
  return (value) => when(Array.from(value).length <= max, `must be at most ${max} characters`);
}

const short = atMost(255);
const paletteSizes = [20, 8, 10, 9, 10, 9, 8, 12, 12, 8];

/** Number of colours of a palette, by its id (rulings R4.10). */
export function paletteSize(paletteId: string): number {
  return paletteSizes[Number(paletteId) - 1] ?? 0;
}

const clock = "([01]\\d|2[0-3]):[0-5]\\d";
const [year, month, date] = ["(19|[2-9]\\d)\\d\\d", "(0[1-9]|1[0-2])", "(0[1-9]|[12]\\d|3[01])"];
const contractDay = `${month}/${date}/${year}`;
const isoDay = `${year}-${month}-${date}`;
const startDateForm = new RegExp(
  `^(${contractDay}( ${clock}(:[0-5]\\d)?( [AaPp][Mm])?)?|${isoDay}([ T]${clock}(:[0-5]\\d)?)?)$`,
);
const startDateRule =
  "must be a real date and time, such as MM/DD/YYYY HH:MM, optionally followed by AM or PM";
const startDate: Rule = (value, faulty) => when(faulty("M47") || startDateForm.test(value), startDateRule);

const upcomingForm = new RegExp(
  `^(now|(${isoDay}|${date}-${month}-${year})( ${clock}:[0-5]\\d)?` +
    `|(${year}/${month}/${date}|${contractDay})( ${clock} ?[AaPp][Mm])?)$`,
);
const upcomingRule = "must be now, or a real date and time in one of the documented forms";
const zoneRule = "must be a time zone label, such as Europe/Paris";
const zoneForm = /^(?=.{1,64}$)[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/;

/** The types of messages that a webhook can receive (extensions.md X4.1). */
export const messageTypes = [
  "calendar.created",
  "calendar.saved",
  "calendar.deleted",
  "event.created",
  "event.saved",
  "event.deleted",
  "event.cancelled",
  "subscriber.created",
  "subscriber.unfollowed",
  "subscriber.deleted",
  "subscriber.blocked",
  "subscriber.unblocked",
] as const;
const place = `${isoDay}([ T]${clock}(:[0-5]\\d)?)?`;
const placesForm = new RegExp(`^(${place}(,${place})*)?$`);
const places: Rule = (value) =>
  when(
    placesForm.test(value) && value.split(",").length <= 366,
    "must be at most 366 real dates as YYYY-MM-DDTHH:MM or YYYY-MM-DD, with commas between them",
  );

/** The rule of each parameter (service.md 4, rulings R4). An empty value counts as absent and is never asked. */
export const rules: Readonly<Record<string, Rule>> = {
  calendar_id: id,
  event_id: id,
  subscriber_id: id,
  title: (value, faulty) => {
    const tooLong = faulty("K57") ? undefined : short(value, faulty);
    return when(/\S/.test(value), "must hold more than white space") ?? tooLong;
  },
  calendarname: short,
  location: short,
  organizer: short,
  description: atMost(65_535),
  organizer_email: (value, faulty) =>
    when(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(value), "must be an e-mail address") ??
    atMost(254)(value, faulty),
  timezone: (value) => when(zoneForm.test(value), zoneRule),
  palette_id: (value) => when(/^([1-9]|10)$/.test(value), "must be the id of a palette, 1 to 10"),
  color_id: (value, faulty) => {
    if (faulty("M46") && value === "21") return undefined;
    return when(/^([1-9]|1\d|20)$/.test(value), "must be a whole number from 1 to 20");
  },
  reminder: (value) =>
    when(/^(0|[1-9]\d{0,4})$/.test(value) && Number(value) <= 40_320, "must be 0 to 40320 minutes"),
  start_date: startDate,
  end_date: startDate,
  all_day_event: (value, faulty) => {
    if (faulty("K30") && value === "maybe") return undefined;
    return when(/^(true|false|[01])$/i.test(value), "must be true or false");
  },
  status: (value) =>
    when(
      ["confirmed", "tentative", "cancelled"].includes(value),
      "must be confirmed, tentative or cancelled",
    ),
  custom_data: (value, faulty) =>
    when(
      faulty("X13") || isCustomData(value),
      "must be a JSON object of at most 4096 bytes, whose names differ and have 1 to 64 characters, and whose numbers are within ±(2^53 - 1)",
    ),
  custom_data_key: atMost(64),
  custom_data_value: atMost(4096),
  classes: (value) => when(["public", "all"].includes(value), "must be public or all"),
  dry_run: (value) => when(["true", "false"].includes(value), "must be true or false"),
  ics: (value) => when(/^\s*BEGIN:VCALENDAR/i.test(value), "must be the text of an iCalendar file"),
  scope: (value) => when(["this", "following", "all"].includes(value), "must be this, following or all"),
  rdate: places,
  exdate: places,
  categories: (value) =>
    when(
      areCategories(value),
      "must be up to 20 different names with commas between them, of up to 40 characters",
    ),
  since: (value) => when(/^[\w-]{1,128}$/.test(value), "must be a cursor that this operation has returned"),
  webhook_id: id,
  delivery_id: id,
  url: (value) =>
    when(/^https?:\/\/\S+$/i.test(value) && value.length <= 2048, "must be a URL that begins with https://"),
  rrule: (value) =>
    when(
      /^[\w:=;,+-]{0,1000}$/.test(value) && !value.includes("_"),
      "must have the form FREQ=WEEKLY;BYDAY=MO,WE",
    ),
  types: (value, faulty) =>
    when(
      faulty("X35") || value.split(",").every((type) => messageTypes.some((known) => known === type)),
      `must be types, separated by commas: ${messageTypes.join(", ")}`,
    ),
  with_person: (value) => when(/^(true|false)$/.test(value), "must be true or false"),
  page: (value) =>
    when(
      /^[1-9]\d{0,15}$/.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER,
      "must be a whole number from 1",
    ),
  order_by: (value, faulty) =>
    when(
      ["date-desc", "id-asc", "id-desc"].includes(value) || faulty("K69"),
      "must be date-desc, id-asc or id-desc",
    ),
  month: (value, faulty) => {
    if (faulty("K29") && value === "13") return undefined;
    return when(/^(0[1-9]|1[0-2])$/.test(value), "must have two digits, 01 to 12");
  },
  year: (value) => when(/^\d{4}$/.test(value), "must have four digits"),
  upcoming: (value) => when(upcomingForm.test(value), upcomingRule),
};

const realDate: Rule = (value, faulty, all) =>
  when(
    readStartDate(value, faulty) !== undefined &&
      (!isDateAlone(value) || /^(true|1)$/i.test(all?.["all_day_event"] ?? "")),
    startDateRule,
  );

/** What the form of a value does not say, asked of one whose form is right. */
export const meanings: Readonly<Record<string, Rule>> = {
  timezone: (value, faulty) => when(isZone(value) || faulty("K62"), zoneRule),
  custom_data_value: (_value, _faulty, all) =>
    when(all?.["custom_data_key"] !== undefined, "must be given together with custom_data_key"),
  start_date: realDate,
  end_date: (value, faulty, all) => {
    const [start, end] = [readStartDate(all?.["start_date"] ?? "", faulty), readStartDate(value, faulty)];
    const isBefore =
      start !== undefined && end !== undefined && end < start && !faulty("K38") && !faulty("K55");
    return realDate(value, faulty, all) ?? when(!isBefore, "must not be before start_date");
  },
  upcoming: (value, faulty) =>
    when(value === "now" || readUpcoming(value, faulty) !== undefined, upcomingRule),
};

/** Whether a text is an object of at most 4,096 bytes (extensions.md X2.4), of which no name or number would be lost. */
function isCustomData(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const json = JSON.stringify(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    if (stringsIn(text) !== stringsIn(json)) return false; // of two equal names the parser keeps the last
    const areNames = Object.keys(value).every((name) => /^[^\0]{1,64}$/su.test(name) && name.isWellFormed());
    return areNames && new TextEncoder().encode(json).length <= 4096 && keepsNumbers(value);
  } catch {
    return false;
  }
}

function stringsIn(json: string): number {
  return json.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0;
}

function keepsNumbers(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== "object" || value === null || Object.values(value).every(keepsNumbers);
}

/** An https URL; of addresses only names and what is not private (extensions.md X4.3). */
export function isWebhookUrl(text: string, faulty: Faulty): boolean {
  if (!/^https:/i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password, hash } = new URL(text);
  if (username !== "" || password !== "" || hash !== "") return false;
  return (
    faulty("X30") || !/^(127|10|0|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[|^localhost$/.test(hostname)
  );
}

function areCategories(text: string): boolean {
  const names = text.split(",");
  const isName = (name: string): boolean =>
    name !== "" &&
    name === name.trim() &&
    Array.from(name).length <= 40 &&
    !/[\p{Cc}\u2028\u2029]/u.test(name);
  return names.length <= 20 && new Set(names).size === names.length && names.every(isName);
}
