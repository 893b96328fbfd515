import { categoryLimits, customDataParameter, maxLengths, operations } from "@kalends/spec";
import { namesOf } from "../calendars/category-names.js";
import { storedData } from "../calendars/custom-data-stored.js";
import { parseStartDate } from "../time/formats.js";
import { type ContentLine, unescaped, valueOf } from "./lines.js";
import type { WallClocks } from "./moments.js";
import type { RawEvent } from "./reader.js";

// What an event of a file says in texts, as rows have it.

/** What a text becomes, and whether its end was left out. */
export interface Fitted {
  readonly text: string;
  readonly isCut: boolean;
}

/** A text of one line: no control characters, line breaks as blanks. */
export function lineText(text: string): Fitted {
  const line = text.toWellFormed().replace(anyBreak, " ").replace(controls, "");
  return cut(isBlank(line) ? "" : line, maxLengths.short);
}

/** A text of several lines, which end in CR LF (rulings R4.8). */
export function linesText(text: string): Fitted {
  const lines = text.toWellFormed().replace(anyBreak, "\n").replace(controls, "");
  const { text: kept, isCut } = cut(isBlank(lines) ? "" : lines, maxLengths.description);
  return { text: kept.replaceAll("\n", "\r\n"), isCut };
}

/** The line breaks of Unicode (5.8). */
const anyBreak = /\r\n|[\n-\r\u0085\u2028\u2029]/g;
/** Other control characters, but TAB. */
// oxlint-disable-next-line no-control-regex -- control characters are what is meant
const controls = /[\0-\x08\x0e-\x1f\x7f-\x9f]/g;

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** Leaves out what is after so many characters. */
export function cut(text: string, most: number): Fitted {
  if (text.length <= most) return { text, isCut: false };
  let [end, count] = [0, 0];
  for (const character of text) {
    if (count === most) return { text: text.slice(0, end), isCut: true };
    end += character.length;
    count++;
  }
  return { text, isCut: false };
}

const mostNotes = 20;

/** Returns the first notes of an event; the others are counted. */
export function few(notes: readonly string[]): readonly string[] {
  if (notes.length <= mostNotes) return notes;
  return [...notes.slice(0, mostNotes), `and ${notes.length - mostNotes} notes more`];
}

/** The longest value of a line that is read: names of the longest, with spare. */
const longestValue = 4_000;

/**
 * Returns the categories of an event as rows have them, of its CATEGORIES (RFC 5545 3.8.1.2), which may be several; undefined when it
 * has none. Names here have no commas and a length, so some are changed or left out, which is noted.
 */
export function categoriesOf(lines: readonly ContentLine[], notes: string[]): string | undefined {
  const given = lines.flatMap((line) => {
    const value = valueOf(line) ?? "";
    if (line.isCut || value.length > longestValue) notes.push("CATEGORIES is too long: its end is left out");
    return value.slice(0, longestValue).match(/(?:\\.|[^,\\])+/gs) ?? [];
  });
  const names = new Set<string>();
  for (const text of given) {
    const whole = lineText(
      text
        .replaceAll(/\\(.)/gs, "$1")
        .split(",")
        .map((part) => part.trim())
        .join(" "),
    ).text.trim();
    const name = cut(whole, categoryLimits.characters).text.trim();
    if (name !== whole) notes.push(`the category ${name} is too long: its end is left out`);
    if (name !== "") names.add(name);
  }
  const kept = [...names].slice(0, categoryLimits.names);
  if (kept.length < names.size) notes.push("it has too many categories: some are left out");
  return kept.length === 0 ? undefined : kept.join();
}

/** Returns what leaves out the categories that a calendar has no room for, with those that it has; they come first. */
export function createRoom(known: readonly string[]): (categories: string) => string {
  const names = new Set(known);
  return (categories) =>
    namesOf(categories)
      .filter((name) => {
        if (names.size < categoryLimits.names) names.add(name);
        return names.has(name);
      })
      .join();
}

// What an export says of an event besides what calendar files have, so that an import makes the same event of it (extensions
// X6.2). Undefined: the file does not say it.

/** Most minutes of a reminder. */
export const mostReminderMinutes = 40_320;

/** Returns the number of the color within the palette. */
export function ownColor(raw: RawEvent): string | undefined {
  const value = firstValue(raw, "X-KALENDS-COLOR-ID");
  return value !== undefined && /^(?:[1-9]|1[0-9]|20)$/.test(value) ? value : undefined;
}

/** Returns the reminder of a cancelled event, which has no alarm. */
export function ownReminder(raw: RawEvent): string | undefined {
  const value = firstValue(raw, "X-KALENDS-REMINDER");
  const isMinutes = value !== undefined && /^\d{1,5}$/.test(value) && Number(value) <= mostReminderMinutes;
  return isMinutes ? String(Number(value)) : undefined;
}

