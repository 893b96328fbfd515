import { randomUUID } from "node:crypto";
import { batched, type Member } from "../db/batch.js";
import { type Columns, columnsExcept, rowArray } from "../db/columns.js";
import type { Database, Db } from "../db/database.js";
import { named } from "../db/trace.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";

// Who sends what. A sender claims deliveries of an endpoint for some seconds; when it is killed, they are due again after that.
// The row of the endpoint is locked meanwhile, so that each delivery has one sender at a time, of all servers.

const deliveries = (db: Db) => db<WebhookDeliveryRow>("webhook_deliveries");

/** Runs of an endpoint at a time, of all servers together. */
const mostRuns = 2;

/** Deliveries of a run, which are sent one after the other. */
const mostInRun = 32;

/** How many of the oldest waiting deliveries of an endpoint are looked at. */
const windowSize = 128;

/** Deliveries of one endpoint that one sender sends one after the other. */
export interface Run {
  readonly endpoint: WebhookEndpointRow;
  /** Names the claim in the rows. */
  readonly sender: string;
  /** First attempts of one calendar, or attempts of some that failed before. */
  readonly deliveries: readonly WebhookDeliveryRow[];
}

/**
 * Returns enabled endpoints with something due at `now` (Unix seconds), from the first after `after` in the order of their ids.
 * Each costs a search of an index, however much waits for it.
 */
export async function dueEndpoints(
  db: Pick<Database, "lookUp">,
  { now, after, limit }: { readonly now: number; readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db.lookUp<{ readonly id: number }>(dueSql, [after, now, limit]);
  return rows.map(({ id }) => id);
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
  select waiting.id from waiting join webhook_endpoints as e on e.id = waiting.id and e.state = 'enabled'
  where exists (select 1 from webhook_deliveries as d
    where d.state = 'pending' and d.endpoint_id = waiting.id and d.next_at <= $2)
  limit cast($3 as bigint)`,
);

/**
 * Claims what is due of an endpoint: first attempts in the order of their ids and of one calendar one at a time, others beside
 * them. Returns no run when others have as many as may be, or nothing is due.
 * @param until when the claim ends, in Unix seconds
 */
export async function claim(
  trx: Db,
  endpointId: number,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<readonly Run[]> {
  const endpoint = await trx<WebhookEndpointRow>("webhook_endpoints")
    .where({ id: endpointId, state: "enabled" })
    .forNoKeyUpdate()
    .first();
  if (endpoint === undefined) return [];
  const claimed = await deliveries(trx)
    .where({ endpoint_id: endpointId })
    .whereRaw("sender <> ''")
    .select("id", "calendar_id", "attempts", "sender", "next_at");
  await releaseExpired(trx, endpointId, now);
  const live = claimed.filter(({ next_at }) => next_at > now);
  const free = mostRuns - new Set(live.map(({ sender }) => sender)).size;
  if (free <= 0) return [];
  const busy = new Set(live.filter(({ attempts }) => attempts === 0).map(({ calendar_id }) => calendar_id));
  const lanes = lanesOf(await firstAttempts(trx, endpointId), busy);
  const again = await laterAttempts(trx, endpointId, now);
  // Others do not wait behind a calendar with much to send, nor the other way round.
  const [oldest = [], ...others] = lanes;
  const chosen = [oldest, again, ...others].filter(({ length }) => length > 0).slice(0, free);
  const runs: Run[] = [];
  for (const rows of chosen) {
    const sender = randomUUID();
    const ids = rows.map(({ id }) => id);
    const changed = await deliveries(trx)
      .whereIn("id", ids)
      .update({ sender, next_at: until })
      .returning("*");
    runs.push({ endpoint, sender, deliveries: changed.toSorted((one, other) => one.id - other.id) });
  }
  return runs;
}

type Waiting = Pick<WebhookDeliveryRow, "id" | "calendar_id">;

/** Makes those of senders that are gone due again, first attempts in their old place. */
async function releaseExpired(trx: Db, endpointId: number, now: number): Promise<void> {
  await deliveries(trx)
    .where({ endpoint_id: endpointId })
    .whereRaw("sender <> ''")
    .where("next_at", "<=", now)
    .update({ sender: "", next_at: trx.raw("case when attempts = 0 then 0 else next_at end") });
}

function firstAttempts(trx: Db, endpointId: number): Promise<readonly Waiting[]> {
  return pending(trx, endpointId).where({ next_at: 0 }).orderBy("id").limit(windowSize);
}

function laterAttempts(trx: Db, endpointId: number, now: number): Promise<readonly Waiting[]> {
  const rows = pending(trx, endpointId).where("next_at", ">", 0).where("next_at", "<=", now);
  return rows.orderBy(["next_at", "id"]).limit(mostInRun);
}

function pending(trx: Db, endpointId: number) {
  return deliveries(trx)
    .where({ endpoint_id: endpointId })
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .select("id", "calendar_id");
}

/** What a claimed delivery is sent with. */
export interface Current extends Pick<
  WebhookEndpointRow,
  "url" | "secret" | "previous_secret" | "previous_until"
> {
  readonly payload: string;
}

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

/** The deliveries of each calendar that no one sends now, the oldest calendar first. */
function lanesOf(rows: readonly Waiting[], busy: ReadonlySet<number>): readonly (readonly Waiting[])[] {
  const lanes = new Map<number, Waiting[]>();
  for (const row of rows) {
    if (busy.has(row.calendar_id)) continue;
    const lane = lanes.get(row.calendar_id) ?? [];
    if (lane.length < mostInRun) lane.push(row);
    lanes.set(row.calendar_id, lane);
  }
  return [...lanes.values()];
}

/** What became of a claimed delivery. */
export type Settled = Pick<
  WebhookDeliveryRow,
  "id" | "sender" | "state" | "attempts" | "next_at" | "status" | "error" | "duration_ms" | "attempted_at"
>;

const settledColumns = {
  id: "integer",
  sender: "text",
  state: "text",
  attempts: "integer",
  next_at: "integer",
  status: "integer",
  error: "text",
  duration_ms: "integer",
  attempted_at: "integer",
} as const satisfies Columns<Settled>;

const outcome = rowArray(settledColumns, columnsExcept(settledColumns));
const kept = columnsExcept(settledColumns, "id", "sender");

/** Stores the outcome of an attempt and ends the claim. Nothing is stored when it had ended: another sender has it. */
export const settle: (trx: Member, settled: Settled) => Promise<void> = batched<Settled, never, void>({
  name: "settle webhook deliveries",
  writes: true,
  rows: (settled) => settled.map(outcome.cells),
  sql: ({ items }) => `update webhook_deliveries
    set sender = '', ${kept.map((name) => `${name} = ${outcome.sqlOf(name)}`).join(", ")}
    from ${items}($1)
    where webhook_deliveries.id = ${outcome.sqlOf("id")}
      and webhook_deliveries.sender = ${outcome.sqlOf("sender")}`,
  results: (settled) => settled.map(() => undefined),
});

/** Ends the claim of deliveries that were not attempted. */
export async function release(trx: Db, { sender, deliveries: rows }: Run): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await deliveries(trx)
    .whereIn("id", ids)
    .where({ sender })
    .update({ sender: "", next_at: trx.raw("case when attempts = 0 then 0 else created_at end") });
}
