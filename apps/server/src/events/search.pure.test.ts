import { expect, test } from "vitest";
import { fold, searchedOf, wordsOf } from "./search.js";

// What is compared of an event is made within its write (extensions X8.1, docs/limits.md).

const described = (description: string) => searchedOf({ title: "Fair", location: "", description });

test.each([
  ["a ligature of 18 letters", "\uFDFA"],
  ["fractions", "\u00BC"],
  ["notes of music, whose marks are decomposed", "\u{1D160}"],
  ["letters with a dot that no letter composes", "\u0958"],
])("the folded texts are at most twice as long as the texts: %s", (_name, character) => {
  const description = character.repeat(8_000 / character.length);
  expect(described(description).folded.length).toBeLessThanOrEqual(2 * description.length + 100);
});

test("a short text is found whole, whatever it becomes", () => {
  const { folded } = searchedOf({ title: "\uFDFA", location: "", description: "" });
  expect(wordsOf("\uFDFA").every((word) => folded.includes(word))).toBe(true);
});

test("a text of nothing but marks takes little of the processor", () => {
  const texts = ["\u0315\u0300\u05AE", "\u0F71\u0F72\u0F74", "e\u0301\u0327\u0315"].map((marks) =>
    marks.repeat(8_000 / marks.length),
  );
  const before = process.cpuUsage();
  for (const text of texts) for (let times = 0; times < 10; times++) described(text);
  const { user } = process.cpuUsage(before);
  expect(user / 30_000).toBeLessThan(5); // ms of each; without a bound 10 and more
});

test("what people write is folded as it was", () => {
  expect(fold("Straße Łódź İstanbul ΣΊΣΥΦΟΣ ﬁn １２３")).toBe("strasse lodz istanbul σισυφοσ fin 123");
  expect(fold("שָׁלוֹם")).toBe("שלום");
  expect(fold("हिन्दी")).toBe("हिन्दी");
});
