import type { Request } from "express";
import { baseUrlOf } from "../http/base-url.js";

/**
 * Returns whether a form was submitted from a page of this service, according to its browser.
 *
 * Sec-Fetch-Site is decisive, because pages cannot set it. Browsers send it only to https and to localhost, and old ones not
 * at all; then Origin decides, which browsers send with every form. `Origin: null` is refused: our pages never cause it,
 * since their Referrer-Policy is same-origin. A request with neither header comes from a program, which cannot misuse a
 * visitor's browser; there are no cookies.
 */
export function isSameOrigin(req: Request, publicUrl: string | undefined): boolean {
  const site = req.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = req.headers;
  return origin === undefined || origin === originOf(baseUrlOf(req, publicUrl));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
