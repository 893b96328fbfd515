import { isZone } from "../time/zones.js";
import { knownZone } from "./foreign-zones.js";
import { type Instance, instancesOf, type Prepared } from "./instances.js";
import { type ReadEvent, readEvent, type Skipped } from "./read-event.js";
import { readFile } from "./reader.js";
import { RuleTime } from "./rules.js";
import { aheadSeconds } from "./series-dates.js";
import { few } from "./texts.js";
import { DefinedZones } from "./zone-definitions.js";

export interface PrepareOptions {
  /** The zone of the calendar, for times without one. */
  readonly timezone: string;
  readonly now: number;
  /** Whether events are taken whose CLASS is not PUBLIC: feeds and pages show all that there is. */
  readonly takesPrivate: boolean;
}

/**
 * Returns what a calendar file comes to. It takes a while: in a thread of its own (run-thread.ts).
 * @throws FileRefused
 */
export function prepare(text: string, { timezone, now, takesPrivate }: PrepareOptions): Prepared {
  const { calendars, others, hasTail } = readFile(text);
  const read: (ReadEvent | Skipped)[] = [];
  const rules = new RuleTime();
  const defined = new DefinedZones((...rule) => rules.walk(...rule));
  const lastYear = new Date((now + aheadSeconds) * 1000).getUTCFullYear();
  try {
    for (const { timezone: named, isOwn, definitions, events } of calendars) {
      const calendarZone = isZone(timezone) ? timezone : "UTC";
      const own = knownZone(named) ?? knownZone(definitions.get(named)?.location ?? "") ?? calendarZone;
      for (const raw of events)
        read.push(readEvent(raw, { own, definitions, defined, lastYear, isOwn, takesPrivate }));
    }
    for (const [name, count] of others)
      for (let index = 0; index < count; index++)
        read.push({ uid: "", title: "", reason: `${name} is not an event` });
    if (hasTail) read.push({ uid: "", title: "", reason: "text after END:VCALENDAR is left out" });
    return instancesOf(read, { now, takesPrivate, rules });
  } finally {
    defined.close();
  }
}

/** A calendar file and what its events depend on. */
export interface FileText extends PrepareOptions {
  readonly text: string;
}

/** What the thread that reads a file answers: to the file how many events it comes to and its UIDs, then one slice after the other. */
export type Answer =
  | { readonly refused: string }
  | { readonly events: number; readonly uids: readonly string[] }
  | { readonly slice: Prepared }
  | { readonly isDone: true };

/** Most events of a slice, and most UTF-16 units of their texts; it has one event at least. */
const mostInSlice = 200;
const mostUnits = 262_144;

/** Returns what a file comes to in slices that take little time to copy. */
export function* slicesOf({ skipped, instances }: Prepared): Generator<Prepared> {
  for (let from = 0; from < skipped.length; from += mostInSlice)
    yield { skipped: skipped.slice(from, from + mostInSlice), instances: [] };
  let [slice, units]: [Instance[], number] = [[], 0];
  const texts = new Set<object>(); // those of a series are one object, which is copied once
  for (const instance of instances) {
    slice.push({ ...instance, notes: few(instance.notes) });
    if (!texts.has(instance.texts)) units += unitsOf(instance);
    texts.add(instance.texts);
    if (slice.length < mostInSlice && units < mostUnits) continue;
    yield { skipped: [], instances: slice };
    [slice, units] = [[], 0];
    texts.clear();
  }
  if (slice.length > 0) yield { skipped: [], instances: slice };
}

function unitsOf({ texts }: Instance): number {
  const all: readonly (string | undefined)[] = Object.values(texts);
  return all.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
