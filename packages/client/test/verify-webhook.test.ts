import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "../src/extensions/index.js";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(24).toString("base64")}`;
const message = {
  type: "event.created",
  timestamp: "2026-07-02T12:00:00.000Z",
  data: { event: { title: "\u{1F389}" } },
};
const body = JSON.stringify(message);
const at = 1_782_993_600;
const now = () => at * 1000;

/** Signs as Standard Webhooks describes, with Node's own HMAC. */
function sign(key: string, text = body, id = "msg_1", timestamp = String(at)): string {
  const bytes = Buffer.from(key.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", bytes).update(`${id}.${timestamp}.${text}`).digest("base64")}`;
}

const headersWith = (signature: string, timestamp = String(at)): Record<string, string> => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});

const reasonOf = async (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => "verified",
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

test("the signature that the specification of Standard Webhooks shows is verified", async () => {
  const example = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const verifying = verifyWebhook('{"test": 2432232314}', example, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    now: () => 1_614_265_330_000,
  });
  expect(await reasonOf(verifying)).toBe("body"); // signed, but not a message of ours
});

test("a signed message is returned, with headers of any kind, a body of text or bytes, and any of several secrets or signatures", async () => {
  const plain = headersWith(sign(secret));
  const kinds: readonly WebhookHeaders[] = [
    plain,
    new Headers(plain),
    Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value])),
    Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]])),
    headersWith(`v1a,AAAA v2,BBBB v1,%%% ${sign(other)} ${sign(secret)}`),
  ];
  for (const headers of kinds) {
    expect(await verifyWebhook(body, headers, secret, { now })).toStrictEqual(message);
    expect(
      await verifyWebhook(new TextEncoder().encode(body), headers, [other, secret], { now }),
    ).toStrictEqual(message);
  }
});

test("whatever was changed, forged, left out or is old is refused, with the reason", async () => {
  const signed = sign(secret);
  const cases: readonly (readonly [reason: string, headers: WebhookHeaders, text?: string])[] = [
    ["headers", { ...headersWith(signed), "webhook-signature": [signed, signed] }],
    ["signature", headersWith(signed), `${body} `],
    ["signature", headersWith(sign(other))],
    ["signature", headersWith(sign(secret, body, "msg_2"))],
    ["signature", headersWith(signed, String(at + 1))],
    ["signature", headersWith(signed.replace("v1,", "v2,"))],
    ["signature", headersWith("v1,")],
    ["signature", headersWith(signed.slice(3))],
    ["time", headersWith(sign(secret, body, "msg_1", String(at - 301)), String(at - 301))],
    ["time", headersWith(sign(secret, body, "msg_1", String(at + 301)), String(at + 301))],
    ["headers", headersWith(signed, "now")],
    ["headers", headersWith("")],
    ["headers", {}],
    ["headers", new Headers()],
    ["body", headersWith(sign(secret, "[]")), "[]"],
    ["body", headersWith(sign(secret, "{")), "{"],
  ];
  for (const [reason, headers, text = body] of cases)
    expect([reason, await reasonOf(verifyWebhook(text, headers, secret, { now }))]).toEqual([reason, reason]);
  const old = headersWith(sign(secret, body, "msg_1", String(at - 301)), String(at - 301));
  expect(await verifyWebhook(body, old, secret, { now, toleranceSeconds: 400 })).toStrictEqual(message);
});

test("a secret of another form is a mistake of the program, not of the request", async () => {
  for (const wrong of ["whsec_", "whsec_%%%"])
    await expect(verifyWebhook(body, headersWith(sign(secret)), wrong, { now })).rejects.toThrow(
      new TypeError("secret: expected whsec_ and base64"),
    );
});

test("without a secret the error says which one to pass, also of a setting that is not set", async () => {
  for (const none of [undefined, "", [], [""], process.env["KALENDS_NO_SUCH_SETTING"]])
    await expect(verifyWebhook(body, headersWith(sign(secret)), none, { now })).rejects.toThrow(
      new TypeError("secret: missing; pass the whsec_… that was shown when the webhook was created"),
    );
});

test("for parsed JSON the error says how to get what was received", async () => {
  for (const parsed of [message, undefined, null, 7]) {
    const sent = { body: JSON.parse(JSON.stringify(parsed ?? null)) };
    await expect(verifyWebhook(sent.body, headersWith(sign(secret)), secret, { now })).rejects.toThrow(
      /^body: pass the text or bytes that were received, not parsed JSON; Express has them after express\.raw\(/,
    );
  }
});

test("an option that does not exist is refused: a misspelled tolerance would be 300 seconds", async () => {
  const options: object = { tolerance: 5 };
  await expect(verifyWebhook(body, headersWith(sign(secret)), secret, options)).rejects.toThrow(
    new TypeError("tolerance: unknown option"),
  );
});

test("the type of a message says what it holds", async () => {
  const verified = await verifyWebhook(body, headersWith(sign(secret)), secret, { now });
  switch (verified.type) {
    case "event.created":
      expect(verified.data.event.title).toBe("\u{1F389}");
      break;
    case "subscriber.created":
      expect(verified.data.subscriber.email).toBe("not reached");
      break;
    default:
      throw new Error("another type");
  }
});
