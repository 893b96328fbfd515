import { overItems } from "../background/failures.js";
import type { Database, Db } from "../db/database.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";
import { daySeconds } from "../time/formats.js";
import { eventOf, withoutTexts } from "./message.js";
import { longestWait } from "./mail-queries.js";
import { disableEndpoint } from "./queries.js";

/** Most rows that one transaction removes: few enough that other writers hardly wait. */
const batchSize = 500;

/** How long the row of a deleted endpoint stays, in seconds: a write that began before may still store a message to it. */
const graceSeconds = 3600;

/** Removed deliveries by reason. */
export interface PurgedDeliveries {
  expired: number;
  /** Beyond the limit of one endpoint. */
  limit: number;
  deleted: number;
}

interface Keeping {
  readonly now: number;
  readonly days: number;
  /** Most deliveries of one endpoint, sent or not. */
  readonly most: number;
}

/**
 * Removes old deliveries, those of deleted endpoints, and the oldest of endpoints that have too many; disables an endpoint with
 * too many pending ones. Safe on several servers at once; ends early, between two batches, when `isStopping` returns true. Adds
 * to `purged`.
 */
export async function purgeDeliveries(
  db: Database,
  { now, days, most }: Keeping,
  isStopping: () => boolean = () => false,
  purged: PurgedDeliveries = { expired: 0, limit: 0, deleted: 0 },
): Promise<void> {
  for (let removed = batchSize; removed === batchSize && !isStopping();) {
    removed = await deleteOlder(db, now - days * daySeconds);
    purged.expired += removed;
  }
  const endpoints = await db.read<WebhookEndpointRow>("webhook_endpoints").orderBy("id");
  await overItems(async (doItem) => {
    for (const endpoint of endpoints) {
      if (isStopping()) return;
      await doItem(endpoint.id, () => {
        if (endpoint.state === "deleted") return purgeEndpoint(db, endpoint, now, { purged, isStopping });
        return limitDeliveries(db, endpoint, { now, most }, { purged, isStopping });
      });
    }
  });
}

/** Ids grow with time, so the oldest rows come first and no index is needed. Returns the number of deleted rows. */
async function deleteOlder(db: Database, before: number): Promise<number> {
  const oldest = await db
    .read<WebhookDeliveryRow>("webhook_deliveries")
    .orderBy("id")
    .limit(batchSize)
    .select("id", "created_at");
  const newer = oldest.findIndex(({ created_at }) => created_at >= before);
  const old = newer === -1 ? oldest : oldest.slice(0, newer);
  const ids = old.map(({ id }) => id);
  return deleteRows(db, ids);
}

/** Removes all deliveries of a deleted account. The rows of its endpoints are removed later. */
export async function purgeEndpointsOf(db: Database, accountId: number): Promise<void> {
  const rows = db
    .read<WebhookEndpointRow>("webhook_endpoints")
    .where({ account_id: accountId, state: "deleted" });
  for (const { id } of await rows) await deleteWhere(db, { endpoint_id: id }, () => false);
}

interface Purging {
  readonly isStopping: () => boolean;
  readonly purged: PurgedDeliveries;
}

async function purgeEndpoint(
  db: Database,
  { id, disabled_at }: WebhookEndpointRow,
  now: number,
  { isStopping, purged }: Purging,
): Promise<void> {
  const removed = await deleteWhere(db, { endpoint_id: id }, isStopping);
  purged.deleted += removed.rows;
  if (!removed.all) return;
  if ((disabled_at ?? now) > now - graceSeconds) return;
  await db.transaction((trx) => trx<WebhookEndpointRow>("webhook_endpoints").where({ id }).delete());
}

