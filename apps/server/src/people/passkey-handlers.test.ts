import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import {
  callConsole,
  newPerson as newPersonWithLink,
  type SignedInPerson,
  signIn,
} from "../../test/people.js";

// Extensions X9.2: what a passkey may send. It is made here, since browsers make no wrong ones; deep/server/passkeys.deep.test.ts has real ones.

const origin = "http://localhost:8080";
const server = await testServer({ PUBLIC_URL: origin, TRUST_PROXY: "1" });

type Encoded = string | number | Buffer | ReadonlyMap<Encoded, Encoded>;

/** CBOR, as far as an attestation has it. */
function cbor(value: Encoded): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const [present, verified, mayCopy, isCopied, attested] = [1, 4, 8, 16, 64];

/** What a passkey signs beside its challenge; each is what it must be unless a test says otherwise. */
interface Signed {
  readonly challenge: string;
  readonly flags?: number;
  readonly rp?: string;
  readonly counter?: number;
  readonly client?: object;
  /** Of the request, in the place of that which was signed. */
  readonly id?: string;
}

/** A passkey in software. @param length of its id, in bytes */
function newPasskey(length = 32) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(length);
  const text = id.toString("base64url");
  const client = (type: string, { challenge, client: changed }: Signed): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...changed }));
  const authenticator = ({ rp = "localhost", counter = 0 }: Signed, flags: number): Buffer => {
    const [size, count] = [Buffer.alloc(1, flags), Buffer.alloc(4)];
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash("sha256").update(rp).digest(), size, count]);
  };
  const credential = (sent: string, response: object) => ({
    id: sent,
    rawId: sent,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
  return {
    id,
    text,
    /** @param own the id that it signs */
    registration: (signed: Signed, own = id): string => {
      const key = new Map<Encoded, Encoded>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]);
      const length16 = Buffer.from([own.length >> 8, own.length & 255]);
      const head = authenticator(signed, (signed.flags ?? present | verified) | attested);
      const authData = Buffer.concat([head, Buffer.alloc(16), length16, own, cbor(key)]);
      const made = new Map<Encoded, Encoded>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return JSON.stringify(
        credential(signed.id ?? own.toString("base64url"), {
          clientDataJSON: client("webauthn.create", signed).toString("base64url"),
          attestationObject: cbor(made).toString("base64url"),
        }),
      );
    },
    assertion: (signed: Signed, more: object = {}): string => {
      const clientData = client("webauthn.get", signed);
      const authData = authenticator(signed, signed.flags ?? present | verified);
      const hash = createHash("sha256").update(clientData).digest();
      return JSON.stringify(
        credential(signed.id ?? text, {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", Buffer.concat([authData, hash]), privateKey).toString("base64url"),
          ...more,
        }),
      );
    },
  };
}

const options = async (person: SignedInPerson) => (await person.call("passkeysOptions")).body;
const challengeFor = async (person: SignedInPerson): Promise<string> => (await options(person)).challenge;
const challenge = async (): Promise<string> => (await callConsole(server, "sessionWays")).body.challenge;
const newPerson = async () => signIn(server, (await server.account()).id);

async function add(person: SignedInPerson, credential: string) {
  const { status, body } = await person.call("passkeysCreate", { credential });
  return [status, body.meta.error_type ?? body.passkey.synced];
}

async function open(passkey: string, address = newAddress()) {
  const headers = { "X-Forwarded-For": address };
  const { status, body } = await callConsole(server, "sessionOpen", { passkey }, headers);
  return [status, body.meta.error_type];
}

let addresses = 0;
/** Of its own network, so that no test uses up the attempts of another. */
const newAddress = (): string => `2001:db8:0:${(++addresses).toString(16)}::1`;

const refused = [400, "passkey_refused"];
const unknown = [401, "passkey_unknown"];
const opened = [200, undefined];

describe("a new passkey is refused", () => {
  const wrong: readonly (readonly [string, Partial<Signed>])[] = [
    ["that has not verified the person", { flags: present }],
    ["of another origin", { client: { origin: "http://localhost:1" } }],
    ["of another host", { rp: "evil.example" }],
    ["in a frame of another origin", { client: { crossOrigin: true } }],
    ["in a page of another origin", { client: { crossOrigin: true, topOrigin: "https://evil.example" } }],
    ["of another id", { id: "other" }],
    ["of an id with NUL", { id: "a\u0000b" }],
  ];
  test.each(wrong)("%s", async (_title, changed) => {
    const person = await newPerson();
    const signed = { challenge: await challengeFor(person), ...changed };
    expect(await add(person, newPasskey().registration(signed))).toEqual(refused);
  });

  test("for the challenge of another person, of a sign-in, or of another one; and of an id that another person has", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const key = newPasskey();
    const used = await challengeFor(one);
    expect(await add(one, key.registration({ challenge: used }))).toEqual([200, false]);
    for (const wrongOne of [await challengeFor(other), await challenge(), used])
      expect(await add(one, newPasskey().registration({ challenge: wrongOne }))).toEqual(refused);
    const taken = newPasskey().registration({ challenge: await challengeFor(other) }, key.id);
    expect(await add(other, taken)).toEqual(refused);
  });

  test("with an id of more than 1,023 bytes", async () => {
    const person = await newPerson();
    const [longest, longer] = [newPasskey(1023), newPasskey(1024)];
    expect(await add(person, longer.registration({ challenge: await challengeFor(person) }))).toEqual(
      refused,
    );
    expect(await add(person, longest.registration({ challenge: await challengeFor(person) }))).toEqual([
      200,
      false,
    ]);
    expect(await open(longest.assertion({ challenge: await challenge() }))).toEqual(opened);
  });
});

