import { isIP } from "node:net";
import * as z from "zod";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/database.js";
import { findProperty, secretProperty } from "../db/properties.js";
import type { PasskeyRow, UsedChallengeRow } from "../db/rows.js";
import { isLoopback } from "../settings/ip-address.js";
import { endOfChallenge, handleOf, newChallenge } from "./challenges.js";
import { findPasskey, updatePasskey, useChallenge } from "./passkey-queries.js";

/** Loaded with the first passkey, since most processes never need it. */
const webAuthn = () => import("@simplewebauthn/server");

export type Purpose = `person ${number}` | "sign-in";

interface Asked {
  readonly base: string;
  readonly now: number;
}

const credential = z.object({
  /** Up to 1,023 bytes (WebAuthn 4). */
  id: z.string().regex(/^[A-Za-z0-9_-]{1,1364}$/),
  rawId: z.string(),
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
});
const attested = credential.extend({
  response: z.object({ clientDataJSON: z.string(), attestationObject: z.string() }),
});
const asserted = credential.extend({
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});

/** Returns the host of passkeys; undefined where browsers create none: they need https, or this machine, and a host name. */
export function passkeyHostOf(base: string): string | undefined {
  const { protocol, hostname } = new URL(base);
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[");
  return isName && (protocol === "https:" || isLoopback(hostname)) ? hostname : undefined;
}

/** Returns a challenge and the host of passkeys; both are empty where there can be none. */
export async function begin(
  db: Db,
  purpose: Purpose,
  { base, now }: Asked,
): Promise<{ readonly challenge: string; readonly rp_id: string }> {
  const [secret, host] = [await secretOf(db), passkeyHostOf(base)];
  return host === undefined
    ? { challenge: "", rp_id: "" }
    : { challenge: newChallenge(secret, purpose, now), rp_id: host };
}

export async function userHandle(db: Db, personId: number): Promise<string> {
  return handleOf(await secretOf(db), personId);
}

async function secretOf(db: Db): Promise<string> {
  const secret = await findProperty(db, secretProperty);
  if (secret === undefined) throw new Error("the server has no secret: its first start makes one");
  return secret;
}

/**
 * Returns the checks of both kinds of responses. Notes the challenge, which is stored as used when the response is accepted.
 */
async function expectation(db: Db, purpose: Purpose, { base, now }: Asked) {
  const [secret, host] = [await secretOf(db), passkeyHostOf(base)];
  const noted: { used?: UsedChallengeRow } = {};
  const expectedChallenge = (challenge: string): boolean => {
    const ends_at = endOfChallenge(secret, purpose, challenge, now);
    if (ends_at !== undefined) noted.used = { hash: hashToken(challenge), ends_at };
    return ends_at !== undefined;
  };
  const expected = { expectedChallenge, expectedOrigin: new URL(base).origin, requireUserVerification: true };
  return host === undefined ? undefined : { noted, expected: { ...expected, expectedRPID: host } };
}

/** Reports whether a page in a frame of another origin requested it, which ours never do. The text was parsed before. */
function isFramed({ response }: { readonly response: { readonly clientDataJSON: string } }): boolean {
  const signed: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  const { crossOrigin = false, topOrigin }: { crossOrigin?: unknown; topOrigin?: unknown } = Object(signed);
  return crossOrigin !== false || topOrigin !== undefined;
}

/** Columns of a new passkey, and the challenge that it has signed. */
export type NewPasskey = Pick<
  PasskeyRow,
  "credential_id" | "public_key" | "counter" | "synced" | "may_sync"
> & {
  readonly used: UsedChallengeRow;
};

/** Returns the passkey that a browser has created; undefined when its response is invalid. */
export async function newPasskey(
  db: Db,
  text: string,
  purpose: Purpose,
  asked: Asked,
): Promise<NewPasskey | undefined> {
  const { data: response } = attested.safeParse(JSON.parse(text));
  const expectations = await expectation(db, purpose, asked);
  if (response === undefined || expectations === undefined) return undefined;
  const { noted, expected } = expectations;
  const { verifyRegistrationResponse } = await webAuthn();
  const found = await verifyRegistrationResponse({ response, ...expected }).catch(() => undefined);
  if (found?.verified !== true || noted.used === undefined || isFramed(response)) return undefined;
  const { credential: made, credentialBackedUp, credentialDeviceType } = found.registrationInfo;
  if (made.id !== response.id) return undefined;
  return {
    may_sync: credentialDeviceType === "multiDevice" ? 1 : 0,
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString("base64url"),
    counter: made.counter,
    synced: credentialBackedUp ? 1 : 0,
    used: noted.used,
  };
}

/** A passkey after a valid sign-in that is not stored yet. */
export interface SigningPasskey {
  readonly passkey: NonNullable<Awaited<ReturnType<typeof findPasskey>>>;
  readonly change: Pick<PasskeyRow, "used_at" | "counter" | "synced" | "may_sync">;
  readonly used: UsedChallengeRow;
}

/**
 * Returns the passkey of a browser's response; undefined when it is unknown or the response is invalid. The counter of a synced
 * passkey is ignored: each device has its own.
 */
export async function signingPasskey(
  db: Db,
  text: string,
  asked: Asked,
): Promise<SigningPasskey | undefined> {
  const { data: response } = asserted.safeParse(JSON.parse(text));
  const passkey = response && (await findPasskey(db, response.id));
  const expectations = await expectation(db, "sign-in", asked);
  if (response === undefined || passkey === undefined || expectations === undefined) return undefined;
  const { noted, expected } = expectations;
  const { verifyAuthenticationResponse } = await webAuthn();
  const known = {
    id: passkey.credential_id,
    publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
    counter: passkey.synced === 1 ? 0 : passkey.counter,
  };
  const found = await verifyAuthenticationResponse({ response, credential: known, ...expected }).catch(
    () => undefined,
  );
  if (found?.verified !== true || noted.used === undefined || isFramed(response)) return undefined;
  const { newCounter: counter, credentialBackedUp, credentialDeviceType } = found.authenticationInfo;
  const may_sync = credentialDeviceType === "multiDevice" ? 1 : 0;
  // Backup eligibility never changes (WebAuthn 7.2); null where it was not stored.
  if (may_sync !== (passkey.may_sync ?? may_sync)) return undefined;
  const change = { used_at: asked.now, counter, synced: credentialBackedUp ? 1 : 0, may_sync };
  return { passkey, change, used: noted.used };
}

/**
 * Stores the use of a challenge and returns the passkey's person; undefined when the challenge was used, or the passkey
 * deleted, meanwhile.
 */
export async function takePasskey(
  trx: Db,
  { passkey, change, used }: SigningPasskey,
): Promise<{ readonly account_id: number; readonly person_id: number; readonly token_id: null } | undefined> {
  const { account_id, person_id } = passkey;
  const isTaken = (await useChallenge(trx, used)) && (await updatePasskey(trx, passkey, change));
  return isTaken ? { account_id, person_id, token_id: null } : undefined;
}
