import type { Texts } from "./en.js";

const loaders = {
  en: async () => (await import("./en.js")).en,
  de: async () => (await import("./de.js")).de,
  fr: async () => (await import("./fr.js")).fr,
  es: async () => (await import("./es.js")).es,
} satisfies Record<string, () => Promise<Texts>>;

export type Language = keyof typeof loaders;

/** Names of the languages, each in its own. */
export const languages: readonly (readonly [Language, string])[] = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["fr", "Français"],
  ["es", "Español"],
];

/** The words that are shown. Set before anything is. */
export let t: Texts;
/** BCP 47 tag of dates and numbers: the reader's own of that language, such as en-GB. */
export let locale = "en";

export function isLanguage(text: string | null | undefined): text is Language {
  return languages.some(([language]) => language === text);
}

/** Loads the words of a language, and shows those from now on. */
export async function loadTexts(language: Language): Promise<void> {
  t = await loaders[language]();
  locale = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
  document.documentElement.lang = language;
}

const key = "kalends-language";

/** The language that was chosen on this device. */
export function chosenLanguage(): Language | undefined {
  try {
    const kept = localStorage.getItem(key);
    return isLanguage(kept) ? kept : undefined;
  } catch {
    return undefined; // storage is refused
  }
}

export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language);
  } catch {
    // It counts until the page is loaded again.
  }
}
