import { zoneNamed } from "../time/zones.js";
import { foreignNames } from "./foreign-zones.js";
import type { DefinedZones, Years, ZoneDefinition } from "./zone-definitions.js";

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
  return knownZone(definition.location.trim()) ?? defined.zoneOf(tzid, definition, own, years);
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
