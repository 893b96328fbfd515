import { lockAccount } from "../accounts/queries.js";
import { type Db, onlyRow, type Reader } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { AccountRow, CalendarRow, WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";
import type { ListedDelivery } from "./message.js";

const endpoints = (db: Db) => db<WebhookEndpointRow>("webhook_endpoints");
const deliveries = (db: Db) => db<WebhookDeliveryRow>("webhook_deliveries");

export type NewEndpoint = Pick<
  WebhookEndpointRow,
  "account_id" | "calendar_id" | "url" | "types" | "with_person" | "secret" | "created_at"
>;

/** Adds an enabled endpoint; undefined when the account has `most` already or is deleted. */
export async function insertEndpoint(
  trx: Db,
  endpoint: NewEndpoint,
  most: number,
): Promise<WebhookEndpointRow | undefined> {
  const { account_id } = endpoint;
  if (!(await lockAccount(trx, account_id))) return undefined;
  if ((await listEndpoints(trx, account_id)).length >= most) return undefined;
  const [row] = await endpoints(trx)
    .insert({ ...endpoint, state: "enabled" })
    .returning("*");
  await countEndpoints(trx, account_id);
  return row;
}

export async function hasCalendar(db: Db, accountId: number, id: number): Promise<boolean> {
  const row = await db<CalendarRow>("calendars")
    .where({ id, account_id: accountId })
    .whereNull("deleted_at")
    .first("id");
  return row !== undefined;
}

/** Lists the endpoints of an account that are not deleted, lowest id first. */
export async function listEndpoints(db: Db, account_id: number): Promise<readonly WebhookEndpointRow[]> {
  return endpoints(db).where({ account_id }).whereNot({ state: "deleted" }).orderBy("id");
}

/** Returns the endpoint; undefined when it is absent, deleted or, where an account is given, another account's. */
export async function findEndpoint(
  db: Db,
  id: number,
  accountId?: number,
): Promise<WebhookEndpointRow | undefined> {
  const query = endpoints(db).where({ id }).whereNot({ state: "deleted" });
  return (accountId === undefined ? query : query.where({ account_id: accountId })).first();
}

type Endpoint = Pick<WebhookEndpointRow, "id" | "account_id">;

/** Changes an endpoint that is not deleted and counts those enabled. Undefined when there is none. */
export async function updateEndpoint(
  trx: Db,
  { id, account_id }: Endpoint,
  change: Partial<WebhookEndpointRow>,
  only: Partial<WebhookEndpointRow> = {},
): Promise<WebhookEndpointRow | undefined> {
  await lockAccount(trx, account_id);
  const [row] = await endpoints(trx)
    .where({ id, account_id, ...only })
    .whereNot({ state: "deleted" })
    .update(change)
    .returning("*");
  if (change.state !== undefined) await countEndpoints(trx, account_id);
  return row;
}

/** Disables an enabled endpoint, with the reason that its owner sees. Undefined when it was not enabled any more. */
export async function disableEndpoint(
  trx: Db,
  endpoint: Endpoint,
  reason: string,
  now: number,
): Promise<WebhookEndpointRow | undefined> {
  const change = { state: "disabled", disabled_reason: reason, disabled_at: now } as const;
  return updateEndpoint(trx, endpoint, change, { state: "enabled" });
}

/**
 * Marks an endpoint deleted and clears its address and secrets; purge-job.ts removes its deliveries later. Undefined when there
 * is none.
 */
export async function deleteEndpoint(
  trx: Db,
  endpoint: Endpoint,
  now: number,
): Promise<WebhookEndpointRow | undefined> {
  return updateEndpoint(trx, endpoint, deleted(now));
}

export async function deleteEndpointsOf(trx: Db, accountId: number, now: number): Promise<void> {
  await endpoints(trx).where({ account_id: accountId }).whereNot({ state: "deleted" }).update(deleted(now));
  await countEndpoints(trx, accountId);
}

function deleted(now: number) {
  const nothing = { url: "", secret: "", previous_secret: null, disabled_reason: null };
  return { ...nothing, state: "deleted", disabled_at: now } as const;
}

async function countEndpoints(trx: Db, accountId: number): Promise<void> {
  const enabled = await endpoints(trx).where({ account_id: accountId, state: "enabled" }).pluck("id");
  await trx<AccountRow>("accounts").where({ id: accountId }).update({ webhooks: enabled.length });
}

const listedColumns = [
  "id",
  "endpoint_id",
  "calendar_id",
  "message_id",
  "type",
  "state",
  "attempts",
  "next_at",
  "status",
  "error",
  "duration_ms",
  "created_at",
  "attempted_at",
] as const;

/** Lists a page of the deliveries of an endpoint, newest first. */
export async function listDeliveries(
  db: Db,
  endpointId: number,
  { limit, offset }: Rows,
): Promise<readonly ListedDelivery[]> {
  return deliveries(db)
    .where({ endpoint_id: endpointId })
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .select(...listedColumns);
}

/**
 * Returns a delivery; undefined when it is absent, of a deleted endpoint or, where an account is given, another account's. One
 * query for all cases, so that the response time does not tell them apart.
 */
export async function findDelivery(
  db: Db,
  id: number,
  accountId?: number,
): Promise<ListedDelivery | undefined> {
  const ofAccount = accountId === undefined ? {} : { "e.account_id": accountId };
  return db("webhook_deliveries as d")
    .join("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .where({ "d.id": id, ...ofAccount })
    .whereNot({ "e.state": "deleted" })
    .first(listedColumns.map((name) => `d.${name}`));
}

/** Makes a delivery due at once: a sent or failed one with all attempts, a pending one with the remaining attempts. */
export async function redeliver(trx: Db, id: number): Promise<ListedDelivery | undefined> {
  const [row] = await deliveries(trx)
    .where({ id })
    .update({
      state: "pending",
      attempts: trx.raw("case when state = 'pending' then attempts else 0 end"),
      next_at: trx.raw("case when state = 'pending' and attempts > 0 then created_at else 0 end"),
    })
    .returning([...listedColumns]);
  return row;
}

/** Most deliveries of an endpoint that are made due at once. */
const mostEarlier = 1_000;

/** Makes pending deliveries of an endpoint due, those with the earliest next attempt. */
export async function sendWaiting(trx: Db, { id }: Pick<WebhookEndpointRow, "id">): Promise<void> {
  const again = deliveries(trx)
    .where({ endpoint_id: id })
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .where("attempts", ">", 0)
    .orderBy(["next_at", "id"]);
  await deliveries(trx)
    .whereIn("id", again.limit(mostEarlier).select("id"))
    .update({ next_at: trx.raw("created_at") });
}

export async function insertDelivery(
  trx: Db,
  delivery: Pick<
    WebhookDeliveryRow,
    "endpoint_id" | "calendar_id" | "message_id" | "type" | "payload" | "created_at"
  >,
): Promise<ListedDelivery> {
  const rows = await deliveries(trx)
    .insert(delivery)
    .returning([...listedColumns]);
  return onlyRow(rows);
}

/** Numbers of enabled endpoints and of their pending deliveries. */
export interface WebhookCounts {
  readonly enabled: number;
  readonly disabled: number;
  readonly count: number;
  /** Time of the oldest pending delivery, in Unix seconds; null without one. */
  readonly oldest: number | null;
}

/** Counts endpoints and pending deliveries, up to 100,000. */
export async function countWebhooks(on: Pick<Reader, "query">): Promise<WebhookCounts> {
  const [row] = await on.query<WebhookCounts>(countsSql, []);
  return row ?? { enabled: 0, disabled: 0, count: 0, oldest: null };
}

/** `cross join` makes SQLite search by endpoint instead of reading all deliveries. */
export const countsSql = `select (select count(*) from webhook_endpoints where state = 'enabled') as enabled,
    (select count(*) from webhook_endpoints where state = 'disabled') as disabled,
    waiting.total as count, (select created_at from webhook_deliveries where id = waiting.first_id) as oldest
  from (select count(*) as total, min(id) as first_id from (
    select d.id from webhook_endpoints as e cross join webhook_deliveries as d
    where e.state = 'enabled' and d.endpoint_id = e.id and d.state = 'pending' limit 100000) as found) as waiting`;
