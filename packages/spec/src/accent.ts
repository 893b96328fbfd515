// The colours of an account's pages, calculated from its one accent. This module imports nothing: a browser loads no schema with it.

/** The default accent, that of the console. */
export const defaultAccent = "#17594f";

/** The colours of one scheme, each as `#rrggbb`. */
export interface AccentColors {
  /** The chosen accent, for large areas and buttons. */
  readonly accent: string;
  /** Text on it: black or white. */
  readonly on_accent: string;
  /** Text and links in the accent's hue, dark or light enough for every surface of the page. */
  readonly accent_ink: string;
  /** A tint of the accent, for surfaces. */
  readonly accent_wash: string;
}

/** The least contrast of text (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/**
 * Colours of the console's tokens.css: the surface with the least contrast to text, the base of tints, and the accent's share
 * in them.
 */
export const surfaces = {
  light: { extreme: "#efece4", card: "#fffefb", ink: "#000000", tint: 0.1 },
  dark: { extreme: "#303633", card: "#1c201e", ink: "#ffffff", tint: 0.16 },
} as const;

/** Returns the colours for light and dark pages. An accent of the form `#rrggbb`, else the default one. */
export function accentColors(chosen: string): Readonly<Record<"light" | "dark", AccentColors>> {
  const accent = /^#[0-9a-f]{6}$/i.test(chosen) ? chosen.toLowerCase() : defaultAccent;
  return { light: colorsOn("light", accent), dark: colorsOn("dark", accent) };
}

function colorsOn(scheme: keyof typeof surfaces, accent: string): AccentColors {
  const { extreme, card, ink, tint } = surfaces[scheme];
  const wash = mixed(card, accent, tint);
  return {
    accent,
    on_accent: contrast(accent, "#000000") > contrast(accent, "#ffffff") ? "#000000" : "#ffffff",
    // Searched for only when it is read: a page needs the others alone, and the search takes most of the time.
    get accent_ink() {
      return inkOn([extreme, wash], accent, ink);
    },
    accent_wash: wash,
  };
}

/** Returns the colour nearest to an accent, on the way to black or white, that is legible on these surfaces. */
function inkOn(on: readonly string[], accent: string, ink: string): string {
  for (let step = 0; step < 100; step++) {
    const color = mixed(accent, ink, step / 100);
    if (on.every((surface) => contrast(color, surface) >= leastContrast)) return color;
  }
  return ink;
}

/** Returns the contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a colour with a share of another, 0 to 1. */
export function mixed(color: string, other: string, share: number): string {
  const others = channels(other);
  const parts = channels(color).map((channel, index) =>
    Math.round(channel + ((others[index] ?? channel) - channel) * share),
  );
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
