import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { encode } from "uqr";
import { download } from "../../parts/download.js";
import { t } from "../../texts/current.js";

/** White modules around the code; scanners need four (ISO/IEC 18004). */
const quietZone = 4;

/** A QR code, dark on white in both schemes: many scanners read no other. */
export function QrCode({ text, name }: { readonly text: string; readonly name: string }): JSX.Element {
  const { size, path } = useMemo(() => draw(text), [text]);
  const save = (): void => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
    download(svg, `${name}.svg`, "image/svg+xml");
  };
  const savePicture = (): void => drawPicture(path, size, (png) => download(png, `${name}.png`, "image/png"));
  return (
    <>
      <QrPicture text={text} />
      <p class="row-actions">
        <button type="button" class="quiet" onClick={savePicture}>
          {t.share.downloadQr("PNG")}
        </button>
        <button type="button" class="quiet" onClick={save}>
          {t.share.downloadQr("SVG")}
        </button>
      </p>
    </>
  );
}

/** The code alone. */
export function QrPicture({
  text,
  name = "qr",
}: {
  readonly text: string;
  readonly name?: string;
}): JSX.Element {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      class={name}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t.share.qrLabel}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={path} />
    </svg>
  );
}

/** Pixels of a module in the picture: sharp on a poster too. */
const scale = 32;

/** Draws the code as a PNG, which word processors and messengers take. */
function drawPicture(path: string, size: number, onDone: (png: Blob) => void): void {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a picture, not an array
  context.fill(new Path2D(path));
  canvas.toBlob((png) => png && onDone(png));
}

/** One bar for each run of dark modules. */
function draw(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const rows = data.map((row, y) => {
    const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
    return [...line.matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`,
    );
  });
  return { size: size + 2 * quietZone, path: rows.flat().join("") };
}
