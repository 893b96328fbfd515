import { expect, test } from "vitest";
import { de } from "../texts/de.js";
import { en } from "../texts/en.js";
import { es } from "../texts/es.js";
import { fr } from "../texts/fr.js";
import { letterText } from "../mail-letter.js";

/** All words of a language, with a name or number where they take one. */
function wordsOf(texts: unknown): readonly string[] {
  if (typeof texts === "string") return [texts];
  if (typeof texts === "function") return [String(texts("2", "2"))];
  return typeof texts === "object" && texts !== null ? Object.values(texts).flatMap(wordsOf) : [];
}

test("no line of a French page ends before : ; ? ! or », or after «", () => {
  const words = wordsOf(fr);
  expect(words.length).toBeGreaterThan(150);
  expect(words.filter((text) => / [:;?!»]|« /.test(text))).toEqual([]);
  expect(words.filter((text) => /\u00a0[:;?!»]|«\u00a0/.test(text)).length).toBeGreaterThan(20);
});

test("a colon of a French message is after a no-break space, and a sentence with a number or a date is one", () => {
  const letter = {
    title: "x",
    paragraphs: [],
    items: [{ label: fr.news.kinds.moved, title: "Concert", lines: [] }],
    button: { label: fr.news.open, url: "https://a.example" },
    end: ["y"],
    stop: { label: fr.news.stopLink, url: "https://b.example" },
  };
  const text = letterText({ ...letter, language: "fr" });
  for (const line of [
    "Déplacé\u00a0: Concert",
    `${fr.news.open}\u00a0:\n`,
    `${fr.news.stopLink}\u00a0: https`,
  ])
    expect(text).toContain(line);
  expect(letterText({ ...letter, language: "de" })).toContain("Déplacé: Concert");
  expect([1, 2].map(de.event.alsoMore)).toEqual(["und 1 weiterer", "und 2 weitere"]);
  expect(fr.news.signInUntil("21 novembre 2026")).toContain("jusqu’au 21 novembre");
  expect(es.news.signInUntil("21 de noviembre de 2026")).toContain("hasta el 21 de");
});

test("a German page addresses its reader formally, as a French one does", () => {
  const words = wordsOf(de);
  expect(
    words.filter((text) =>
      /(?<!\p{L})(?:du|dich|dir|dein\p{L}*|folge|wähle|öffne|kopiere|füge|prüfe)(?!\p{L})/iu.test(text),
    ),
  ).toEqual([]);
  expect(words.filter((text) => /\b(?:Sie|Ihre?[nmrs]?)\b/.test(text)).length).toBeGreaterThan(40);
  expect(wordsOf(fr).filter((text) => /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu.test(text))).toEqual([]);
});

test("no sentence of another language is in English", () => {
  const english = new Set(wordsOf(en).filter((text) => /[a-z]+ [a-z]+ [a-z]+/.test(text)));
  for (const language of [de, es, fr])
    expect(wordsOf(language).filter((text) => english.has(text))).toEqual([]);
});

test("an address is that of an e-mail or of a network: a link is called a link", () => {
  for (const language of [en, de, es, fr]) {
    const named = wordsOf(language).filter((text) => /address|adress|direcci/i.test(text));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((text) => !/\b(?:e-mail|correo|IP)\b/i.test(text))).toEqual([]);
  }
});
