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

const startDate: Rule = (value, faulty, all) =>
  when(
    readStartDate(value, faulty) !== undefined &&
      (!isDateAlone(value) || /^(true|1)$/i.test(all?.["all_day_event"] ?? "")),
    "must be a real date and time, such as MM/DD/YYYY HH:MM, optionally followed by AM or PM",
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
  timezone: (value, faulty) =>
    when(isZone(value) || faulty("K62"), "must be a time zone label, such as Europe/Paris"),
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
  upcoming: (value, faulty) =>
    when(
      value === "now" || readUpcoming(value, faulty) !== undefined,
      "must be now, or a real date and time in one of the documented forms",
    ),
};
