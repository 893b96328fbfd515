import type { Request } from "express";
import { baseUrlOf } from "../http/base-url.js";

/**
 * Whether a form was sent by a page of this service, as far as its browser tells.
 *
 * Sec-Fetch-Site decides where it is sent: no page can set it. Browsers send it to https and to the own machine, and older
 * ones not at all; there Origin decides, which every browser of the last years sends with a form. `Origin: null` says that
 * the page hides where it is: ours do not (their Referrer-Policy is same-origin, since no-referrer would turn the Origin of
 * their forms into null), so a page that does is another's. A request with neither header is a program, which needs no
 * other person's browser; there are no cookies that it could use.
 */
export function isOwnForm(req: Request, publicUrl: string | undefined): boolean {
  const site = req.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = req.headers;
  return origin === undefined || origin === originOf(baseUrlOf(req, publicUrl));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
