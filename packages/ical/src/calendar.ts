import { cssColor } from "./colors.js";
import { eventText } from "./event.js";
import { oneLine, textLine } from "./text.js";
import { dateTime, duration } from "./time.js";
import type { FeedCalendar, FeedEvent } from "./types.js";
import { urlLine } from "./url.js";

/** The 64 KiB that fit one write to a socket; of UTF-16 code units, so a chunk may have more octets. */
const defaultChunkLength = 65_536;

/**
 * A whole feed in chunks. Nothing is held but the chunk in the making.
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

/**
 * A file with one event, for those who add it alone: without what makes it a feed, since some apps make a calendar of its own of a
 * file with a name.
 */
export function eventFile({ prodId }: Pick<FeedCalendar, "prodId">, event: FeedEvent): string {
  const head = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${oneLine("PRODID:", prodId)}CALSCALE:GREGORIAN\r\n`;
  return head + eventText(event) + calendarEnd(1);
}

/** VCALENDAR down to its first component. No METHOD: that would make the feed a scheduling message (RFC 5546 3.2.1). */
export function calendarStart(calendar: FeedCalendar): string {
  const refresh = duration(calendar.refreshSeconds);
  return [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n",
    oneLine("PRODID:", calendar.prodId),
    "CALSCALE:GREGORIAN\r\n",
    // RFC 7986 has the standard names; what the apps read are still the older X- names.
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

/** The rest of VCALENDAR. Without an event it gets a zone, for it needs one component (RFC 5545 3.6). */
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
