import { html, type Html } from "./html.js";

/** Links give the target no access to our page, and search engines ignore them. */
const rel = "noopener noreferrer nofollow ugc";

/** Ends at white space, brackets, quotes and invisible characters, which could disguise an address. */
const address = /https?:\/\/[^\s<>"'`\p{C}]+/giu;

/** Renders a text; http and https addresses become links. */
export function richText(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = withoutPunctuation(found);
    if (!URL.canParse(href)) continue;
    parts.push(html`${text.slice(end, index)}<a href="${href}" rel="${rel}">${href}</a>`);
    end = index + href.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** Removes trailing punctuation. A closing bracket belongs to the address when its opening one does. */
function withoutPunctuation(found: string): string {
  const counts = new Map<string, number>();
  for (const character of found) counts.set(character, (counts.get(character) ?? 0) + 1);
  const count = (character: string): number => counts.get(character) ?? 0;
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const opening = brackets[last];
    const isTrailing = opening === undefined ? ".,;:!?…*".includes(last) : count(opening) < count(last);
    if (!isTrailing) break;
    counts.set(last, count(last) - 1);
  }
  return found.slice(0, end);
}

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Splits a long text at the end of a line or word into its beginning and the rest. */
export function splitText(text: string, length: number): readonly [beginning: string, rest: string] {
  if (text.length <= length * 1.3) return [text, ""];
  const beginning = text.slice(0, length);
  const cut = Math.max(beginning.lastIndexOf("\n"), beginning.lastIndexOf(" "));
  // Without a blank nearby it is split anywhere except within a surrogate pair.
  const at = cut > length / 2 ? cut : length - (beginning.isWellFormed() ? 0 : 1);
  return [text.slice(0, at), text.slice(at).trimStart()];
}

/** Returns the text as one line of at most `length` UTF-16 code units. */
export function shortText(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  return `${splitText(line, length - 1)[0]
    .trimEnd()
    .slice(0, length - 1)
    .toWellFormed()}…`;
}
