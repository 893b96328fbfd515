import { randomInt } from "node:crypto";

/** Lower case letters and digits without look-alikes: no 0, 1, i, l, o. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** A new public key of a calendar: 12 characters (rulings R4.1). */
export function newUniquekey(): string {
  return Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}
