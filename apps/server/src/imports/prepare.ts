import { isZone } from "../time/zones.js";
import { type ReadEvent, readEvent, type Skipped } from "./read-event.js";
import { aheadSeconds, instancesOf, type Prepared } from "./instances.js";
import { pace } from "../time/pace.js";
import { readFile } from "./reader.js";
import { RuleTime } from "./rule-time.js";
import { DefinedZones } from "./zone-definitions.js";
import { knownZone } from "./tzid.js";

export interface PrepareOptions {
  /** The zone of the calendar, for times without one. */
  readonly timezone: string;
  /** Unix seconds. */
  readonly now: number;
  /** Whether events are taken whose CLASS is not PUBLIC: feeds and pages show all that there is. */
  readonly takesPrivate: boolean;
}

/**
 * Returns what a calendar file comes to. It takes a while and lets others in.
 * @throws FileRefused
 */
export async function prepare(
  text: string,
  { timezone, now, takesPrivate }: PrepareOptions,
): Promise<Prepared> {
  const { calendars, others } = await readFile(text);
  const read: (ReadEvent | Skipped)[] = [];
  const rules = new RuleTime();
  const defined = new DefinedZones((...rule) => rules.walk(...rule));
  const lastYear = new Date((now + aheadSeconds) * 1000).getUTCFullYear();
  try {
    for (const { timezone: named, isOwn, definitions, events } of calendars) {
      const calendarZone = isZone(timezone) ? timezone : "UTC";
      const own = knownZone(named) ?? knownZone(definitions.get(named)?.location ?? "") ?? calendarZone;
      for (const raw of events) {
        read.push(readEvent(raw, { own, definitions, defined, lastYear, isOwn, takesPrivate }));
        await pace.rest();
      }
    }
    for (const [name, count] of others)
      for (let index = 0; index < count; index++)
        read.push({ uid: "", title: "", reason: `${name} is not an event` });
    return await instancesOf(read, { now, takesPrivate, rules });
  } finally {
    defined.close();
  }
}
