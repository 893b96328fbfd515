import Negotiator from "negotiator";
import { de } from "../texts/de.js";
import { en } from "../texts/en.js";
import { es } from "../texts/es.js";
import { fr } from "../texts/fr.js";
import type { Texts } from "../texts/texts.js";

const translations: ReadonlyMap<string, Texts> = new Map(
  [en, de, fr, es].map((texts) => [texts.language, texts]),
);

/** What a visitor reads. */
export interface Language {
  /** The words of the page, in the best language that there is a translation for; else English. */
  readonly texts: Texts;
  /** BCP 47 tag for dates and numbers: the visitor's first choice that Intl knows, translated or not. */
  readonly locale: string;
  /** Attributes for dates when they are in another language than the words. */
  readonly foreign: { readonly lang: string; readonly dir: string } | undefined;
}

/** Reads Accept-Language (RFC 9110 12.5.4). Extensions are dropped: a visitor does not choose another calendar this way. */
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
    .flatMap((tag) => locale(tag))
    .filter(({ baseName }) => Intl.DateTimeFormat.supportedLocalesOf(baseName).length > 0);
}

function locale(tag: string): readonly Intl.Locale[] {
  try {
    const { language, script, region } = new Intl.Locale(tag);
    return [new Intl.Locale([language, script, region].filter((part) => part !== undefined).join("-"))];
  } catch {
    return []; // "*", and what is no language tag
  }
}
