/** Returns the names of a text with commas between them, as rows and parameters have them; an empty one has none. */
export function namesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(",");
}

/** Returns the names as a row has those that a follower picked: sorted, so that the same names are the same feed. */
export function sortedNames(names: readonly string[]): string {
  return [...new Set(names)].toSorted().join(",");
}
