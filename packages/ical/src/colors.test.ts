import { describe, expect, test } from "vitest";
import { cssColor } from "./colors.js";
import { css3Colors } from "./css3-colors.js";

const hex = (rgb: number): string => rgb.toString(16).padStart(6, "0");

describe("the CSS3 name of a colour", () => {
  test("is one of 147, and each of them is its own, or the first of those with its colour", () => {
    const names = Object.entries(css3Colors);
    expect(names.length).toBe(147);
    const others = names.filter(([name, rgb]) => cssColor(hex(rgb)) !== name).map(([name]) => name);
    expect(others).toEqual([
      ...["cyan", "darkgrey", "darkslategrey", "dimgrey", "grey"],
      ...["lightgrey", "lightslategrey", "magenta", "slategrey"],
    ]);
  });

  test.each([
    ["4682b5", "steelblue"],
    ["4682B4", "steelblue"],
    ["010101", "black"],
    ["fefefe", "white"],
    ["0072b2", "steelblue"], // by equal steps of sRGB: darkcyan
    ["009e73", "seagreen"], // darkcyan
    ["bcbd22", "yellowgreen"], // goldenrod
    ["80b1d3", "skyblue"], // by OKLab with all three alike: darkgray
    ["7570b3", "mediumpurple"], // steelblue
    ["999933", "olive"], // darkgoldenrod
  ])("%s is %s", (color, name) => {
    expect(cssColor(color)).toBe(name);
  });

  test("is none for what is no colour", () => {
    for (const text of ["", "red", "#4682b4", "4682b", "4682b44", "46 2b4", "4682b\n"])
      expect(cssColor(text), JSON.stringify(text)).toBeUndefined();
  });

  test("is the same however many colours were asked for in between", () => {
    const before = cssColor("336699");
    for (let rgb = 0; rgb < 2500; rgb++) cssColor(hex(rgb * 6007));
    expect(cssColor("336699")).toBe(before);
  });
});
