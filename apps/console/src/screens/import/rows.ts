import { addDays, addMinutes } from "../../dates/days.js";
import type { When } from "../../dates/words.js";
import { type ColumnField, readDay, readTime, splitTimes, type TableRow } from "./table.js";

/** An event of a row, or what is wrong with the row. */
export type RowEvent =
  | {
      readonly line: number;
      readonly title: string;
      readonly place: string;
      readonly text: string;
      readonly when: When;
    }
  | { readonly line: number; readonly wrong: "noTitle" | "noDate" | "noTime" };

/** Makes events of the rows below the headings. @param columns what each column is */
export function eventsOf(
  rows: readonly TableRow[],
  columns: readonly string[],
  monthFirst: boolean,
): readonly RowEvent[] {
  return rows.map(({ cells, line }) => {
    const cell = (field: ColumnField): string => cells[columns.indexOf(field)] ?? "";
    if (cell("title") === "") return { line, wrong: "noTitle" };
    const [date = "", inDate = ""] = cell("date").split(beforeTime);
    const [endDate = "", inEndDate = ""] = cell("endDate").split(beforeTime);
    const day = readDay(date, monthFirst);
    const lastDay = endDate === "" ? day : readDay(endDate, monthFirst);
    if (day === undefined || lastDay === undefined || lastDay < day) return { line, wrong: "noDate" };
    const [from, to] = splitTimes(cell("time") || inDate);
    const when = whenOf([day, lastDay], from, cell("end") || inEndDate || to);
    if (when === undefined) return { line, wrong: "noTime" };
    return { line, title: cell("title"), place: cell("place"), text: cell("text"), when };
  });
}

/** What is between a date and a time of one cell. */
const beforeTime = /[T ](?=\d{1,2}(?:[:.]|\s?h\s?)\d\d)/;

/**
 * Without a time it is whole days, without an end an hour; on one day an end before the start is on the next. Outlook writes whole days as
 * from midnight to midnight.
 */
function whenOf([day, lastDay]: readonly [string, string], from: string, to: string): When | undefined {
  if (from === "") return { start: day, end: lastDay, allDay: true };
  const [start, end] = [readTime(from), to === "" ? "" : readTime(to)];
  if (start === undefined || end === undefined) return undefined;
  const begin = `${day}T${start}`;
  if (lastDay > day) {
    if (end === "") return undefined;
    if (start === "00:00" && end === "00:00") return { start: day, end: addDays(lastDay, -1), allDay: true };
    return { start: begin, end: `${lastDay}T${end}`, allDay: false };
  }
  if (end === "") return { start: begin, end: addMinutes(begin, 60), allDay: false };
  return { start: begin, end: `${end < start ? addDays(day, 1) : day}T${end}`, allDay: false };
}

const escaped = (text: string): string =>
  text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r?\n/g, String.raw`\n`);

/** A line of at most 75 bytes each, folded (RFC 5545 3.1). */
function folded(line: string): string {
  const out: string[] = [];
  let [part, bytes] = ["", 0];
  for (const sign of line) {
    const code = sign.codePointAt(0) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
    if (bytes + size > 74) {
      out.push(part);
      [part, bytes] = [" ", 1];
    }
    part += sign;
    bytes += size;
  }
  return [...out, part].join("\r\n");
}

/** A number of 32 bits from a text (FNV-1a): the same row has the same UID, so that a table imported twice changes nothing. */
function hashOf(text: string, seed: number): string {
  let hash = seed;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Prints events as iCalendar, by which the server imports them. */
export function printFile(events: readonly RowEvent[], timezone: string): string {
  const basic = (wall: string): string => `${wall.replace(/[-:]/g, "")}${wall.length > 10 ? "00" : ""}`;
  const moment = (name: string, wall: string, allDay: boolean): string =>
    allDay ? `${name};VALUE=DATE:${basic(wall)}` : `${name};TZID=${timezone}:${basic(wall)}`;
  const lines = events.flatMap((event) => {
    if ("wrong" in event) return [];
    const { title, place, text, when } = event;
    const key = `${title}\n${when.start}`;
    const uid = `${hashOf(key, 2_166_136_261)}${hashOf(key, 40_503)}@table.kalends`;
    const end = when.allDay ? addDays(when.end, 1) : when.end;
    return [
      "BEGIN:VEVENT",
      `UID:${uid}`,
      moment("DTSTART", when.start, when.allDay),
      moment("DTEND", end, when.allDay),
      `SUMMARY:${escaped(title)}`,
      ...(place === "" ? [] : [`LOCATION:${escaped(place)}`]),
      ...(text === "" ? [] : [`DESCRIPTION:${escaped(text)}`]),
      "END:VEVENT",
    ];
  });
  const file = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Kalends//Console//EN",
    ...lines,
    "END:VCALENDAR",
    "",
  ];
  return file.map(folded).join("\r\n");
}
