import { isZone } from "../time/zones.js";
import { type ReadEvent, readEvent, type Skipped } from "./event.js";
import { instancesOf, type Prepared } from "./instances.js";
import { readFile } from "./reader.js";
import { zoneOf } from "./zones.js";

/** A calendar file and what its events depend on. */
export interface FileText {
  readonly text: string;
  /** The zone of the calendar, for times without one. */
  readonly timezone: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns what a calendar file comes to. It may take seconds, so it runs in a thread (preparing.ts). @throws FileRefused */
export function prepare(text: string, { timezone, now }: Omit<FileText, "text">): Prepared {
  const { calendars, others } = readFile(text);
  const read: (ReadEvent | Skipped)[] = [];
  for (const { timezone: named, locations, events } of calendars) {
    const own = zoneOf(named, locations) ?? (isZone(timezone) ? timezone : "UTC");
    for (const raw of events) read.push(readEvent(raw, { own, locations }));
  }
  for (const [name, count] of others)
    for (let index = 0; index < count; index++)
      read.push({ uid: "", title: "", reason: `${name} is not an event`, dates: 1 });
  return instancesOf(read, now);
}
