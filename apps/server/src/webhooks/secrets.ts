import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { WebhookEndpointRow } from "../db/rows.js";

/** Returns a new secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export type Secrets = Pick<WebhookEndpointRow, "secret" | "previous_secret" | "previous_until">;

/** Returns the secrets that sign at a time in Unix seconds: during a rotation also the previous one. */
export function validSecrets(secrets: Secrets, now: number): readonly string[] {
  const { secret, previous_secret, previous_until } = secrets;
  const hasPrevious = previous_secret !== null && previous_until !== null && previous_until > now;
  return hasPrevious ? [secret, previous_secret] : [secret];
}

/** Returns the headers of Standard Webhooks. `now` is the time of the attempt in Unix seconds. */
export function signedHeaders(
  { id, payload }: { readonly id: string; readonly payload: string },
  secrets: readonly string[],
  now: number,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const time = new Date(now * 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(now),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, time, payload)).join(" "),
  };
}
