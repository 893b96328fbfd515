import { randomUUID } from "node:crypto";
import { batchedWrite, type Transaction } from "../db/transaction.js";
import { columnsExcept, rowArray } from "../db/columns.js";
import type { Database, Db } from "../db/database.js";
import { mostUnfinishedStarts, setAsideReason } from "../db/set-aside.js";
import { named } from "../db/trace.js";
import type { Secrets } from "./secrets.js";
import { againOf, chosenOf, isSuspect, lanesOf, mostInRun, type Waiting } from "./lanes.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";

// Who sends what. A sender claims deliveries of an endpoint for some seconds; when it is killed, they are due again after that.
// The row of the endpoint is locked meanwhile, so that each delivery has one sender at a time, of all servers.

const deliveries = (db: Db) => db<WebhookDeliveryRow>("webhook_deliveries");

/** Runs of an endpoint at a time, of all servers together. */
const mostRuns = 2;

/** How many of the oldest waiting deliveries of an endpoint are looked at. */
const windowSize = 128;

/** What is needed of a claimed delivery; its payload is read when it is sent. */
export type Claimed = Pick<WebhookDeliveryRow, (typeof claimedColumns)[number]>;

const claimedColumns = [
  "id",
  "calendar_id",
  "message_id",
  "type",
  "attempts",
  "next_at",
  "unfinished_starts",
] as const;

/** Deliveries of one endpoint that one sender sends one after the other. */
export interface Run {
  readonly endpoint: WebhookEndpointRow;
  /** Names the claim in the rows. */
  readonly sender: string;
  /** First attempts of one calendar, or attempts of some that failed before. */
  readonly deliveries: readonly Claimed[];
  /** Whether a process ended with it. */
  readonly isSuspect: boolean;
}

/** An endpoint with something due. */
export type DueEndpoint = Pick<WebhookEndpointRow, "id" | "account_id">;

/**
 * Returns enabled endpoints with something due, from the first after `after` in the order of their ids. Each costs a search of an
 * index, however much waits for it.
 */
export function dueEndpoints(
  { lookUp }: Pick<Database, "lookUp">,
  { now, after, limit }: { readonly now: number; readonly after: number; readonly limit: number },
): Promise<readonly DueEndpoint[]> {
  return lookUp<DueEndpoint>(dueSql, [after, now, limit]);
}

export const dueSql = named(
  "find due webhooks",
  `with recursive waiting (id) as (
    select min(d.endpoint_id) from webhook_deliveries as d where d.state = 'pending' and d.endpoint_id > $1
    union all
    select (select min(d.endpoint_id) from webhook_deliveries as d
        where d.state = 'pending' and d.endpoint_id > waiting.id)
      from waiting where waiting.id is not null
  )
  select waiting.id, e.account_id
  from waiting join webhook_endpoints as e on e.id = waiting.id and e.state = 'enabled'
  where exists (select 1 from webhook_deliveries as d
    where d.state = 'pending' and d.endpoint_id = waiting.id and d.next_at <= $2)
  limit cast($3 as bigint)`,
);

interface Claim {
  /** Unix seconds. */
  readonly now: number;
  /** When the claim ends by itself, in Unix seconds. */
  readonly until: number;
  /** Whether it is the turn of a delivery that a process ended with: it is sent alone, and after its neighbours. */
  readonly suspects?: boolean;
  /** Senders whose claims end by themselves although their process goes on. */
  readonly lost?: readonly string[];
}

/**
 * Claims what is due of an endpoint: first attempts in the order of their ids and of one calendar one at a time, others beside
 * them. Returns no run when others have as many as may be, or nothing is due.
 */
export async function claim(
  trx: Db,
  endpointId: number,
  { now, until, suspects = false, lost = [] }: Claim,
): Promise<Run | undefined> {
  const endpoint = await trx<WebhookEndpointRow>("webhook_endpoints")
    .where({ id: endpointId, state: "enabled" })
    .forNoKeyUpdate()
    .first();
  if (endpoint === undefined) return undefined;
  const claimed = await deliveries(trx)
    .where({ endpoint_id: endpointId })
    .whereRaw("sender <> ''")
    .orderBy("id")
    .select("sender", ...claimedColumns);
  const isLive = ({ next_at }: Claimed): boolean => next_at > now;
  const expired = claimed.filter((row) => !isLive(row));
  if (expired.length > 0) await releaseExpired(trx, expired, lost);
  const live = claimed.filter(isLive);
  if (new Set(live.map(({ sender }) => sender)).size >= mostRuns) return undefined;
  const lanes = lanesOf(await firstAttempts(trx, endpointId), live);
  const chosen = chosenOf([...lanes, ...againOf(await laterAttempts(trx, endpointId, now))], live, suspects);
  if (chosen === undefined) return undefined;
  const sender = randomUUID();
  const ids = chosen.map(({ id }) => id);
  const changed = await deliveries(trx)
    .whereIn("id", ids)
    .update({ sender, next_at: until })
    .returning([...claimedColumns]);
  const inOrder = changed.toSorted((one, other) => one.id - other.id);
  return { endpoint, sender, deliveries: inOrder, isSuspect: chosen.some(isSuspect) };
}

