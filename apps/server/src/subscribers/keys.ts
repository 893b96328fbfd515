import { hash, randomBytes } from "node:crypto";

/** Returns a new follower's key: 128 random bits in base64url, 22 characters. The key alone authorizes its holder. */
export function newFollowerKey(): string {
  return randomBytes(16).toString("base64url");
}

/** Returns the hash that is stored and looked up. One fast hash is enough for 128 random bits. */
export function hashFollowerKey(key: string): string {
  return hash("sha256", key);
}

/** Returns whether the text has the form of a key. Anything else is unknown without a query. */
export function isFollowerKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}
