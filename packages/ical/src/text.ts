/** Longest line without its CRLF, in octets of UTF-8 (RFC 5545 3.1). */
const maxOctets = 75;

/** What stands as it is in a TEXT: printable ASCII without `,` `;` `\`, and TAB. */
const plain = /^[\t\x20-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;

/**
 * What the characters below U+00A0 become in every value: a line break is a line feed, other control characters go.
 * Line breaks are all of Unicode's (5.8: CR, LF, CRLF, VT, FF, NEL, LS, PS), for some parsers split lines at each of them.
 * TAB stays: RFC 5545 has it among white space.
 */
const cleaned: readonly (string | undefined)[] = Array.from({ length: 0xa0 }, (_, code) => {
  if ([0x0a, 0x0b, 0x0c, 0x0d, 0x85].includes(code)) return "\n";
  const isControl = (code < 0x20 && code !== 0x09) || code >= 0x7f;
  return isControl ? "" : undefined;
});

/** TEXT (RFC 5545 3.3.11). */
const inText = replacements({ "\n": String.raw`\n`, "\\": "\\\\", ";": String.raw`\;`, ",": String.raw`\,` });

/** A parameter's value between quotes (RFC 6868 3). */
const inQuotes = replacements({ "\n": "^n", "^": "^^", '"': "^'" });

/**
 * A content line with a TEXT value, escaped and folded, with its CRLF; "" when nothing of the value is left.
 * @param start the name with its colon, such as "SUMMARY:"
 */
export function textLine(start: string, value: string): string {
  if (start.length + value.length <= maxOctets && value !== "" && plain.test(value))
    return `${start}${value}\r\n`;
  const escaped = replaced(value, inText);
  return escaped === "" ? "" : foldedLine(start + escaped);
}

/** A parameter's value without its quotes: RFC 6868's escapes and no control characters. */
export function quotable(value: string): string {
  return replaced(value, inQuotes);
}

/** The line in pieces of at most 75 octets, with CRLF behind each (RFC 5545 3.1). It must be well-formed UTF-16. */
export function foldedLine(line: string): string {
  let folded = "";
  let start = 0;
  let octets = 0;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (isSecondHalf(code)) continue; // the first half counted for both
    const size = octetsOf(code);
    octets += size;
    if (octets <= maxOctets) continue;
    folded += `${line.slice(start, index)}\r\n `;
    start = index;
    octets = 1 + size; // the space counts
  }
  return `${folded}${line.slice(start)}\r\n`;
}

function replaced(value: string, table: readonly (string | undefined)[]): string {
  const text = value.toWellFormed(); // a lone surrogate is no Unicode: U+FFFD
  let done = "";
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const replacement = table[code < 0xa0 ? code : isSeparator(code) ? 0x0a : 0x20];
    if (replacement === undefined) continue;
    done += text.slice(start, index) + replacement;
    if (code === 0x0d && text.charCodeAt(index + 1) === 0x0a) index++; // CRLF is one break
    start = index + 1;
  }
  return done + text.slice(start);
}

function replacements(escapes: Readonly<Record<string, string>>): readonly (string | undefined)[] {
  return cleaned.map((clean, code) => escapes[clean ?? String.fromCharCode(code)] ?? clean);
}

function isSeparator(code: number): boolean {
  return code === lineSeparator || code === paragraphSeparator;
}

function isSecondHalf(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** How many octets a character has in UTF-8, told by its UTF-16 code, or the first of its two. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return (code & 0xfc00) === 0xd800 ? 4 : 3;
}
