import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const validSeconds = 300;

const [randomLength, endLength] = [16, 6];
const headLength = randomLength + endLength;

/**
 * Returns a challenge: random bytes, its end, and a MAC of both and of its purpose, so that no row is stored and many requests
 * fill no table. `now` is in Unix seconds.
 */
export function newChallenge(secret: string, purpose: string, now: number): string {
  const head = Buffer.alloc(headLength);
  randomBytes(randomLength).copy(head);
  head.writeUIntBE(now + validSeconds, randomLength, endLength);
  return Buffer.concat([head, macOf(secret, purpose, head)]).toString("base64url");
}

/** Returns when a challenge ends, in Unix seconds; undefined when it has another purpose, or has ended at `now`. */
export function endOfChallenge(
  secret: string,
  purpose: string,
  challenge: string,
  now: number,
): number | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  const [head, mac] = [bytes.subarray(0, headLength), bytes.subarray(headLength)];
  const expected = macOf(secret, purpose, head);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
  const end = head.readUIntBE(randomLength, endLength);
  return end > now ? end : undefined;
}

/** Returns the WebAuthn user handle of a person. It has no personal data (WebAuthn 14.6.1), and no sign-in depends on it. */
export function handleOf(secret: string, personId: number): string {
  return createHmac("sha256", secret).update(`passkey user: ${personId}`).digest("base64url");
}

function macOf(secret: string, purpose: string, head: Buffer): Buffer {
  return createHmac("sha256", secret).update(`passkey challenge: ${purpose}\n`).update(head).digest();
}
