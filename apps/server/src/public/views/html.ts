const safe = Symbol("html");

/** Markup created by `html`: every other value in it is escaped. */
export interface Html {
  readonly [safe]: string;
}

/** A value in a template. Undefined prints nothing. */
export type Part = string | number | Html | readonly Html[] | undefined;

/**
 * Returns markup from a template. Escapes every value except markup of this function and lists of it. Attribute values
 * must be in double quotes. Removes the indentation of the source.
 */
export function html(source: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [safe]: compact(source).reduce((whole, text, index) => whole + print(parts[index - 1]) + text) };
}

/** Returns data for machines as a JSON-LD element, which no text in it can end. No browser runs it, so every policy allows it. */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return { [safe]: `<script type="application/ld+json">${json}</script>` };
}

export function printHtml(markup: Html): string {
  return markup[safe];
}

function print(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number")
    return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? "");
  if (safe in part) return part[safe];
  return part.map(printHtml).join("");
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

function compact(source: TemplateStringsArray): readonly string[] {
  const cached = compacted.get(source);
  if (cached !== undefined) return cached;
  const texts = source.map((text) => text.replace(/\n\s*/g, "\n"));
  compacted.set(source, texts);
  return texts;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
