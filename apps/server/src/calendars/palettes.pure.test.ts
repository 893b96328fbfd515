import { expect, test } from "vitest";
import { defaultPaletteId, paletteSize } from "./palettes.js";

test("there are ten palettes of 8 to 20 colours, and the default one has 20", () => {
  const ids = Array.from({ length: 30 }, (_, index) => String(index)).filter((id) => paletteSize(id) > 0);
  expect(ids).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  for (const id of ids) {
    expect(paletteSize(id)).toBeGreaterThanOrEqual(8);
    expect(paletteSize(id)).toBeLessThanOrEqual(20);
  }
  expect(paletteSize(defaultPaletteId)).toBe(20);
});
