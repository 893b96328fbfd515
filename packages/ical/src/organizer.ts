import { foldedLine, oneLine, quotable } from "./text.js";

/** What looks like an address: one @, and around it no white space, quotes, brackets, control or half characters. */
const addressForm = /^[^\s\p{Cc}\p{Cs}@"(),:;<>[\\\]]+@[^\s\p{Cc}\p{Cs}@"(),:;<>[\\\]]+$/u;

/** All but what stands in a mailto URI as it is (RFC 6068 2). */
const unsafeInMailto = /[^A-Za-z0-9\-._~!$'*+@]+/g;

/** ORGANIZER needs an address (RFC 5545 3.8.4.3), so a name without one is a CONTACT. "" when there is neither. */
export function organizerLine(name: string, email: string): string {
  if (email === "" || !addressForm.test(email)) return oneLine("CONTACT:", name);
  const address = email.replace(unsafeInMailto, encodeURIComponent);
  const commonName = quotable(name);
  return foldedLine(
    commonName === "" ? `ORGANIZER:mailto:${address}` : `ORGANIZER;CN="${commonName}":mailto:${address}`,
  );
}
