/** Names are similar up to one typing error in so many characters, and up to two at most: short names resemble those of others. */
const charactersPerError = 7;
const mostErrors = 2;

/**
 * Returns a warning for each environment variable whose name is similar to that of a setting: in another case, with the prefix
 * KALENDS_, or with a typing error. Never the value. Empty variables count as absent.
 */
export function misspelledSettings(
  settings: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    if (settings.includes(name) || value.trim() === "" || isServiceLink(value)) return [];
    const meant = settings.find((setting) => isSimilar(name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${meant}?`];
  });
}

/** Kubernetes and Docker set KALENDS_PORT to such an address for a service of the name kalends. */
function isServiceLink(value: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(value);
}

function isSimilar(name: string, setting: string): boolean {
  const most = Math.min(mostErrors, Math.floor(setting.length / charactersPerError));
  return [name, name.replace(/^KALENDS_/, "")].some((text) => typingErrors(text, setting) <= most);
}

/** Returns how many characters must be added, removed, replaced or swapped with the next one to get from one text to the other. */
function typingErrors(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    rows.push(next);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
