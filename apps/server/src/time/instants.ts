import { pastYear9999 } from "./formats.js";
import { formatOffset } from "./zones.js";

/**
 * Formats Unix seconds as "YYYY-MM-DDTHH:MM:SSZ". After the year 9999, which a wall clock may show for some hours more, it is
 * that wall clock with its offset, such as "9999-12-31T23:59:00-08:00": the format has four digits for the year.
 */
export function formatInstant(unix: number, local = unix): string {
  if (unix < pastYear9999) return `${digits(unix)}Z`;
  const offset = formatOffset((local - unix) / 60);
  return `${digits(local)}${offset.startsWith("-") ? "" : "+"}${offset}`;
}

/** The same; "" where there is none. */
export function instantOrNone(unix: number | null): string {
  return unix === null ? "" : formatInstant(unix);
}

function digits(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
}
