const keyCharacters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Bytes as hexadecimal digits. Not randomUUID: a browser has it on https alone. */
export function randomHex(count: number): string {
  return Array.from(randomBytes(count), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A key of a calendar: 12 characters without look-alikes (rulings R4.1). */
export function uniqueKey(): string {
  return Array.from(randomBytes(12), (byte) => keyCharacters.charAt(byte % keyCharacters.length)).join("");
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
