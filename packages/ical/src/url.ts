import { foldedLine } from "./text.js";

/** The URL of a component (RFC 5545 3.8.4.6); "" unless it is http or https. A URI has no escapes but its own (3.3.13). */
export function urlLine(url: string, name = "URL"): string {
  if (!/^https?:\/\//i.test(url)) return "";
  const safe = url.toWellFormed().replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g, encodeURIComponent);
  return foldedLine(`${name}:${safe}`);
}