test("a passkey does not sign in when it has signed something else", async () => {
  const person = await newPerson();
  const key = newPasskey();
  expect(await add(person, key.registration({ challenge: await challengeFor(person), counter: 5 }))).toEqual([
    200,
    false,
  ]);
  const wrong: readonly (readonly [string, Partial<Signed>])[] = [
    ["without the person", { flags: present }],
    ["of another origin", { client: { origin: "http://localhost:1" } }],
    ["of another host", { rp: "evil.example" }],
    ["in a frame", { client: { crossOrigin: true } }],
    ["a copy", { counter: 5 }],
    ["copied, though it cannot be", { flags: present | verified | isCopied }],
    ["one that can be copied, which it could not", { flags: present | verified | mayCopy | isCopied }],
    ["of an id with NUL", { id: "a\u0000b" }],
    ["of a long id", { id: "x".repeat(1_365) }],
  ];
  for (const [name, changed] of wrong) {
    const signed = { challenge: await challenge(), counter: 6, ...changed };
    expect(await open(key.assertion(signed)), name).toEqual(unknown);
  }
  const forged = newPasskey().assertion({ challenge: await challenge(), counter: 6, id: key.text });
  expect(await open(forged), "signed by another key").toEqual(unknown);
  expect(await open(key.assertion({ challenge: await challenge(), counter: 6 }))).toEqual(opened);
});

test("a passkey that can be copied stays one, copied or not; of one from before this was known, what it says first", async () => {
  const person = await newPerson();
  const [key, both] = [newPasskey(), present | verified];
  const signed = { challenge: await challengeFor(person), flags: both | mayCopy };
  expect(await add(person, key.registration(signed))).toEqual([200, false]);
  const openWith = async (flags: number) => open(key.assertion({ challenge: await challenge(), flags }));
  expect(await openWith(both | mayCopy | isCopied)).toEqual(opened);
  expect(await openWith(both)).toEqual(unknown);
  expect(await openWith(both | mayCopy)).toEqual(opened);
  const old = server.db.transaction((trx) =>
    trx("passkeys").where({ credential_id: key.text }).update({ may_sync: null }),
  );
  expect(await old).toBe(1);
  expect(await openWith(both | mayCopy | isCopied)).toEqual(opened);
  expect(await openWith(both)).toEqual(unknown);
});

test("30 are verified a minute of one network: more are refused unread, and count elsewhere", async () => {
  const person = await newPerson();
  const key = newPasskey();
  await add(person, key.registration({ challenge: await challengeFor(person) }));
  const forged = newPasskey().assertion({ challenge: await challenge(), id: key.text });
  for (let n = 1; n <= 30; n++) expect(await open(forged, `2001:db8:ffff:1::${n}`)).toEqual(unknown);
  const right = key.assertion({ challenge: await challenge() });
  expect(await open(right, "2001:db8:ffff:1::31")).toEqual([429, "rate_limited"]);
  expect(await open(right)).toEqual(opened);
  const { link } = await newPersonWithLink(server, (await server.account()).id);
  const headers = { "X-Forwarded-For": "2001:db8:ffff:1::32" };
  expect((await callConsole(server, "sessionOpen", { link }, headers)).status).toBe(200);
});

test("a device knows a person by a number that says nothing, and on which no sign-in depends", async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  const [mine, again, theirs] = [await options(one), await options(one), await options(other)];
  expect(mine.user_id).toMatch(/^[\w-]{43}$/);
  expect(again.user_id).toBe(mine.user_id);
  expect(theirs.user_id).not.toBe(mine.user_id);
  const key = newPasskey();
  expect(await add(one, key.registration({ challenge: mine.challenge }))).toEqual([200, false]);
  const before = { userHandle: Buffer.from(String(one.id)).toString("base64url") };
  expect(await open(key.assertion({ challenge: await challenge() }, before))).toEqual(opened);
});

test("a passkey of another person is removed as one that does not exist", async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  await add(one, newPasskey().registration({ challenge: await challengeFor(one) }));
  const [{ id: passkey_id }] = (await one.call("passkeysList")).body.passkeys;
  const foreign = await other.call("passkeysDelete", { passkey_id });
  const absent = await other.call("passkeysDelete", { passkey_id: "9007199254740990" });
  expect(foreign.status).toBe(404);
  expect(foreign.text.replace(/[0-9a-f]{32}/, "")).toBe(absent.text.replace(/[0-9a-f]{32}/, ""));
  expect((await one.call("passkeysDelete", { passkey_id })).status).toBe(200);
});
