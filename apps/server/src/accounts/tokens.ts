import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * A new account token: `kal_`, 43 characters base62 of 256 random bits, 6 characters base62 of their CRC-32, so that
 * secret scanners can tell a token from a look-alike.
 */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);
  return `kal_${secret}${base62(BigInt(crc32(secret)), 6)}`;
}

/** What is stored and looked up. One fast hash is enough for 256 random bits. */
export function hashToken(token: string): string {
  return hash("sha256", token);
}

/** Every shape a token can have; anything else is refused without asking the database. */
export function isTokenShaped(token: string): boolean {
  return /^[A-Za-z0-9_-]{16,128}$/.test(token);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
