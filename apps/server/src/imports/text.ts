import { maxLengths } from "@kalends/spec";

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
