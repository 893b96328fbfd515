import { t } from "./current.js";

type Hue = keyof typeof t.colors.hues;

/** Where each hue ends, in degrees. */
const ends: readonly (readonly [number, Hue])[] = [
  [14, "red"],
  [40, "orange"],
  [66, "yellow"],
  [155, "green"],
  [193, "turquoise"],
  [250, "blue"],
  [290, "violet"],
  [345, "pink"],
  [360, "red"],
];

/** A colour of the form `#rrggbb` in words: "dark blue". */
export function colorName(color: string, { hues, light, dark } = t.colors): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  if (red === undefined || green === undefined || blue === undefined) return color;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [range, lightness] = [most - least, (most + least) / 2];
  const shade = lightness > 0.7 ? light : lightness < 0.32 ? dark : undefined;
  const said = (hue: Hue): string => (shade === undefined ? hues[hue] : shade(hues[hue]));
  if (range < 0.1) return lightness < 0.1 ? hues.black : lightness > 0.95 ? hues.white : said("grey");
  const turn =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  const degrees = (turn * 60 + 360) % 360;
  const [, hue = "red"] = ends.find(([end]) => degrees <= end) ?? [];
  if (hue === "orange" && lightness < 0.42) return hues.brown;
  return said(hue);
}
