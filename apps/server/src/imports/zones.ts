import { isZone } from "../time/zones.js";
import { windowsZones } from "./windows-zones.js";

/** X-LIC-LOCATION of VTIMEZONEs by their TZID. */
export type Locations = Pick<ReadonlyMap<string, string>, "get">;

/**
 * Returns the IANA name of a TZID of a file; undefined when it is not known. Files name zones as IANA does, as Windows does, or with a
 * text of their own beside a VTIMEZONE.
 */
export function zoneOf(tzid: string, locations: Locations): string | undefined {
  const name = tzid.trim().replace(/^"(.*)"$/, "$1");
  const found = knownZone(name);
  if (found !== undefined) return found;
  const location = locations.get(tzid);
  return location === undefined ? undefined : knownZone(location.trim());
}

function knownZone(name: string): string | undefined {
  if (isZone(name)) return name;
  return windowsZones.get(name) ?? zoneAtEnd(name);
}

/** Of a globally unique TZID (RFC 5545 3.8.3.1), such as "/example.org/2026a/Europe/Berlin", the end is the IANA name. */
function zoneAtEnd(name: string): string | undefined {
  if (!name.startsWith("/") || name.length > 255) return undefined;
  const parts = name.split("/");
  return [3, 2].map((count) => parts.slice(-count).join("/")).find((end) => end.includes("/") && isZone(end));
}
