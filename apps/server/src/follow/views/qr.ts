import { encode } from "uqr";
import { html, type Html } from "./html.js";

/** Modules of white around the code; scanners need four (ISO/IEC 18004). */
const quietZone = 4;

/** A QR code as one path. Always dark on white: many scanners do not read the opposite. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const whole = size + 2 * quietZone;
  return html`<svg
    class="qr"
    viewBox="0 0 ${whole} ${whole}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${whole}" height="${whole}" fill="#fff" />
    <path fill="#000" d="${data.map(rowPath).join("")}" />
  </svg>`;
}

/** A bar for each run of dark modules. */
function rowPath(row: readonly boolean[], y: number): string {
  const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...line.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`)
    .join("");
}
