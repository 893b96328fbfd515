import { createHmac, timingSafeEqual } from "node:crypto";

/** What a link in a message is for: to confirm an address, or to end news to it. */
export type MailLinkKind = "confirm" | "stop";

/** Whom a link is for. A link to confirm is for one address. */
export interface MailLink {
  readonly kind: MailLinkKind;
  readonly id: number;
  readonly address: string;
}

/** Returns a hash with the secret of the installation: what it is of cannot be found by trying. */
export function keyedHash(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/**
 * Returns the part of a link that shows who has it. Nothing of it is stored: the same message, sent again, has the same link. The link
 * that ends news works as long as the follower exists, whatever the address is now.
 */
export function mailToken(secret: string, { kind, id, address }: MailLink): string {
  const of = kind === "confirm" ? address.toLowerCase() : "";
  return `${id}-${keyedHash(secret, `mail ${kind} ${id} ${of}`).slice(0, 22)}`;
}

/** Returns the id of the follower that a token names, whether or not it is right; undefined when it has no such form. */
export function idOfToken(token: string): number | undefined {
  const [, id] = /^([1-9]\d{0,15})-[\w-]{22}$/.exec(token) ?? [];
  return id === undefined ? undefined : Number(id);
}

export function isTokenOf(secret: string, token: string, link: MailLink): boolean {
  const [sent, expected] = [Buffer.from(token), Buffer.from(mailToken(secret, link))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
