/** Splits the names of a row or a parameter, which are separated by commas; an empty text has none. */
export function namesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(",");
}

/** Joins the names that a follower picked: sorted, so that the same names are the same feed. */
export function sortedNames(names: readonly string[]): string {
  return [...new Set(names)].toSorted().join(",");
}
