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
  const wanted = wantedLocales(acceptLanguage ?? "");
  const texts = wanted.flatMap(({ language }) => translations.get(language) ?? [])[0] ?? en;
  const [first] = wanted;
  if (first === undefined) return { texts, locale: "en", foreign: undefined };
  const { baseName, language } = first;
  if (language === texts.language) return { texts, locale: baseName, foreign: undefined };
  const dir = rightToLeft.has(language) ? "rtl" : "ltr";
  return { texts, locale: baseName, foreign: { lang: baseName, dir } };
}

const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"]);

/** A longer header is cut: nobody reads that many languages. */
const longestHeader = 500;
const mostLanguages = 10;

function wantedLocales(header: string): readonly Intl.Locale[] {
  const choices = header
    .slice(0, longestHeader)
    .split(",")
    .slice(0, mostLanguages)
    .map((item) => {
      const [tag = "", weight = ""] = item.split(";");
      const quality = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(weight)?.[1];
      return { tag: tag.trim(), quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0);
  return choices
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => locale(tag))
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
