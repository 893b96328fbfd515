import type { Payload } from "@kalends/spec";

interface Palette {
  readonly name: string;
  /** 8 to 20 colours; `color_id` n of an event is the n-th. Six hexadecimal digits each. */
  readonly colors: readonly string[];
}

const palette = (name: string, colors: string): Palette => ({ name, colors: colors.split(" ") });

/** The built-in palettes (rulings R4.10). Okabe-Ito and the two of Paul Tol are safe for the colour-blind. */
const palettes: Readonly<Record<string, Palette>> = {
  "1": palette(
    "Tableau 20",
    "1f77b4 aec7e8 ff7f0e ffbb78 2ca02c 98df8a d62728 ff9896 9467bd c5b0d5 8c564b c49c94 e377c2 f7b6d2 7f7f7f c7c7c7 bcbd22 dbdb8d 17becf 9edae5",
  ),
  "2": palette("Okabe-Ito", "000000 e69f00 56b4e9 009e73 f0e442 0072b2 d55e00 cc79a7"),
  "3": palette("Tol Muted", "cc6677 332288 ddcc77 117733 88ccee 882255 44aa99 999933 aa4499 dddddd"),
  "4": palette("Tol Light", "77aadd ee8866 eedd88 ffaabb 99ddff 44bb99 bbcc33 aaaa00 dddddd"),
  "5": palette("Tableau 10", "4e79a7 f28e2b e15759 76b7b2 59a14f edc948 b07aa1 ff9da7 9c755f bab0ac"),
  "6": palette("ColorBrewer Set1", "e41a1c 377eb8 4daf4a 984ea3 ff7f00 ffff33 a65628 f781bf 999999"),
  "7": palette("ColorBrewer Set2", "66c2a5 fc8d62 8da0cb e78ac3 a6d854 ffd92f e5c494 b3b3b3"),
  "8": palette(
    "ColorBrewer Set3",
    "8dd3c7 ffffb3 bebada fb8072 80b1d3 fdb462 b3de69 fccde5 d9d9d9 bc80bd ccebc5 ffed6f",
  ),
  "9": palette(
    "ColorBrewer Paired",
    "a6cee3 1f78b4 b2df8a 33a02c fb9a99 e31a1c fdbf6f ff7f00 cab2d6 6a3d9a ffff99 b15928",
  ),
  "10": palette("ColorBrewer Dark2", "1b9e77 d95f02 7570b3 e7298a 66a61e e6ab02 a6761d 666666"),
};

export const defaultPaletteId = "1";

/** Returns the colours of a palette, six hexadecimal digits each; none when there is no such palette. */
export function paletteColors(id: string): readonly string[] {
  return palettes[id]?.colors ?? [];
}

export function paletteSize(id: string): number {
  return paletteColors(id).length;
}

export function paletteIds(): readonly string[] {
  return Object.keys(palettes);
}

export function listedPalettes(): Payload<"palettesList">["palettes"] {
  return Object.entries(palettes).map(([id, { name, colors }]) => ({
    id,
    name,
    colors: colors.map((color) => `#${color}`),
  }));
}
