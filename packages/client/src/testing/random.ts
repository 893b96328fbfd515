const keyCharacters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Bytes as hexadecimal digits. Not randomUUID: a browser has it on https alone. */
export function randomHex(count: number): string {
  return Array.from(randomBytes(count), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A UUID of version 4 (RFC 9562). */
export function uuid(): string {
  const hex = `${randomHex(6)}4${randomHex(8).slice(1, 4)}a${randomHex(9).slice(1)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** A key of a calendar: 12 characters without look-alikes (rulings R4.1). */
export function uniqueKey(): string {
  return Array.from(randomBytes(12), (byte) => keyCharacters.charAt(byte % keyCharacters.length)).join("");
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
