import { css3Colors } from "./css3-colors.js";

/**
 * Returns the CSS3 name nearest to a colour, the first in the alphabet where several are equal: COLOR allows no other values
 * (RFC 7986 5.9).
 * @param hex six hexadecimal digits; anything else gives undefined
 */
export function cssColor(hex: string): string | undefined {
  if (hex === "") return undefined;
  const known = nearest.get(hex);
  if (known !== undefined) return known;
  if (!/^[0-9a-f]{6}$/i.test(hex)) return undefined;
  const name = nearestName(oklab(Number.parseInt(hex, 16)));
  if (nearest.size >= mostRemembered) nearest.clear();
  nearest.set(hex, name);
  return name;
}

const nearest = new Map<string, string>();
const mostRemembered = 1000;

type Lab = readonly [lightness: number, greenToRed: number, blueToYellow: number];

const named: readonly (readonly [name: string, lab: Lab])[] = Object.entries(css3Colors).map(
  ([name, rgb]) => [name, oklab(rgb)],
);

function nearestName(color: Lab): string {
  let best = "black";
  let least = Infinity;
  for (const [name, lab] of named) {
    const [lighter, redder, yellower] = [lab[0] - color[0], lab[1] - color[1], lab[2] - color[2]];
    // The difference "OK2": hue counts twice, otherwise a pale blue would be nearest to a grey.
    const distance = lighter ** 2 + (2 * redder) ** 2 + (2 * yellower) ** 2;
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

/** Converts to OKLab (Björn Ottosson, 2020), where equal distances look equal, unlike in sRGB. */
function oklab(rgb: number): Lab {
  const red = linear(rgb >> 16);
  const green = linear((rgb >> 8) & 0xff);
  const blue = linear(rgb & 0xff);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** Converts a channel of sRGB (IEC 61966-2-1), 0 to 255, to linear light, 0 to 1. */
function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
