/** An object of an answer. */
export type Item = Readonly<Record<string, unknown>>;

export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
