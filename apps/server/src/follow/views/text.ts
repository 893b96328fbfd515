import { html, type Html } from "./html.js";

/** Links open nothing of ours to the other side, and search engines do not count them. */
const rel = "noopener noreferrer nofollow ugc";

/** Up to the next blank, bracket or quote, and without invisible characters, which could make an address look like another. */
const address = /https?:\/\/[^\s<>"'`\p{C}]+/giu;

/** A text with its line breaks; http and https addresses become links. */
export function richText(text: string): Html {
  const parts: Html[] = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = withoutPunctuation(found);
    if (!URL.canParse(href)) continue;
    parts.push(html`${text.slice(done, index)}<a href="${href}" rel="${rel}">${href}</a>`);
    done = index + href.length;
  }
  return html`${parts}${text.slice(done)}`;
}

/** What ends a sentence does not belong to an address; a closing bracket does when its opening one is in it. */
function withoutPunctuation(found: string): string {
  const left = new Map<string, number>();
  for (const character of found) left.set(character, (left.get(character) ?? 0) + 1);
  const count = (character: string): number => left.get(character) ?? 0;
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const opening = brackets[last];
    const isOver = opening === undefined ? ".,;:!?…*".includes(last) : count(opening) < count(last);
    if (!isOver) break;
    left.set(last, count(last) - 1);
  }
  return found.slice(0, end);
}

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The beginning of a long text and the rest of it, cut at the end of a line or a word. */
export function splitText(text: string, length: number): readonly [beginning: string, rest: string] {
  if (text.length <= length * 1.3) return [text, ""];
  const beginning = text.slice(0, length);
  const cut = Math.max(beginning.lastIndexOf("\n"), beginning.lastIndexOf(" "));
  // Without a blank in sight it is cut anywhere but within a character.
  const at = cut > length / 2 ? cut : length - (beginning.isWellFormed() ? 0 : 1);
  return [text.slice(0, at), text.slice(at).trimStart()];
}

/** One line of at most that length, for places that take no more. */
export function shortText(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  return `${splitText(line, length - 1)[0]
    .trimEnd()
    .slice(0, length - 1)
    .toWellFormed()}…`;
}
