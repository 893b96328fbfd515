import { ApiError } from "../http/errors.js";
import { fileText } from "../http/file-text.js";

/** A content line (RFC 5545 3.1), unfolded. */
export interface ContentLine {
  /** In upper case. */
  readonly name: string;
  /** From after the name: parameters, a colon, the value. */
  readonly rest: string;
  /** Whether its end was left out, since it is longer than any that is used. */
  readonly isCut: boolean;
}

/** Longest line that is kept, in UTF-16 units: a description of the longest, each character escaped, and some more. */
const longestLine = 140_000;

/** Longest name of a property or component. */
const longestName = 64;

/**
 * Reads the lines of a file one physical line at a time, so that the caller can stop for others after any of them, however
 * they are folded. Lines end in LF, however many CR are before it; in a file without LF, in CR. A line in quoted-printable
 * that ends in "=" goes on in the next one (RFC 2045 6.7), unless a component begins or ends there.
 */
export class LineReader {
  private readonly text: string;
  private readonly separator: "\n" | "\r";
  private position = 0;
  private current: string[] | undefined;
  private length = 0;
  private isCut = false;
  private isQuotedPrintable = false;
  private isSoftBroken = false;

  constructor(text: string) {
    this.text = text;
    this.separator = text.includes("\n") ? "\n" : "\r";
    if (text.startsWith("\uFEFF")) this.position = 1;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length && this.current === undefined;
  }

  /** Reads one physical line. Returns the content line that is complete with it, if one is. */
  step(): ContentLine | undefined {
    const { text, position } = this;
    if (position >= text.length) return this.take();
    const found = text.indexOf(this.separator, position);
    const end = found === -1 ? text.length : found;
    this.position = end + 1;
    const goesOn = this.isSoftBroken && !/^(?:BEGIN|END):/i.test(text.slice(position, position + 6));
    const isFolded = !goesOn && (text[position] === " " || text[position] === "\t");
    const from = isFolded ? position + 1 : position;
    let to = end;
    while (to > from && text[to - 1] === "\r") to--;
    if (isFolded || goesOn) {
      this.add(from, to);
      return undefined;
    }
    const complete = this.take();
    if (to > from) {
      this.current = [];
      this.isQuotedPrintable = quotedPrintable.test(text.slice(from, Math.min(to, from + longestHead)));
      this.add(from, to);
    }
    return complete;
  }

  private add(from: number, lineEnd: number): void {
    if (this.current === undefined) return; // a fold of nothing
    this.isSoftBroken = this.isQuotedPrintable && lineEnd > from && this.text[lineEnd - 1] === "=";
    const to = this.isSoftBroken ? lineEnd - 1 : lineEnd;
    const left = longestLine - this.length;
    if (to - from > left) this.isCut = true;
    const piece = this.text.slice(from, Math.min(to, from + left));
    if (piece !== "") this.current.push(piece);
    this.length += piece.length;
  }

  private take(): ContentLine | undefined {
    if (this.current === undefined) return undefined;
    const line = this.current.join("");
    const { isCut } = this;
    [this.current, this.length, this.isCut, this.isSoftBroken] = [undefined, 0, false, false];
    const [name = ""] = nameForm.exec(line) ?? [];
    return { name: name.toUpperCase(), rest: line.slice(name.length), isCut };
  }
}

const nameForm = new RegExp(`^[A-Za-z0-9_.-]{1,${longestName}}(?=[;:])`);

/** Returns the value of a line without its parameters; undefined when it has no colon. */
export function valueOf({ rest }: ContentLine): string | undefined {
  let isQuoted = false;
  for (let index = 0; index < rest.length; index++) {
    const character = rest[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === ":" && !isQuoted) return rest.slice(index + 1);
  }
  // A quote that is never closed: the first colon is the best guess, as most apps read it.
  const colon = rest.indexOf(":");
  return colon === -1 ? undefined : rest.slice(colon + 1);
}

/** Where a zone is looked for, in UTF-16 units. */
const longestHead = 1_024;

/** A TZID without quotes, up to the value or the next parameter: the value begins after the last colon that leaves a date. */
const bareZone = /;TZID=((?:[^";]|;(?![\w-]+=))*)(?=(?:;[\w-]+=[^";:]*)*:\s*\d{8})/i;

/** A TZID without a value, before other parameters and a date. */
const emptyZone = /;TZID=\s*(?:"\s*")?(?=(?:;[\w-]+=[^";:]*)*:\s*\d{8})/i;

/** Returns a line of times without a TZID that has no value. */
export function withoutEmptyZone(line: ContentLine): ContentLine {
  const head = line.rest.slice(0, longestHead);
  const without = head.replace(emptyZone, "");
  return without === head ? line : { ...line, rest: without + line.rest.slice(longestHead) };
}

/** Returns a line of times whose TZID has the quotes that it needs (RFC 5545 3.2): Outlook writes `TZID=tzone://Microsoft/Utc`. */
export function withQuotedZone(line: ContentLine): ContentLine {
  const head = line.rest.slice(0, longestHead);
  const quoted = head.replace(bareZone, (parameter, zone: string) =>
    /[:;]/.test(zone) ? `;TZID="${zone}"` : parameter,
  );
  return quoted === head ? line : { ...line, rest: quoted + line.rest.slice(longestHead) };
}

/** The parameters of a value in quoted-printable (vCalendar 1.0), of which older programs write only the value. */
const quotedPrintable = /^(?:[^":]|"[^"]*")*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;

/** Returns a line with its value decoded, where that is in quoted-printable. What is no character of its CHARSET is U+FFFD. */
export function withDecodedValue(line: ContentLine): ContentLine {
  const value = quotedPrintable.test(line.rest.slice(0, longestHead)) ? valueOf(line) : undefined;
  if (value === undefined) return line;
  const head = line.rest.slice(0, line.rest.length - value.length);
  const [, charset] = /;CHARSET="?([^";:]+)/i.exec(head) ?? [];
  const latin = Buffer.from(value).toString("latin1");
  const decoded = latin.replaceAll(/=(?:([\dA-F]{2})|$)/gi, (_match, code: string | undefined) =>
    code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16)),
  );
  // fileText would take line ends for folds.
  const bytes = Buffer.from(decoded.replaceAll("\n", lineMark), "latin1");
  const text = decodedText(bytes, charset).replaceAll(lineMark, "\n");
  return { ...line, rest: head + text };
}

/** Stands for a line end while a value is decoded: a character that no text has. */
const lineMark = "\u001F";

function decodedText(bytes: Buffer, charset: string | undefined): string {
  try {
    return fileText(bytes, charset && `text/plain; charset=${charset}`).text;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return bytes.toString();
  }
}

/** A TEXT (RFC 5545 3.3.11). Not by the parser, whose time for long lines and their parameters has no bound. */
export function unescaped(line: ContentLine): string {
  const value = valueOf(line) ?? "";
  return value.replaceAll(/\\(.)/gs, (_match, code: string) => (code === "n" || code === "N" ? "\n" : code));
}
