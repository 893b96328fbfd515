import { cssColor } from "./colors.js";
import { eventText } from "./event.js";
import { oneLine, textLine, urlLine } from "./text.js";
import { dateTime, duration } from "./time.js";
import type { FeedCalendar, FeedEvent } from "./types.js";

/** About 64 KiB, one write to a socket. In UTF-16 code units, so a chunk may have more octets. */
const defaultChunkLength = 65_536;

/**
 * Returns a feed in chunks, of which only the current one is in memory.
 * @param chunkLength longest chunk, as a string's length; one event that is longer makes a longer one
 */
export function* calendarText(
  calendar: FeedCalendar,
  events: Iterable<FeedEvent>,
  chunkLength: number = defaultChunkLength,
): Generator<string, void, undefined> {
  let chunk = calendarStart(calendar);
  let eventCount = 0;
  for (const event of events) {
    const text = eventText(event);
    eventCount++;
    if (chunk.length + text.length > chunkLength) {
      yield chunk;
      chunk = "";
    }
    chunk += text;
  }
  yield chunk + calendarEnd(eventCount);
}

/** Returns a file with one event. It omits what makes a feed, since some apps create a new calendar for a file with a name. */
export function eventFile({ prodId }: Pick<FeedCalendar, "prodId">, event: FeedEvent): string {
  const head = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${oneLine("PRODID:", prodId)}CALSCALE:GREGORIAN\r\n`;
  return head + eventText(event) + calendarEnd(1);
}

/** Returns VCALENDAR up to its first component. No METHOD: it would make the feed a scheduling message (RFC 5546 3.2.1). */
export function calendarStart(calendar: FeedCalendar): string {
  const refresh = duration(calendar.refreshSeconds);
  return [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n",
    oneLine("PRODID:", calendar.prodId),
    "CALSCALE:GREGORIAN\r\n",
    // RFC 7986 has standard names, but apps still read the older X- names.
    oneLine("NAME:", calendar.name),
    oneLine("X-WR-CALNAME:", calendar.name),
    textLine("DESCRIPTION:", calendar.description),
    textLine("X-WR-CALDESC:", calendar.description),
    oneLine("X-WR-TIMEZONE:", calendar.timezone),
    `LAST-MODIFIED:${dateTime(calendar.modifiedAt)}\r\n`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refresh}\r\nX-PUBLISHED-TTL:${refresh}\r\n`,
    colorLines(calendar.color),
    urlLine(calendar.url ?? ""),
  ].join("");
}

/** Returns the end of VCALENDAR. Without an event it has a time zone, since one component is mandatory (RFC 5545 3.6). */
export function calendarEnd(eventCount: number): string {
  return eventCount === 0 ? `${utcZone}END:VCALENDAR\r\n` : "END:VCALENDAR\r\n";
}

function colorLines(color: string): string {
  const name = cssColor(color);
  return name === undefined ? "" : `COLOR:${name}\r\nX-APPLE-CALENDAR-COLOR:#${color.toUpperCase()}\r\n`;
}

const utcZone = [
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "TZNAME:UTC",
  "END:STANDARD",
  "END:VTIMEZONE",
  "",
].join("\r\n");
