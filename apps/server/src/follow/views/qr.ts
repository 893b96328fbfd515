import { LRUCache } from "lru-cache";
import { encode } from "uqr";
import { html, type Html } from "./html.js";

/** White modules around the code; scanners need four (ISO/IEC 18004). */
const quietZone = 4;

interface Code {
  /** Modules per side, including the quiet zone. */
  readonly size: number;
  readonly path: string;
}

/** Renders a QR code as one path. Always dark on white: many scanners cannot read inverted codes. */
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

/** Encoding is slow, and every visitor of a calendar gets the same code. */
const codes = new LRUCache<string, Code>({ max: 200 });

function codeOf(text: string): Code {
  const cached = codes.get(text);
  if (cached !== undefined) return cached;
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const code = { size: size + 2 * quietZone, path: data.map(rowPath).join("") };
  codes.set(text, code);
  return code;
}

/** Draws one bar for each run of dark modules. */
function rowPath(row: readonly boolean[], y: number): string {
  const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...line.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`)
    .join("");
}