/**
 * Makes those of senders that are gone due again, first attempts in their old place. The first of each was being sent when its
 * process ended: after some such ends in a row it is set aside.
 */
async function releaseExpired(
  trx: Db,
  expired: readonly (Pick<WebhookDeliveryRow, "id" | "sender"> & Pick<Waiting, "unfinished_starts">)[],
  lost: readonly string[],
): Promise<void> {
  const heads = new Map(expired.toReversed().map((row) => [row.sender, row]));
  for (const name of lost) heads.delete(name);
  const unfinished = [...heads.values()];
  const setAside = unfinished.filter(({ unfinished_starts: starts }) => starts + 1 >= mostUnfinishedStarts);
  const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);
  await deliveries(trx)
    .whereIn("id", idsOf(expired))
    .update({ sender: "", next_at: trx.raw("case when attempts = 0 then 0 else next_at end") });
  await deliveries(trx).whereIn("id", idsOf(unfinished)).increment("unfinished_starts", 1);
  await deliveries(trx)
    .whereIn("id", idsOf(setAside))
    .update({ state: "failed", next_at: 0, status: null, error: setAsideReason });
}

function firstAttempts(trx: Db, endpointId: number): Promise<readonly Waiting[]> {
  return pending(trx, endpointId).where({ next_at: 0 }).orderBy("id").limit(windowSize);
}

function laterAttempts(trx: Db, endpointId: number, now: number): Promise<readonly Waiting[]> {
  const rows = pending(trx, endpointId).where("next_at", ">", 0).where("next_at", "<=", now);
  return rows.orderBy(["unfinished_starts", "next_at", "id"]).limit(mostInRun);
}

function pending(trx: Db, endpointId: number) {
  return deliveries(trx)
    .where({ endpoint_id: endpointId })
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .select("id", "calendar_id", "attempts", "unfinished_starts");
}

/** What a claimed delivery is sent with. */
export type Current = Secrets & Pick<WebhookEndpointRow, "url"> & Pick<WebhookDeliveryRow, "payload">;

const currentSql = named(
  "find a claimed webhook",
  `select e.url, e.secret, e.previous_secret, e.previous_until, d.payload
    from webhook_deliveries as d join webhook_endpoints as e on e.id = d.endpoint_id and e.state = 'enabled'
    where d.id = $1 and d.sender = $2`,
);

/**
 * Reads a claimed delivery again; undefined when the endpoint was deleted or disabled since, or the claim has ended. A run takes a
 * while: the secret may have been replaced since the claim, and a person deleted.
 */
export async function findCurrent(
  { lookUp }: Pick<Database, "lookUp">,
  { sender }: Pick<Run, "sender">,
  { id }: Pick<WebhookDeliveryRow, "id">,
): Promise<Current | undefined> {
  const [row] = await lookUp<Current>(currentSql, [id, sender]);
  return row;
}

const settledColumns = {
  id: "integer",
  sender: "text",
  state: "text",
  attempts: "integer",
  next_at: "integer",
  status: "integer?",
  error: "text?",
  duration_ms: "integer?",
  attempted_at: "integer?",
} as const;

export type Settled = Pick<WebhookDeliveryRow, keyof typeof settledColumns>;

const outcome = rowArray(settledColumns, columnsExcept(settledColumns));
const kept = columnsExcept(settledColumns, "id", "sender");

/** Stores the outcome of an attempt and ends the claim. Nothing is stored when it had ended: another sender has it. */
export const settle: (trx: Transaction, settled: Settled) => Promise<void> = batchedWrite<Settled>({
  name: "settle webhook deliveries",
  rows: (settled) => settled.map(outcome.cells),
  sql: ({ items }) => `update webhook_deliveries
    set sender = '', unfinished_starts = 0, ${kept.map((name) => `${name} = ${outcome.sqlOf(name)}`).join(", ")}
    from ${items}($1)
    where webhook_deliveries.id = ${outcome.sqlOf("id")}
      and webhook_deliveries.sender = ${outcome.sqlOf("sender")}`,
});

/** Ends the claim of deliveries that were not attempted. */
export async function release(
  trx: Db,
  { sender, deliveries: rows }: Pick<Run, "sender" | "deliveries">,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await deliveries(trx)
    .whereIn("id", ids)
    .where({ sender })
    .update({
      sender: "",
      unfinished_starts: 0,
      next_at: trx.raw("case when attempts = 0 then 0 else created_at end"),
    });
}
