import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns a new account token: `kal_`, 256 random bits as 43 base62 characters, and the CRC-32 of these characters as 6
 * base62 characters, so that secret scanners can recognise a token.
 */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);
  return `kal_${secret}${base62(BigInt(crc32(secret)), 6)}`;
}

/** Returns the SHA-256 of a token in hex, which is what the database stores. 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return hash("sha256", token);
}

/** Reports whether a text can be a token; other texts are refused without a query. */
export function isTokenShaped(token: string): boolean {
  return /^[A-Za-z0-9_-]{16,128}$/.test(token);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
