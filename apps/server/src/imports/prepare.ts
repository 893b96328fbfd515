import { isZone } from "../time/zones.js";
import { type ReadEvent, readEvent, type Skipped } from "./event.js";
import { instancesOf, type Prepared } from "./instances.js";
import { createPace } from "./pace.js";
import { readFile } from "./reader.js";
import { zoneOf } from "./zones.js";

/**
 * Returns what a calendar file comes to. It takes a while and lets others in.
 * @param timezone the zone of the calendar, for times without one
 * @param now in Unix seconds
 * @throws FileRefused
 */
export async function prepare(
  text: string,
  { timezone, now }: { readonly timezone: string; readonly now: number },
): Promise<Prepared> {
  const { calendars, others } = await readFile(text);
  const pace = createPace();
  const read: (ReadEvent | Skipped)[] = [];
  for (const { timezone: named, locations, events } of calendars) {
    const own = zoneOf(named, locations) ?? (isZone(timezone) ? timezone : "UTC");
    for (const raw of events) {
      read.push(readEvent(raw, { own, locations }));
      await pace.rest();
    }
  }
  for (const [name, count] of others)
    for (let index = 0; index < count; index++)
      read.push({ uid: "", title: "", reason: `${name} is not an event` });
  return instancesOf(read, now, pace);
}
