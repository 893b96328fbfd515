import type { EventRow, EventSearchRow } from "../db/rows.js";

// A search compares texts without case and accents, so each event has its texts in that form beside it, and a mark of which pairs of
// letters they have: most events are passed over by comparing integers (docs/decisions/0020-lists-for-people.md).

/** UTF-16 units of a description that are searched: a search reads them all. */
const searchedUnits = 8_000;

/** Accents and other marks that people leave out, and characters that are not seen. Vowel signs of Indic scripts are letters. */
const marks =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]|\p{Cf}/gu;

/** Letters with a stroke and the like, which Unicode does not decompose, and the sigma at the end of a word. */
const strokes: ReadonlyMap<string, string> = new Map([
  ["ł", "l"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["þ", "th"],
  ["ς", "σ"],
]);
const stroked = new RegExp(`[${[...strokes.keys()].join("")}]`, "gu");

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7F]*$/;

/**
 * More marks on one letter than Unicode's Stream-Safe Text Format allows (UAX #15): to normalize a run of them takes the square of its
 * length.
 */
const moreMarks = /(\p{M}{30})\p{M}+/gu;

/** Returns a text without case, accents and forms of width. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .replace(moreMarks, "$1")
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .toUpperCase() // ß as ss
    .toLowerCase()
    .replace(stroked, (letter) => strokes.get(letter) ?? letter)
    .normalize("NFC");
}

/** Returns the words of a query, each once. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(fold(query).split(/\s+/u))].filter((word) => word !== "");
}

type Letters = readonly [number, number, number, number];

/** Bits of half a column: JavaScript's operators take 32. */
const halfBits = 26;
const halves = 8;

/** Returns which pairs of letters some texts have, as bits. A text has all the bits of each of its parts. */
export function lettersOf(texts: readonly string[]): Letters {
  const bits = new Int32Array(halves);
  for (const text of texts)
    for (let index = 1, before = text.charCodeAt(0); index < text.length; index++) {
      const letter = text.charCodeAt(index);
      if (before > 32 && letter > 32) {
        const bit = (Math.imul(Math.imul(before, 0x9e37) ^ letter, 0x9e3779b1) >>> 8) % (halves * halfBits);
        const half = Math.floor(bit / halfBits);
        bits[half] = (bits[half] ?? 0) | (1 << (bit % halfBits));
      }
      before = letter;
    }
  const column = (index: number): number =>
    (bits[2 * index] ?? 0) * 2 ** halfBits + (bits[2 * index + 1] ?? 0);
  return [column(0), column(1), column(2), column(3)];
}

export type Searched = Omit<EventSearchRow, "calendar_id" | "event_id">;
export type SearchedTexts = Pick<EventRow, "title" | "location" | "description">;

export function searchedOf({ title, location, description }: SearchedTexts): Searched {
  const texts = `${title}\n${location}\n${beginning(description, searchedUnits)}`;
  // A ligature becomes up to 18 letters, and what a write stores is charged by its texts.
  const folded = beginning(fold(texts), 2 * texts.length + 64);
  const [letters_1, letters_2, letters_3, letters_4] = lettersOf([folded]);
  return { letters_1, letters_2, letters_3, letters_4, folded };
}

function beginning(text: string, units: number): string {
  return text.length > units ? text.slice(0, units).toWellFormed() : text;
}

/** Whether two states of an event are found by the same words. */
export function isFoundAs(one: SearchedTexts, other: SearchedTexts): boolean {
  return (
    one.title === other.title && one.location === other.location && one.description === other.description
  );
}
