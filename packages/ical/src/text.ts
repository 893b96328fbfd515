/** Longest line without CRLF, in octets of UTF-8 (RFC 5545 3.1). */
const maxOctets = 75;

/** Characters that a TEXT need not escape: printable ASCII without `,` `;` `\`, and TAB. */
const plain = /^[\t\x20-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

const firstUnclean = 0xa0;

/** Replacements of the characters below U+00A0; undefined keeps the character. */
type Table = readonly (string | undefined)[];

/**
 * Line breaks become a line feed, and other control characters are removed. Line breaks are all those of Unicode (5.8: CR, LF,
 * CRLF, VT, FF, NEL, LS, PS), since some parsers split lines at each of them. TAB is white space (RFC 5545 3.1).
 */
const clean: Table = Array.from({ length: firstUnclean }, (_, code) => {
  if ((code >= 0x0a && code <= 0x0d) || code === 0x85) return "\n";
  return (code < 0x20 && code !== 0x09) || code >= 0x7f ? "" : undefined;
});

/** RFC 5545 3.3.11. */
const inText = escaping({ "\n": String.raw`\n`, "\\": "\\\\", ";": String.raw`\;`, ",": String.raw`\,` });

/** RFC 6868 3. */
const inQuotes = escaping({ "^": "^^", '"': "^'" });

const lineBreak = /\r\n|[\n-\r\u0085\u2028\u2029]/g;

/** What leaves nothing but white space. libical takes a line with such a value for an error. */
// oxlint-disable-next-line no-control-regex -- control characters are what is meant
const blank = /^[\0-\t\x0e-\x20\x7f-\x84\x86-\x9f]*$/;

const asItIs: Table = clean.map(() => undefined);

/**
 * Returns a content line with a TEXT value, escaped and folded, with its CRLF; "" when only white space is left.
 * @param start the name with its colon, such as "SUMMARY:"
 */
export function textLine(start: string, value: string): string {
  if (value === "" || blank.test(value)) return "";
  if (start.length + value.length <= maxOctets && plain.test(value)) return `${start}${value}\r\n`;
  return `${written(start, value, inText, maxOctets)}\r\n`;
}

/** Returns a content line whose line breaks are blanks: some apps stop at a line break. */
export function oneLine(start: string, value: string): string {
  return textLine(start, withoutBreaks(value));
}

/** Returns a content line with TEXT values, separated by commas; "" when only white space is left. */
export function listLine(start: string, values: readonly string[]): string {
  const texts = values.map(withoutBreaks).filter((value) => value !== "" && !blank.test(value));
  if (texts.length === 0) return "";
  return foldedLine(start + texts.map((text) => written("", text, inText, Infinity)).join(","));
}

function withoutBreaks(value: string): string {
  return value.search(lineBreak) === -1 ? value : value.replace(lineBreak, " ");
}

/** Folds an escaped content line and adds its CRLF. */
export function foldedLine(line: string): string {
  return `${written("", line, asItIs, maxOctets)}\r\n`;
}

/** Returns the value of a parameter, to be quoted, in one line; "" when only white space is left. */
export function quotable(value: string): string {
  const text = withoutBreaks(value);
  if (blank.test(text)) return "";
  const quoted = written("", text, inQuotes, Infinity);
  // libical takes a backslash before the closing quote for an escape.
  return quoted.endsWith("\\") ? `${quoted} ` : quoted;
}

/**
 * Returns start and value in lines of at most that many octets, with CRLF and a space between them (RFC 5545 3.1), without
 * splitting a character or an escape. In one pass, since most of the time of a feed is spent here.
 */
function written(start: string, value: string, table: Table, most: number): string {
  const text = value.toWellFormed(); // a lone surrogate becomes U+FFFD
  let line = start;
  let octets = start.length;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80 && octets < most && table[code] === undefined) {
      octets++;
      continue;
    }
    const replacement = code < firstUnclean ? table[code] : isSeparator(code) ? table[0x0a] : undefined;
    const size = replacement?.length ?? octetsOf(code);
    octets += size;
    if (octets > most) {
      line += `${text.slice(from, index)}\r\n `;
      from = index;
      octets = 1 + size; // the space counts
    }
    if (replacement === undefined) continue;
    line += text.slice(from, index) + replacement;
    if (code === 0x0d && text.charCodeAt(index + 1) === 0x0a) index++; // CRLF is one break
    from = index + 1;
  }
  return line + text.slice(from);
}

function escaping(escapes: Readonly<Record<string, string>>): Table {
  return clean.map((cleaned, code) => escapes[cleaned ?? String.fromCharCode(code)] ?? cleaned);
}

/** U+2028 LINE SEPARATOR, U+2029 PARAGRAPH SEPARATOR. */
function isSeparator(code: number): boolean {
  return code === 0x2028 || code === 0x2029;
}

/** Returns the octets in UTF-8 of a UTF-16 unit. The first half of a pair counts for both. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if ((code & 0xf800) !== 0xd800) return 3;
  return (code & 0xfc00) === 0xd800 ? 4 : 0;
}

/**
 * Returns the URL of a component (RFC 5545 3.8.4.6); "" unless it is http or https. URIs have no escapes of iCalendar (3.3.13).
 */
export function urlLine(url: string, name = "URL"): string {
  if (!/^https?:\/\//i.test(url)) return "";
  const safe = url.toWellFormed().replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g, encodeURIComponent);
  return foldedLine(`${name}:${safe}`);
}
