import { describe, expect, test } from "vitest";
import { accentColors, contrast, defaultAccent, leastContrast, surfaces } from "../src/accent.js";

/** 1,000 colours of a generator with a fixed seed, and the corners of the cube. */
function accents(): readonly string[] {
  let state = Number(process.env["KALENDS_SEED"] ?? 41);
  const random = Array.from({ length: 1_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `#${(state >>> 8).toString(16).padStart(6, "0")}`;
  });
  return [...random, "#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff"];
}

const schemes = ["light", "dark"] as const;

describe.each(schemes)("the colours of a %s page (extensions X11.1)", (scheme) => {
  const { extreme, card } = surfaces[scheme];

  test("have a contrast of 4.5 in every text, of 1,000 random accents", () => {
    for (const chosen of accents()) {
      const { accent, on_accent, accent_ink, accent_wash } = accentColors(chosen)[scheme];
      expect(accent).toBe(chosen);
      expect(["#000000", "#ffffff"]).toContain(on_accent);
      const pairs = [
        [on_accent, accent],
        [accent_ink, extreme],
        [accent_ink, card],
        [accent_ink, accent_wash],
      ] as const;
      for (const [text, surface] of pairs)
        expect([chosen, text, surface, contrast(text, surface) >= leastContrast]).toEqual([
          chosen,
          text,
          surface,
          true,
        ]);
    }
  });

  test("keep an accent that is legible as it is, and change another no more than is needed", () => {
    for (const chosen of accents()) {
      const { accent_ink, accent_wash } = accentColors(chosen)[scheme];
      const least = (color: string) => Math.min(contrast(color, extreme), contrast(color, accent_wash));
      if (least(chosen) >= leastContrast) expect(accent_ink).toBe(chosen);
      else expect([chosen, least(accent_ink) < 4.9]).toEqual([chosen, true]);
    }
  });
});

test("black on white has a contrast of 21, and a colour on itself 1", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#808080", "#808080")).toBe(1);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test.each(["", "#fff", "red", "#12345g", "#17594f;}"])(
  "%j is no accent: the default one counts",
  (chosen) => {
    expect(accentColors(chosen)).toEqual(accentColors(defaultAccent));
  },
);

test("capitals count as small letters", () => {
  expect(accentColors("#C0FFEE")).toEqual(accentColors("#c0ffee"));
});