/** Returns `custom_data` as it is stored. */
export function ownData(raw: RawEvent, notes: string[]): string | undefined {
  const line = firstLine(raw, "X-KALENDS-CUSTOM-DATA");
  if (line === undefined) return undefined;
  const { success, data } = customDataParameter.safeParse(unescaped(line));
  if (success) return storedData(data);
  notes.push("X-KALENDS-CUSTOM-DATA is not custom_data as the API takes it: it is left out");
  return undefined;
}

/** Returns a URL that an event may have; undefined for another one. */
export function linkOf(url: string | undefined): string | undefined {
  return operations.eventsUpdate.params.shape.url.safeParse(url).data || undefined;
}

export function ownPicture(raw: RawEvent): {
  picture_id: string | undefined;
  picture_alt: string | undefined;
} {
  const id = firstValue(raw, "X-KALENDS-PICTURE-ID") ?? "";
  const line = firstLine(raw, "X-KALENDS-PICTURE-ALT");
  const alt = line === undefined ? "" : lineText(unescaped(line)).text;
  const isOne = /^[0-9a-f]{32}$/.test(id) && alt !== "";
  return isOne ? { picture_id: id, picture_alt: alt } : { picture_id: undefined, picture_alt: undefined };
}

/** Returns when whole days start and end that have times of day. */
export function ownClocks(raw: RawEvent): WallClocks | undefined {
  const [start, end] = ["X-KALENDS-START", "X-KALENDS-END"].map((name) => {
    return parseStartDate(firstValue(raw, name) ?? "");
  });
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

export function firstLine(raw: RawEvent, name: string): ContentLine | undefined {
  return raw.lines.get(name)?.[0];
}

export function firstValue(raw: RawEvent, name: string): string | undefined {
  const line = firstLine(raw, name);
  return line && valueOf(line)?.trim();
}

// HTML, which some programs write into texts.

/** Elements that a description of a person does not have by chance. */
const element =
  /<\/?(?:a|b|blockquote|body|br|div|em|font|h[1-6]|head|html|i|li|ol|p|span|strong|table|td|tr|u|ul)(?:\s[^<>]*)?\/?>/i;

export function isHtml(text: string): boolean {
  return element.test(text);
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  hellip: "…",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  rsquo: "’",
};

/** What an element begins and ends with; of others nothing is shown. */
const breaks: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  blockquote: ["\n", "\n"],
  br: ["\n", ""],
  div: ["", "\n"],
  h1: ["\n", "\n"],
  h2: ["\n", "\n"],
  h3: ["\n", "\n"],
  h4: ["\n", "\n"],
  li: ["\n- ", ""],
  ol: ["", "\n"],
  p: ["", "\n"],
  td: ["", " "],
  tr: ["", "\n"],
  ul: ["", "\n"],
};

/** Elements whose content is not shown. */
const hidden: ReadonlySet<string> = new Set(["head", "script", "style", "title"]);

/** Where there is one of these, line breaks of the source mean nothing; else they are those of a text with a few tags, as Google has it. */
const block = /<(?:br|p|div|html|body|table|li)(?=[\s/>])/i;

/**
 * Returns the text of HTML as a page would show it: paragraphs and line breaks as lines, list items with a dash, links with their
 * addresses. It looks at each character a bounded number of times.
 */
export function htmlText(html: string): string {
  const blanks = block.test(html) ? /\s+/g : /[^\S\n]+/g;
  const pieces: string[] = [];
  let skipsTo: string | undefined;
  let link: { readonly href: string; readonly from: number } | undefined;
  for (const [token] of html.matchAll(/<[^<>]*>|[^<]+|</g)) {
    const [, slash, tag = ""] = /^<(\/?)([a-z][a-z\d]*)/i.exec(token) ?? [];
    const name = tag.toLowerCase();
    if (skipsTo !== undefined) {
      if (slash === "/" && name === skipsTo) skipsTo = undefined;
    } else if (name === "") {
      if (!/^<[!?/]/.test(token)) pieces.push(decoded(token.replaceAll(blanks, " ")));
    } else if (hidden.has(name)) {
      if (slash === "") skipsTo = name;
    } else if (name === "a" && slash === "") {
      link = { href: decoded(/\shref="([^"]*)"/i.exec(token)?.[1] ?? ""), from: pieces.length };
    } else if (name === "a" && link !== undefined) {
      pieces.push(addressOf(link.href, pieces.slice(link.from).join("")));
      link = undefined;
    } else pieces.push(breaks[name]?.[slash === "" ? 0 : 1] ?? "");
  }
  return tidied(pieces.join(""));
}

/** The address of a link, unless its text says it. */
function addressOf(href: string, text: string): string {
  const address = href.replace(/^mailto:/i, "");
  if (address === "" || (text.trim() !== "" && address.includes(text.trim()))) return "";
  return text.trim() === "" ? address : ` (${address})`;
}

function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (entity, decimal: string | undefined, hexadecimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : entity;
    },
  );
}
