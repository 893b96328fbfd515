/** The widths that pages choose from, in pixels; one that was sent is not made larger. */
const widths = [320, 640, 1_280] as const;

/** A picture as a page shows it: its addresses below that of the service (extensions X11.2). */
export interface ShownPicture {
  /** 640 pixels wide, for what does not choose. */
  readonly src: string;
  /** All widths, for `srcset`; what `sizes` says is for the page. */
  readonly srcset: string;
  /** 1,280 pixels wide, for paper. */
  readonly large: string;
  /** JPEG of 1,200 × 630 pixels, for link previews, JSON-LD and Open Graph. */
  readonly preview: string;
  readonly alt: string;
}

/** Returns the picture of an event, a calendar or an account; undefined where it has none. `base` has no slash at its end. */
export function shownPicture(
  base: string,
  { picture_id: id, picture_alt: alt }: { readonly picture_id: string; readonly picture_alt: string },
): ShownPicture | undefined {
  if (id === "") return undefined;
  const address = (width: number): string => `${base}/p/${id}-${width}.webp`;
  return {
    src: address(640),
    srcset: widths.map((width) => `${address(width)} ${width}w`).join(", "),
    large: address(1_280),
    preview: `${base}/p/${id}-1200.jpg`,
    alt,
  };
}
