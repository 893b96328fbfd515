import { describe, expect, test } from "vitest";
import { printHtml } from "./html.js";
import { richText, shortText, splitText } from "./text.js";

const hrefs = (text: string): readonly string[] =>
  [...printHtml(richText(text)).matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);

describe("links", () => {
  test.each<[string, readonly string[]]>([
    ["see https://a.example/b.", ["https://a.example/b"]],
    ["(https://a.example/b_(c)), https://a.example!", ["https://a.example/b_(c)", "https://a.example"]],
    ["[x](https://a.example/?q=1&r=2)", ["https://a.example/?q=1&amp;r=2"]],
    ["<https://a.example>", ["https://a.example"]],
    ["HTTP://A.EXAMPLE/ä/日本", ["HTTP://A.EXAMPLE/ä/日本"]],
    ["https://a.example/\u202egpj.exe", ["https://a.example/"]],
    [
      "https:// http://: javascript:alert(1) ftp://a.example mailto:a@b.example www.a.example //a.example",
      [],
    ],
  ])("in %j are %j", (text, expected) => {
    expect(hrefs(text)).toEqual(expected);
  });

  test("a long run of punctuation is processed quickly", () => {
    expect(hrefs(`https://a.example/${")".repeat(60_000)}`)).toEqual(["https://a.example/"]);
  });

  test("the text itself is unchanged", () => {
    const text = "a https://a.example/b. c\nd";
    expect(printHtml(richText(text)).replace(/<[^>]+>/g, "")).toBe(text);
  });
});

describe("long texts", () => {
  test("are split at a word or a line, not for a few letters, and never within a character", () => {
    expect(splitText("short", 10)).toEqual(["short", ""]);
    expect(splitText("one two three four", 10)).toEqual(["one two", "three four"]);
    expect(splitText("twelve chars", 10)).toEqual(["twelve chars", ""]);
    const [beginning, rest] = splitText("🎉".repeat(20), 5);
    expect([beginning, beginning + rest]).toEqual(["🎉🎉", "🎉".repeat(20)]);
  });

  test("in one line are limited to the given length", () => {
    expect(shortText(" a\r\n\tb ", 10)).toBe("a b");
    for (const text of ["one two three four five", "x".repeat(30), "🎉".repeat(30)]) {
      expect(shortText(text, 10).length).toBeLessThanOrEqual(10);
      expect(shortText(text, 10)).toMatch(/…$/);
      expect(shortText(text, 10).isWellFormed()).toBe(true);
    }
  });
});
