import { encode } from "uqr";
import { html, type Html } from "./html.js";

/** Modules of white around the code; scanners need four (ISO/IEC 18004). */
const quietZone = 4;

interface Code {
  /** Modules along a side, white ones around it included. */
  readonly size: number;
  readonly path: string;
}

/** A QR code as one path. Always dark on white: many scanners do not read the opposite. */
export function qrCode(text: string, label: string): Html {
  const { size, path } = codeOf(text);
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${path}" />
  </svg>`;
}

const codes = new Map<string, Code>();

/** Making a code takes 2 ms, about as long as the rest of the page; a code is 5 kB. */
const mostCodes = 200;

function codeOf(text: string): Code {
  const known = codes.get(text);
  if (known !== undefined) return known;
  const [oldest] = codes.keys();
  if (codes.size >= mostCodes && oldest !== undefined) codes.delete(oldest);
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const made = { size: size + 2 * quietZone, path: data.map(rowPath).join("") };
  codes.set(text, made);
  return made;
}

/** A bar for each run of dark modules. */
function rowPath(row: readonly boolean[], y: number): string {
  const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...line.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`)
    .join("");
}
