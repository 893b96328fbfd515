import { expect, test } from "vitest";
import { isVisible } from "./titles.js";

test("spaces, controls and what Unicode says to ignore are not seen; letters, marks and emoji are", () => {
  const hidden = [
    "",
    " \t\n",
    "\u00A0\u2003\u3000",
    "\u200B\u2060\uFEFF",
    "\u202E",
    "\u3164\u115F\u2800",
    "\uFE0F",
  ];
  expect(hidden.filter(isVisible)).toEqual([]);
  const seen = ["Chor", " . ", "\u202EChor", "👩‍👩‍👧", "❤️", "ปี", "0"];
  expect(seen.filter(isVisible)).toEqual(seen);
});
