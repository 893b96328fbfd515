import { expect, test } from "vitest";
import { contrast, surfaces } from "../src/accent.js";
import { colorIdAt, leastMarkContrast, markColors, shownColorId } from "../src/colors.js";

const categories = ["Children", "Concerts", "Members"];
const event = (color_id: string, ...names: string[]) => ({ color_id, categories: names });

test("an event has its own colour, else that of its first category in the order of the calendar", () => {
  expect(shownColorId(event("7", "Concerts"), categories, 20)).toBe("7");
  expect(shownColorId(event("", "Members", "Concerts"), categories, 20)).toBe("3");
  expect(shownColorId(event("15", "Concerts"), categories, 8)).toBe("3"); // of a palette of before
});

test("without a colour and a category that the calendar has, it has none", () => {
  expect(shownColorId(event(""), categories, 20)).toBe("");
  expect(shownColorId(event("", "Draft"), categories, 20)).toBe("");
  expect(shownColorId(event("", "Concerts"), categories, 0)).toBe("");
});

test.each([8, 9, 20])("each of %i colours is given once before one is given again", (count) => {
  const ids = Array.from({ length: count }, (_, position) => colorIdAt(position, count));
  expect(ids.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  expect(colorIdAt(count, count)).toBe("1");
});

test.each(["#000000", "#ffffff", "#ffff33", "#1f77b4", "#332288", "#d9d9d9"])(
  "%s stands out from every surface",
  (color) => {
    for (const scheme of ["light", "dark"] as const)
      expect(contrast(markColors(color)[scheme], surfaces[scheme].extreme)).toBeGreaterThanOrEqual(
        leastMarkContrast,
      );
    expect(markColors("#1f77b4").light).toBe("#1f77b4");
  },
);
