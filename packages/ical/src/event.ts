import { cssColor } from "./colors.js";
import { listLine, oneLine, textLine, foldedLine, quotable, urlLine } from "./text.js";
import { date, dateTime, daysSince1970 } from "./time.js";
import type { FeedEvent } from "./types.js";

const largestInteger = 2_147_483_647;

/** Returns one VEVENT (RFC 5545 3.6.1) with its last CRLF. */
export function eventText(event: FeedEvent): string {
  const modified = dateTime(event.modifiedAt);
  const color = cssColor(event.color);
  return (
    `BEGIN:VEVENT\r\n${oneLine("UID:", event.uid)}` +
    // Without METHOD, DTSTAMP is the time of the last revision (RFC 5545 3.8.7.2).
    `DTSTAMP:${modified}\r\nCREATED:${dateTime(event.createdAt)}\r\nLAST-MODIFIED:${modified}\r\n` +
    `SEQUENCE:${wholeNumber(event.sequence)}\r\n` +
    whenLines(event.when) +
    oneLine("SUMMARY:", event.title) +
    textLine("DESCRIPTION:", event.description) +
    oneLine("LOCATION:", event.location) +
    (event.url === undefined ? "" : urlLine(event.url)) +
    (event.image === undefined ? "" : urlLine(event.image, imageName)) +
    organizerLine(event.organizer, event.organizerEmail) +
    `STATUS:${statuses[event.status ?? "confirmed"]}\r\nTRANSP:${transparency(event)}\r\nCLASS:PUBLIC\r\n` +
    listLine("CATEGORIES:", event.categories ?? []) +
    (color === undefined ? "" : `COLOR:${color}\r\n`) +
    (event.own === undefined ? "" : event.own.map(([name, text]) => oneLine(`${name}:`, text)).join("")) +
    alarmLines(event) +
    "END:VEVENT\r\n"
  );
}

/** RFC 7986 5.10; the default of DISPLAY is BADGE. */
const imageName = "IMAGE;VALUE=URI;FMTTYPE=image/jpeg";

/** RFC 5545 3.8.1.11. */
const statuses = { confirmed: "CONFIRMED", tentative: "TENTATIVE", cancelled: "CANCELLED" } as const;

/** All-day and cancelled events block no time (RFC 5545 3.8.2.7). */
function transparency({ when, status }: FeedEvent): "OPAQUE" | "TRANSPARENT" {
  return "startAt" in when && status !== "cancelled" ? "OPAQUE" : "TRANSPARENT";
}

/** DTEND must be later than DTSTART (RFC 5545 3.8.2.2), so an event without duration has none. */
function whenLines(when: FeedEvent["when"]): string {
  if ("startAt" in when) {
    const start = dateTime(when.startAt);
    const end = dateTime(when.endAt);
    return `DTSTART:${start}\r\n${end > start ? `DTEND:${end}\r\n` : ""}`;
  }
  const [first, last] = [daysSince1970(when.firstDay), daysSince1970(when.lastDay)];
  const start = `DTSTART;VALUE=DATE:${date(first)}\r\n`;
  // The end of whole days is exclusive.
  const end = date(last + 1);
  if (end > date(last)) return `${start}DTEND;VALUE=DATE:${end}\r\n`;
  // There is no day after the year 9999; a day without an end is one day long (RFC 5545 3.6.1).
  return last > first ? `${start}DURATION:P${last - first + 1}D\r\n` : start;
}

/** RFC 5545 3.6.6. A DISPLAY alarm must have a text. */
function alarmLines({ reminderMinutes, status, title }: FeedEvent): string {
  if (reminderMinutes === undefined || status === "cancelled") return ""; // no one is to be reminded of it
  const text = oneLine("DESCRIPTION:", title) || "DESCRIPTION:Reminder\r\n";
  return `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT${wholeNumber(reminderMinutes)}M\r\n${text}END:VALARM\r\n`;
}

/** 0 to the largest INTEGER (RFC 5545 3.3.8). */
function wholeNumber(value: number): number {
  return value > 0 ? Math.min(Math.floor(value), largestInteger) : 0;
}

/** The form of an address: one @, and around it no white space, quotes, brackets, control characters or lone surrogates. */
const addressForm = /^[^\s\p{Cc}\p{Cs}@"(),:;<>[\\\]]+@[^\s\p{Cc}\p{Cs}@"(),:;<>[\\\]]+$/u;

/** Characters that a mailto URI must encode (RFC 6068 2). */
const unsafeInMailto = /[^A-Za-z0-9\-._~!$'*+@]+/g;

/** ORGANIZER needs an address (RFC 5545 3.8.4.3), so a name without one is a CONTACT. "" when there is neither. */
function organizerLine(name: string, email: string): string {
  if (email === "" || !addressForm.test(email)) return oneLine("CONTACT:", name);
  const address = email.replace(unsafeInMailto, encodeURIComponent);
  const commonName = quotable(name);
  return foldedLine(
    commonName === "" ? `ORGANIZER:mailto:${address}` : `ORGANIZER;CN="${commonName}":mailto:${address}`,
  );
}
