import type { Item } from "../engine/item.js";
import { list } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";

export async function zonesOf(kit: Kit): Promise<readonly Item[]> {
  return list((await kit.ok("listTimeZones")).body, "data");
}

/** Offsets that no law has changed for long, of zones without summer time, both sides of UTC and with parts of hours. */
export const knownOffsets = [
  ["Africa/Johannesburg", "02:00"],
  ["Africa/Lagos", "01:00"],
  ["Africa/Nairobi", "03:00"],
  ["America/Bogota", "-05:00"],
  ["America/Caracas", "-04:00"],
  ["America/Noronha", "-02:00"],
  ["America/Phoenix", "-07:00"],
  ["Asia/Dubai", "04:00"],
  ["Asia/Kabul", "04:30"],
  ["Asia/Kathmandu", "05:45"],
  ["Asia/Kolkata", "05:30"],
  ["Asia/Tokyo", "09:00"],
  ["Asia/Yangon", "06:30"],
  ["Atlantic/Cape_Verde", "-01:00"],
  ["Atlantic/Reykjavik", "00:00"],
  ["Australia/Darwin", "09:30"],
  ["Australia/Eucla", "08:45"],
  ["Pacific/Honolulu", "-10:00"],
  ["Pacific/Kiritimati", "14:00"],
  ["Pacific/Marquesas", "-09:30"],
  ["Pacific/Pago_Pago", "-11:00"],
] as const;

/** Standard time of zones that have summer time, too. */
export const standardOffsets = [
  ["America/Los_Angeles", "-08:00"],
  ["America/New_York", "-05:00"],
  ["America/Sao_Paulo", "-03:00"],
  ["America/St_Johns", "-03:30"],
  ["Atlantic/Azores", "-01:00"],
  ["Australia/Adelaide", "09:30"],
  ["Australia/Lord_Howe", "10:30"],
  ["Australia/Sydney", "10:00"],
  ["Europe/London", "00:00"],
  ["Europe/Paris", "01:00"],
  ["Pacific/Chatham", "12:45"],
] as const;

/** One zone of each part of the world that people of a server from anywhere look for. */
export const wantedZones = [
  "Africa/Cairo",
  "America/Argentina/Buenos_Aires",
  "America/Los_Angeles",
  "America/New_York",
  "America/St_Johns",
  "Antarctica/McMurdo",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "Etc/UTC",
  "Europe/Kyiv",
  "Europe/London",
  "Europe/Paris",
  "Indian/Maldives",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Pacific/Marquesas",
] as const;

const known = new Map<string, readonly number[]>();

/** Offsets in minutes east of UTC, in January and July, as far as this machine knows the zone. */
export function offsetsOf(zone: string): readonly number[] | undefined {
  const before = known.get(zone);
  if (before !== undefined) return before;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    const offsets = [0, 6].map((month) => minutesOf(format.format(new Date(Date.UTC(2026, month, 15)))));
    known.set(zone, offsets);
    return offsets;
  } catch {
    return undefined;
  }
}

/** "1/15/2026, GMT-03:30" → -210; "GMT" → 0. */
function minutesOf(text: string): number {
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
