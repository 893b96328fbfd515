import type { Call } from "./state.js";
import { listedZones, standardOffset } from "./zones.js";

const offsets = new Map<string, number>();

/** service.md 4.12 */
export function listTimeZones({ faulty, now }: Call): object {
  const data = listedZones.map((label) => {
    const seconds = offsets.get(label) ?? standardOffset(label, now);
    offsets.set(label, seconds);
    return { label, offset: shownOffset(seconds, faulty("K23") ? 1 : 2) };
  });
  return { data: faulty("K22") ? data.toReversed() : data };
}

function shownOffset(seconds: number, hourDigits: number): string {
  const minutes = Math.abs(seconds) / 60;
  const hours = String(Math.floor(minutes / 60)).padStart(hourDigits, "0");
  return `${seconds < 0 ? "-" : ""}${hours}:${String(minutes % 60).padStart(2, "0")}`;
}
