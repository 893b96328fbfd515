import type { Knex } from "knex";
import type { Db } from "../db/database.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";

// A server claims an endpoint for some seconds, and sends its messages one after the other. Each attempt is counted and its
// next time stored before it is made, so that a message that ends the process waits like one that fails.

const endpoints = (db: Db) => db<WebhookEndpointRow>("webhook_endpoints");
const deliveries = (db: Db) => db<WebhookDeliveryRow>("webhook_deliveries");

/** Walks the index of pending deliveries from endpoint to endpoint, however many each has. */
const waitsSql = `id in (
  with recursive waiting (id) as (
    select min(endpoint_id) from webhook_deliveries where state = 'pending'
    union all
    select (select min(d.endpoint_id) from webhook_deliveries as d
        where d.state = 'pending' and d.endpoint_id > waiting.id)
      from waiting where waiting.id is not null)
  select id from waiting)`;

const isDueSql = `exists (select 1 from webhook_deliveries as d
  where d.state = 'pending' and d.endpoint_id = webhook_endpoints.id and d.next_at <= ?)`;

/** Returns the query for enabled endpoints with a due delivery, the longest waiting first. */
export function dueEndpoints(
  db: Db,
  { now, busy, limit }: { readonly now: number; readonly busy: readonly number[]; readonly limit: number },
): Knex.QueryBuilder<WebhookEndpointRow, Pick<WebhookEndpointRow, "id" | "account_id">[]> {
  return endpoints(db)
    .where({ state: "enabled" })
    .where("next_at", "<=", now)
    .whereNotIn("account_id", [...busy])
    .whereRaw(waitsSql)
    .whereRaw(isDueSql, [now])
    .orderBy(["next_at", "id"])
    .limit(limit)
    .select("id", "account_id");
}

/** Claims an endpoint until a time, and counts a failure, which a success clears. Undefined when another server has it. */
export async function takeEndpoint(
  trx: Db,
  id: number,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<WebhookEndpointRow | undefined> {
  const [row] = await endpoints(trx)
    .where({ id, state: "enabled" })
    .where("next_at", "<=", now)
    .update({ next_at: until, failures: trx.raw("failures + 1") })
    .returning("*");
  return row;
}

export type Taken = Pick<WebhookEndpointRow, "id" | "account_id" | "next_at" | "failures">;

export async function releaseEndpoint(
  trx: Db,
  { id, next_at }: Taken,
  after: Pick<WebhookEndpointRow, "next_at" | "failures">,
): Promise<void> {
  await endpoints(trx).where({ id, next_at }).update(after);
}

const sentColumns = ["id", "calendar_id", "message_id", "type", "attempts", "next_at", "payload"] as const;
const secretColumns = ["url", "secret", "previous_secret", "previous_until"] as const;

/** A due message before its attempt is counted, with the current endpoint, whose secret may have been replaced. */
export type Due = Pick<WebhookDeliveryRow, (typeof sentColumns)[number]> &
  Pick<WebhookEndpointRow, (typeof secretColumns)[number]>;

/** The failure of an attempt whose process ended. */
export const notEnded = "The attempt has not ended.";

/**
 * Counts an attempt of the next due message of a claimed endpoint: new messages first, in their order. Undefined when there is
 * none, or the endpoint was disabled.
 * @param pauseAfter returns the seconds until the next attempt, by number of the attempt, in case its outcome is never stored
 */
export async function takeDelivery(
  trx: Db,
  endpoint: Taken,
  { now, pauseAfter }: { readonly now: number; readonly pauseAfter: (attempts: number) => number },
): Promise<Due | undefined> {
  const due = await trx("webhook_deliveries as d")
    .join("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .where({ "e.id": endpoint.id, "e.state": "enabled", "e.next_at": endpoint.next_at })
    .whereRaw("d.state = 'pending'") // a literal, for the partial index
    .where("d.next_at", "<=", now)
    .orderBy(["d.next_at", "d.id"])
    .first<Due | undefined>([
      ...sentColumns.map((name) => `d.${name}`),
      ...secretColumns.map((name) => `e.${name}`),
    ]);
  if (due === undefined) return undefined;
  const attempts = due.attempts + 1;
  const counted = { attempts, next_at: now + pauseAfter(attempts), attempted_at: now };
  await deliveries(trx)
    .where({ id: due.id })
    .update({ ...counted, error: notEnded, status: null, duration_ms: null });
  return due;
}

/** Stores the outcome of an attempt, unless another one was counted since. */
export async function settle(
  trx: Db,
  { id, attempts }: Pick<Due, "id" | "attempts">,
  outcome: Partial<WebhookDeliveryRow>,
): Promise<void> {
  await deliveries(trx)
    .where({ id, attempts: attempts + 1, state: "pending" })
    .update(outcome);
}
