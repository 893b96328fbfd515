import leven from "leven";
import { listedZones } from "./zones.js";

/** How many typing errors a name may have. */
const mostErrors = 2;

/** Returns the listed zone that an unknown name was probably meant for: in another case, misspelled, or the city alone. */
export function similarZone(name: string): string | undefined {
  const typed = name.toLowerCase();
  const found = listedZones().map((zone) => {
    const [whole, city] = [zone.toLowerCase(), zone.slice(zone.lastIndexOf("/") + 1).toLowerCase()];
    return { zone, errors: city === typed ? 0 : leven(typed, whole, { maxDistance: mostErrors + 1 }) };
  });
  return found.filter(({ errors }) => errors <= mostErrors).toSorted((a, b) => a.errors - b.errors)[0]?.zone;
}
