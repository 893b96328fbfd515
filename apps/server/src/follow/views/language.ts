import Negotiator from "negotiator";
import { de } from "../texts/de.js";
import { en, type Texts } from "../texts/en.js";
import { es } from "../texts/es.js";
import { fr } from "../texts/fr.js";

const translations: ReadonlyMap<string, Texts> = new Map(
  [en, de, fr, es].map((texts) => [texts.language, texts]),
);

export interface Language {
  /** The visitor's preferred translation; English if there is none. */
  readonly texts: Texts;
  /** BCP 47 tag for dates and numbers: the visitor's first choice that Intl supports, translated or not. */
  readonly locale: string;
  /** Attributes of dates; undefined when they are in the language of the texts. */
  readonly foreign: { readonly lang: string; readonly dir: string } | undefined;
}

/** What every page needs besides its content. */
export interface PageContext {
  readonly language: Language;
  /** URL of the service. Its path, if any, is `root`. */
  readonly baseUrl: string;
  /** Path prefix of the service. */
  readonly root: string;
}

/**
 * Returns the language for an Accept-Language header (RFC 9110 12.5.4). Drops extensions, because they could select
 * another calendar system.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const accepted = acceptedLocales(acceptLanguage ?? "");
  const texts = accepted.flatMap(({ language }) => translations.get(language) ?? [])[0] ?? en;
  const [first] = accepted;
  if (first === undefined) return { texts, locale: "en", foreign: undefined };
  const { baseName, language } = first;
  if (language === texts.language) return { texts, locale: baseName, foreign: undefined };
  const dir = rightToLeft.has(language) ? "rtl" : "ltr";
  return { texts, locale: baseName, foreign: { lang: baseName, dir } };
}

const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"]);

/** Bounds the work for one request: the rest of a longer header is ignored. */
const maxHeaderLength = 500;
const maxLanguages = 10;

/** Returns the visitor's languages that Intl supports, the preferred one first. */
function acceptedLocales(header: string): readonly Intl.Locale[] {
  return new Negotiator({ headers: { "accept-language": header.slice(0, maxHeaderLength) } })
    .languages()
    .slice(0, maxLanguages)
    .flatMap((tag) => parseLocale(tag))
    .filter(({ baseName }) => Intl.DateTimeFormat.supportedLocalesOf(baseName).length > 0);
}

/** Returns the locale in a list, or an empty list for "*" and malformed tags. */
function parseLocale(tag: string): readonly Intl.Locale[] {
  try {
    const { language, script, region } = new Intl.Locale(tag);
    return [new Intl.Locale([language, script, region].filter((part) => part !== undefined).join("-"))];
  } catch {
    return [];
  }
}
