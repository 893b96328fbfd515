import { androidTexts, type AndroidTexts } from "./android-texts.js";
import { type CategoryTexts, categoryTexts } from "./category-texts.js";
import { type EmbedListTexts, embedListTexts } from "./embed-list-texts.js";
import { type EventTexts, eventTexts } from "./event-texts.js";

/** The words of single pages and parts, each in a file with all its languages. */
export interface PageTexts {
  readonly event: EventTexts;
  readonly embedList: EmbedListTexts;
  readonly android: AndroidTexts;
  readonly categories: CategoryTexts;
}

function textsOf(language: "en" | "de" | "fr" | "es"): PageTexts {
  return {
    event: eventTexts[language],
    embedList: embedListTexts[language],
    android: androidTexts[language],
    categories: categoryTexts[language],
  };
}

export const pageTexts = { en: textsOf("en"), de: textsOf("de"), fr: textsOf("fr"), es: textsOf("es") };
