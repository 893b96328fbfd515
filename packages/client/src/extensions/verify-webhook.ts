import { check, refuseUnknown } from "../options.js";
import type { components, webhooks } from "./schema.js";

type BodyOf<Type extends keyof webhooks> = webhooks[Type] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The message that an owner sends to try a webhook. */
export interface WebhookTestMessage {
  type: "webhook.test";
  /** When it was sent: ISO 8601 in UTC. */
  timestamp: string;
  data: { webhook: components["schemas"]["Webhook"] };
}

/**
 * A message of a webhook. Its `type`, such as `event.created`, says what `data` holds. More types may be added: ignore one that
 * you do not know.
 */
export type WebhookMessage = { [Type in keyof webhooks]: BodyOf<Type> }[keyof webhooks] | WebhookTestMessage;

/** Headers as `fetch`, Node, Express and others hold them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Settings of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** How old, or how far ahead of the clock, a message may be, in seconds; 300 without a value. */
  readonly toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds as `Date.now` returns them. */
  readonly now?: (() => number) | undefined;
}

/** Why a request is not a webhook of the holder of the secret. */
export type WebhookVerificationReason = "headers" | "time" | "signature" | "body";

/** The request could not be verified: respond with 400 and ignore its content. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /** What is wrong with it. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const defaultToleranceSeconds = 300;

/**
 * Returns the message of a webhook that was signed with the secret (Standard Webhooks). Uses Web Crypto alone, so it runs on Node,
 * in browsers and on edge runtimes.
 *
 * ```ts
 * const message = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * ```
 *
 * @param body the body exactly as it was received: a body that was parsed and printed again has another signature
 * @param secret `whsec_…`, or several while it is rotated
 * @throws {@link WebhookVerificationError} for any request that the holder of the secret did not send just now
 * @throws TypeError when the body was parsed or there is no secret: a mistake of the program, not of the request
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  { toleranceSeconds = defaultToleranceSeconds, now = Date.now, ...others }: VerifyWebhookOptions = {},
): Promise<WebhookMessage> {
  refuseUnknown(others);
  // Not instanceof: the bytes may be of another realm, as in Jest.
  check(
    typeof body === "string" || ArrayBuffer.isView(body),
    'body: pass the text or bytes that were received, not parsed JSON; Express has them after express.raw({ type: "application/json" })',
  );
  const secrets = [secret ?? []].flat().filter((one) => one !== "");
  check(secrets.length > 0, "secret: missing; pass the whsec_… that was shown when the webhook was created");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!/^[0-9]{1,15}$/.test(timestamp))
    throw new WebhookVerificationError("headers", "webhook-timestamp is not a time");
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError("time", "the message is too old, or ahead of the clock");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all(secrets.map(keyOf));
  if (!(await isSignedWithOne(keys, signatures, signed)))
    throw new WebhookVerificationError("signature", "no signature is of the secret");
  return parsed(bytes);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const [value, other] = [isGetter(headers) ? headers.get(name) : valueIn(headers, name)].flat(); // arrays are of headersDistinct of Node
  if (typeof value !== "string" || value === "" || other !== undefined)
    throw new WebhookVerificationError("headers", `the header ${name} is missing`);
  return value;
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

function valueIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | readonly string[] | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Not every library of types has a global name for it. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** @throws TypeError when the secret has another form: that is no fault of the request */
async function keyOf(secret: string): Promise<Key> {
  const key = bytesOf(secret.replace(/^whsec_/, ""));
  if (key === undefined || key.length === 0) throw new TypeError("secret: expected whsec_ and base64");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** `verify` compares in a time that does not tell how much of a signature is right. */
async function isSignedWithOne(
  keys: readonly Key[],
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const each of signatures.split(" ")) {
    const [version, text = ""] = each.split(",");
    const signature = version === "v1" ? bytesOf(text) : undefined;
    if (signature === undefined) continue;
    for (const key of keys) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function parsed(bytes: Uint8Array): WebhookMessage {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isMessage(value)) return value;
  } catch {
    // reported below
  }
  throw new WebhookVerificationError("body", "the body is not a message");
}

function isMessage(value: unknown): value is WebhookMessage {
  if (typeof value !== "object" || value === null) return false;
  return (
    "type" in value &&
    typeof value.type === "string" &&
    "timestamp" in value &&
    typeof value.timestamp === "string" &&
    "data" in value
  );
}