async function limitDeliveries(
  db: Database,
  endpoint: WebhookEndpointRow,
  { now, most }: Pick<Keeping, "now" | "most">,
  { isStopping, purged }: Purging,
): Promise<void> {
  const rows = () => db.read<WebhookDeliveryRow>("webhook_deliveries").where({ endpoint_id: endpoint.id });
  const last = await rows().orderBy("id", "desc").offset(most).first("id");
  if (last === undefined) return;
  for (;;) {
    const ids: number[] = await rows().where("id", "<=", last.id).orderBy("id").limit(batchSize).pluck("id");
    const waiting = await rows().whereIn("id", ids).where({ state: "pending" }).first("id");
    if (waiting !== undefined && endpoint.state === "enabled") {
      const reason = `More than ${most} deliveries were kept, and the oldest had not been sent.`;
      await db.transaction((trx) => disableEndpoint(trx, endpoint, reason, now));
    }
    purged.limit += await deleteRows(db, ids);
    if (ids.length < batchSize || isStopping()) return;
  }
}

/**
 * Removes all deliveries of a deleted calendar, except that of the deletion, which has only ids. Returns false when it ended
 * early.
 */
export async function purgeCalendarDeliveries(
  db: Database,
  calendarId: number,
  isStopping: () => boolean = () => false,
): Promise<boolean> {
  return (await deleteWhere(db, { calendar_id: calendarId }, isStopping, "calendar.deleted")).all;
}

/** Most payloads of one read: each may have a megabyte. */
const payloadBatch = 50;

/** Removes the texts of events of a calendar from all messages, also unsent ones. */
export async function forgetEvents(
  db: Database,
  calendarId: number,
  events: ReadonlySet<number>,
  isStopping: () => boolean,
): Promise<void> {
  for (let after = 0; !isStopping();) {
    const rows = await db
      .read<WebhookDeliveryRow>("webhook_deliveries")
      .where({ calendar_id: calendarId })
      .where("id", ">", after)
      .orderBy("id")
      .limit(payloadBatch)
      .select("id", "payload");
    const concerned = rows.filter(({ payload }) => events.has(eventOf(payload) ?? 0));
    if (concerned.length > 0)
      await db.transaction(async (trx) => {
        for (const { id, payload } of concerned)
          await trx<WebhookDeliveryRow>("webhook_deliveries")
            .where({ id })
            .update({ payload: withoutTexts(payload) });
      });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function deleteWhere(
  db: Database,
  of: { readonly endpoint_id: number } | { readonly calendar_id: number },
  isStopping: () => boolean,
  exceptType = "",
): Promise<{ readonly rows: number; readonly all: boolean }> {
  for (let rows = 0; ;) {
    const ids: number[] = await db
      .read<WebhookDeliveryRow>("webhook_deliveries")
      .where(of)
      .whereNot({ type: exceptType })
      .limit(batchSize)
      .pluck("id");
    rows += await deleteRows(db, ids);
    if (ids.length < batchSize) return { rows, all: true };
    if (isStopping()) return { rows, all: false };
  }
}

async function deleteRows(db: Database, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  return db.transaction((trx) =>
    trx<WebhookDeliveryRow>("webhook_deliveries")
      .whereIn("id", [...ids])
      .delete(),
  );
}

/** How long rows of e-mail are kept, in seconds: what came of a message as long as one may wait, news for readers of feeds, requests for their limit. */
const kept = { mail_deliveries: longestWait, news: 60 * daySeconds, mail_requests: daySeconds } as const;

/**
 * Removes rows of e-mail that are too old, except messages that pages still show. What has waited for so long is not sent any more. Safe on
 * several servers at once.
 */
export async function purgeMail(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const rows = db.dialect.name === "sqlite" ? "rowid" : "ctid";
  for (const [table, seconds] of Object.entries(kept)) {
    const old = (trx: Db) => {
      const older = trx(table).where("created_at", "<", now - seconds);
      return table === "news" ? older.where("shown_until", "<=", now) : older;
    };
    const remove = (trx: Db): Promise<number> =>
      old(trx)
        .whereRaw(`${rows} in (?)`, [old(trx).select(trx.raw(rows)).limit(batchSize)])
        .delete();
    while (!isStopping() && (await db.transaction(remove)) > 0);
  }
}
