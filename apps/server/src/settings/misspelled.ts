import leven from "leven";

/** How many characters of a name one typing error is allowed for: short names resemble those of other programs. */
const charactersPerError = 6;
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
    // Kubernetes and Docker set KALENDS_PORT to an address for a service of the name kalends.
    if (settings.includes(name) || value.trim() === "" || /^(?:tcp|udp|sctp):\/\//.test(value)) return [];
    const meant = settings.find((setting) => isSimilar(name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${meant}?`];
  });
}

function isSimilar(name: string, setting: string): boolean {
  const most = Math.min(mostErrors, Math.floor(setting.length / charactersPerError));
  return [name, name.replace(/^KALENDS_/, "")].some((text) => leven(text, setting) <= most);
}
