const safe = Symbol("html");

/** Markup that this file made: everything in it that came from outside is escaped. */
export interface Html {
  readonly [safe]: string;
}

/** What a template takes. Nothing is printed for undefined. */
export type Part = string | number | Html | readonly Html[] | undefined;

/**
 * Markup from a template. Every value in it is escaped, except markup of this function's own and lists of it. Attribute
 * values stand in double quotes, always. The source's indentation is left out.
 */
export function html(source: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [safe]: compact(source).reduce((whole, text, index) => whole + print(parts[index - 1]) + text) };
}

/** The markup as text, to be sent. */
export function printHtml(markup: Html): string {
  return markup[safe];
}

function print(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  if (safe in part) return part[safe];
  return part.map(printHtml).join("");
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

function compact(source: TemplateStringsArray): readonly string[] {
  const known = compacted.get(source);
  if (known !== undefined) return known;
  const made = source.map((text) => text.replace(/\n\s*/g, "\n"));
  compacted.set(source, made);
  return made;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
