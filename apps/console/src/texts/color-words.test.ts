import { expect, test } from "vitest";
import { colorName } from "./color-words.js";
import { offeredAccents } from "../parts/accent-field.js";
import { en } from "./en.js";

test.each([
  ["#000000", "black"],
  ["#ffffff", "white"],
  ["#808080", "grey"],
  ["#ff0000", "red"],
  ["#1f5fa8", "blue"],
  ["#17594f", "dark turquoise"],
  ["#a65e00", "brown"],
  ["#f6c026", "yellow"],
  ["#4a7a1e", "dark green"],
  ["#b0305c", "pink"],
])("%s is %s", (color, name) => {
  expect(colorName(color, en.colors)).toBe(name);
});

test("the colours that are offered have names that differ", () => {
  const names = offeredAccents.map((color) => colorName(color, en.colors));
  expect(new Set(names).size).toBe(names.length);
});
