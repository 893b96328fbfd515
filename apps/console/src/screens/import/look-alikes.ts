import type { FoundEvent } from "@kalends/client/extensions";
import type { Day } from "../../dates/days.js";

// Programs give an event another UID in each export, so that the server takes it for a new one. Here it is only compared with what is
// there, for a warning: title and start. What is not wanted is left out of the file.

/** An event of a calendar file, as far as it is compared. */
export interface FileEvent {
  readonly uid: string;
  readonly title: string;
  /** `2027-03-05`, `2027-03-05T19:00` on a wall clock, or with `Z` in UTC. */
  readonly start: string;
}

export const eventPart = /^BEGIN:VEVENT\r?\n[^]*?^END:VEVENT\r?(?:\n|$)/gim;

/** Lines that were folded are one again (RFC 5545 3.1). */
export const unfolded = (file: string): string => file.replace(/\r?\n[ \t]/g, "");

export function valueOf(part: string, name: string): string {
  return (
    new RegExp(`^${name}(?:;[^:\\r\\n"]*(?:"[^"\\r\\n]*"[^:\\r\\n"]*)*)?:(.*)$`, "im")
      .exec(part)?.[1]
      ?.trim() ?? ""
  );
}

/** Reads the events of a file that have a start. */
export function eventsOfFile(file: string): readonly FileEvent[] {
  const parts = [...unfolded(file).matchAll(eventPart)].map(([part]) => part);
  return parts.flatMap((part) => {
    const start = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(valueOf(part, "DTSTART"));
    if (start === null) return [];
    const [, year, month, day, hour, minute, zone = ""] = start;
    const time = hour === undefined ? "" : `T${hour}:${minute}${zone}`;
    const title = valueOf(part, "SUMMARY").replace(/\\([\\;,])/g, "$1");
    return [{ uid: valueOf(part, "UID"), title, start: `${year}-${month}-${day}${time}` }];
  });
}

/** The file without the events of these UIDs. */
export function withoutEvents(file: string, uids: ReadonlySet<string>): string {
  if (uids.size === 0) return file;
  return unfolded(file).replace(eventPart, (part) => (uids.has(valueOf(part, "UID")) ? "" : part));
}

/** The file in parts of so many UIDs, each with all events of its UIDs. */
export function partsOf(file: string, most: number): readonly string[] {
  const text = unfolded(file);
  const ofUid = new Map<string, string[]>();
  for (const [index, [part]] of [...text.matchAll(eventPart)].entries()) {
    const uid = valueOf(part, "UID") || String(index);
    ofUid.set(uid, [...(ofUid.get(uid) ?? []), part]);
  }
  const events = [...ofUid.values()];
  const shell = text.replace(eventPart, "");
  return Array.from({ length: Math.ceil(events.length / most) }, (_, index) => {
    const some = events.slice(index * most, (index + 1) * most).flat();
    return shell.replace(/^END:VCALENDAR/im, () => `${some.join("")}END:VCALENDAR`);
  });
}

/** The days between which the events begin, a day more on both sides, since clocks differ. */
export function rangeOf(events: readonly FileEvent[]): readonly [from: Day, to: Day] {
  const days = events.map(({ start }) => start.slice(0, 10)).toSorted();
  return [days[0] ?? "", days.at(-1) ?? ""];
}

const plain = (title: string): string => title.normalize("NFKC").trim().toLocaleLowerCase();

/** The events of a file that have the title and the start of one that is there. */
export function lookAlikes(
  events: readonly FileEvent[],
  there: readonly Pick<FoundEvent, "title" | "start_date" | "start_at" | "shown_start" | "all_day_event">[],
): readonly FileEvent[] {
  const keys = there.flatMap((event) => {
    const instant = event.all_day_event ? "" : `${new Date(event.start_at).toISOString().slice(0, 16)}Z`;
    const starts = [event.start_date.slice(0, 16), event.shown_start?.slice(0, 16) ?? "", instant];
    return starts.map((start) => `${start} ${plain(event.title)}`);
  });
  const known = new Set(keys);
  return events.filter(({ title, start }) => known.has(`${start} ${plain(title)}`));
}
