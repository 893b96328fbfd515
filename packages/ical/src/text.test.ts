import { describe, expect, test } from "vitest";
import { foldedLine, oneLine, quotable, textLine } from "./text.js";

const octets = (line: string): number => Buffer.byteLength(line);

describe("a line", () => {
  test("of 75 octets is one, of 76 it is two", () => {
    const start = "SUMMARY:";
    for (const character of ["x", "ß", "東", "🎉"]) {
      const size = octets(character);
      const padding = "x".repeat(75 - octets(start) - size);
      expect(textLine(start, padding + character)).toBe(`${start}${padding}${character}\r\n`);
      expect(textLine(start, `x${padding}${character}`)).toBe(`${start}x${padding}\r\n ${character}\r\n`);
    }
  });

  test("goes on after the fold's space, which counts", () => {
    expect(foldedLine("x".repeat(75 + 74 + 74 + 1))).toBe(
      `${"x".repeat(75)}\r\n ${"x".repeat(74)}\r\n ${"x".repeat(74)}\r\n x\r\n`,
    );
  });

  test("is cut neither in a character nor in an escape, wherever it is too long", () => {
    for (let length = 50; length < 80; length++) {
      const line = textLine("SUMMARY:", `${"x".repeat(length)}\\;,\n🎉\\;,\n🎉東ß`);
      const pieces = line.slice(0, -2).split("\r\n");
      for (const piece of pieces) {
        expect(octets(piece)).toBeLessThanOrEqual(75);
        expect(piece.isWellFormed()).toBe(true);
        expect(piece).toMatch(/^ ?(?:[^\\]|\\[\\;,n])*$/u);
      }
      expect(pieces.join("").replaceAll(" ", "")).toBe(
        `SUMMARY:${"x".repeat(length)}\\\\\\;\\,\\n🎉\\\\\\;\\,\\n🎉東ß`,
      );
    }
  });

  test("has the spaces of its text on both sides of a fold", () => {
    const text = `${" ".repeat(200)}x`;
    expect(textLine("SUMMARY:", text).replaceAll("\r\n ", "")).toBe(`SUMMARY:${text}\r\n`);
  });
});

describe("a text", () => {
  test.each([
    ["plain, and more", "plain\\, and more"],
    ["a;b", "a\\;b"],
    ["a\\nb", "a\\\\nb"],
    ['a:b"c=d', 'a:b"c=d'],
    ["\t a\tb ", "\t a\tb "],
    ["a\r\nb\rc\nd", "a\\nb\\nc\\nd"],
    ["a\n\rb", "a\\n\\nb"],
    ["a\vb\fc\u0085d\u2028e\u2029f", "a\\nb\\nc\\nd\\ne\\nf"],
    ["a\0b\u0007c\u001Bd\u007Fe\u009Bf", "abcdef"],
    ["a\uD83Cb", "a\uFFFDb"],
    ["\uDF89\uD83C", "\uFFFD\uFFFD"],
    ["👩‍👩‍👧‍👦 \u202Eهلا\u202C e\u0301 \uFEFF", "👩‍👩‍👧‍👦 \u202Eهلا\u202C e\u0301 \uFEFF"],
  ])("%j is written as %j", (text, written) => {
    expect(textLine("DESCRIPTION:", text)).toBe(`DESCRIPTION:${written}\r\n`);
  });

  test.each([
    ["a\u2028b\u2029c", "a b c"],
    ["a\r\nb\rc\nd\ve\ff\u0085", "a b c d e f "],
    ["a\tb", "a\tb"],
  ])("of one line: %j is written as %j", (text, written) => {
    expect(oneLine("SUMMARY:", text)).toBe(`SUMMARY:${written}\r\n`);
  });

  test.each(["", "\0", "\u0007\u001B", " ", "\t \t", " ".repeat(200), " \0 \u009B"])(
    "%j has no line",
    (text) => {
      expect(textLine("DESCRIPTION:", text)).toBe("");
      expect(oneLine("SUMMARY:", `${text}\u2028`)).toBe("");
    },
  );
});

test.each([
  ['Jane "JD" Doe', "Jane ^'JD^' Doe"],
  ["a^b^n", "a^^b^^n"],
  ["a\r\nb\u2028c\0d", "a b cd"],
  ["C:\\a\\", "C:\\a\\ "], // libical takes a backslash before the closing quote for an escape
  ["\\\0", "\\ "],
  ["a\\n;b:c,d", "a\\n;b:c,d"],
])("between quotes %j is written as %j", (text, written) => {
  expect(quotable(text)).toBe(written);
});
