/**
 * The values of a column before and after. A long text is stored once, as it was before: of the later text there is an excerpt,
 * and where that begins.
 */
export type Difference = readonly [before: Value, after: Value, from?: number];
type Value = string | number | null;

/** UTF-16 units of a text that are stored a second time, and how many of them stand before the first that differs. */
const [excerptUnits, unitsBefore] = [1_000, 40];

/** Values of the column `publication`; for a draft with a publication time it is that time, in Unix seconds. */
export const [published, unpublished] = [-1, 0] as const;

/** Returns the differences of two states, by column. A column that one state lacks does not differ. */
export function differencesOf<Name extends string>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, Value>>>,
  after: Readonly<Partial<Record<Name, Value>>>,
): Readonly<Record<string, Difference>> {
  const found: Record<string, Difference> = {};
  for (const name of names) {
    const [was, is] = [before[name], after[name]];
    if (was !== is && was !== undefined && is !== undefined) found[name] = difference(was, is);
  }
  return found;
}

function difference(before: Value, after: Value): Difference {
  if (typeof before !== "string" || typeof after !== "string" || after.length <= excerptUnits)
    return [before, after];
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  from = Math.max(0, from - unitsBefore);
  if (/[\udc00-\udfff]/.test(after[from] ?? "")) from--; // not in the middle of a surrogate pair
  return [before, wellFormed(after.slice(from, from + excerptUnits)), from];
}

/** Returns both values of a difference as they are shown: of a long text an excerpt, with ellipses. */
export function excerpts(
  [before, after, from]: Difference,
  print: (value: Value) => string,
): readonly [before: string, after: string] {
  const [was, is] = [print(before), print(after)];
  const start = from ?? 0;
  const part = wellFormed(was.slice(start, start + excerptUnits));
  const [begins, ends] = [start > 0 ? "…" : "", was.length > start + excerptUnits ? "…" : ""];
  return [
    `${begins}${part}${ends}`,
    `${begins}${is}${from !== undefined && is.length >= excerptUnits - 1 ? "…" : ""}`,
  ];
}

/** Returns a text without the half of a surrogate pair that it may end with. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}
