import { expect, test } from "vitest";
import { fr } from "../texts/fr.js";

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
