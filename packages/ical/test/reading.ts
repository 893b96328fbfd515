import ICAL from "ical.js";

// How the tests read a feed: with ical.js, and, for what ical.js gets wrong, by RFC 5545's own grammar.

/** A property as ical.js has it (RFC 7265 3.4): name in lower case, parameters, type, value. */
export type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: string,
  value: string,
];
export type Component = readonly [
  name: string,
  properties: readonly Property[],
  components: readonly Component[],
];

/** The feed, by ical.js. */
export function parsed(feed: string): Component {
  const component: Component = ICAL.parse(feed);
  return component;
}

/** The values of all properties of that name, in order. */
export function valuesOf(component: Component | undefined, name: string): readonly string[] {
  return (component?.[1] ?? []).filter((property) => property[0] === name).map((property) => property[3]);
}

export function namesIn([, properties]: Component): readonly string[] {
  return properties.map(([name]) => name);
}

export interface ContentLine {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** As written, escapes and all. */
  readonly value: string;
}

/** The content lines, unfolded; throws when one is not of RFC 5545 3.1's form, with RFC 6868's escapes in parameters. */
export function contentLines(feed: string): readonly ContentLine[] {
  const lines = feed.replaceAll("\r\n ", "").split("\r\n");
  if (lines.pop() !== "") throw new Error("no CRLF at the end");
  return lines.map((line) => {
    const [, name, written, value] = /^([A-Z-]+)((?:;[A-Z]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/s.exec(line) ?? [];
    if (name === undefined || written === undefined || value === undefined)
      throw new Error(`no content line: ${line}`);
    const parameters = [...written.matchAll(/;([A-Z]+)=(?:"([^"]*)"|([^;]*))/g)].map(
      ([, key = "", quoted, bare]) => [key, unquoted(quoted ?? bare ?? "")],
    );
    return { name, parameters: Object.fromEntries(parameters), value };
  });
}

/** A TEXT without its escapes (RFC 5545 3.3.11). */
export function unescaped(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, code: string) => (code.toLowerCase() === "n" ? "\n" : code));
}

function unquoted(value: string): string {
  const meanings: Readonly<Record<string, string>> = { "^^": "^", "^'": '"', "^n": "\n" };
  return value.replace(/\^[\^'n]/g, (escape) => meanings[escape] ?? escape);
}

/**
 * What the feed makes of a text, as the README says it: line breaks are LF, other control characters but TAB are gone, and so is
 * a text of white space.
 */
export function normalized(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, "\n")
    .replace(/\p{Cc}/gu, (control) => (control === "\n" || control === "\t" ? control : ""));
  return /^[ \t]*$/.test(clean) ? "" : clean;
}

/** What it makes of a text of one line: each line break is a blank. */
export function normalizedLine(text: string): string {
  return normalized(normalized(text).replaceAll("\n", " "));
}

/** What is wrong with the octets of a feed; empty when nothing is. */
export function faults(feed: string): readonly string[] {
  const octets = Buffer.from(feed).toString("latin1"); // one character for each octet
  return [
    ...(octets.split("\r\n").some((line) => line.length > 75) ? ["a line of more than 75 octets"] : []),
    ...(/\r(?!\n)|(?<!\r)\n/.test(octets) ? ["a bare CR or LF"] : []),
    ...(/\r\n ?\r\n/.test(octets) ? ["an empty line"] : []),
    ...(/[^\P{Cc}\t\r\n]|[\u2028\u2029]/u.test(feed) ? ["a control character or a line separator"] : []),
    // Cut by a fold, the halves of a pair stand alone: then the octets are not UTF-8.
    ...(feed.isWellFormed() ? [] : ["half a surrogate pair"]),
    ...(feed.endsWith("\r\nEND:VCALENDAR\r\n") ? [] : ["not ended by END:VCALENDAR and CRLF"]),
  ];
}
