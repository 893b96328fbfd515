import { randomUUID } from "node:crypto";
import { webhookTypes } from "@kalends/spec";
import { pino } from "pino";
import { Worker } from "../src/background/worker.js";
import { lockCalendar } from "../src/calendars/lock-queries.js";
import { insertCalendar } from "../src/calendars/queries.js";
import type { Database } from "../src/db/open-database.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../src/db/rows.js";
import { announce } from "../src/webhooks/outbox-queries.js";
import { insertEndpoint } from "../src/webhooks/queries.js";
import { newSecret } from "../src/webhooks/secrets.js";
import { type SenderContext, webhookQueue } from "../src/webhooks/sender.js";
import { createResolve } from "../src/webhooks/ssrf-guard.js";
import { onAnnouncement } from "../src/webhooks/wake.js";
import { newAccount, startOfTests } from "./harness.js";

/** An account with a calendar. */
export interface Owner {
  readonly accountId: number;
  readonly calendarId: number;
}

export async function newOwner(db: Database): Promise<Owner> {
  const { id: accountId } = await newAccount(db, { createdAt: 1 });
  return { accountId, calendarId: await addCalendar(db, accountId) };
}

export async function addCalendar(db: Database, accountId: number): Promise<number> {
  const texts = { title: "x", calendarname: "x", description: "", timezone: "UTC", palette_id: "1" };
  const row = await db.transaction((trx) =>
    insertCalendar(trx, accountId, { ...texts, uniquekey: randomUUID() }, 1),
  );
  if (row === undefined) throw new Error("no calendar");
  return row.id;
}

export type EndpointChoice = Partial<
  Pick<WebhookEndpointRow, "url" | "types" | "with_person" | "calendar_id">
>;

export async function addEndpoint(
  db: Database,
  accountId: number,
  choice: EndpointChoice = {},
): Promise<WebhookEndpointRow> {
  const types = ",event.created,subscriber.created,";
  const fields = { calendar_id: null, types, with_person: 0, url: "https://localhost/", ...choice };
  const row = await db.transaction((trx) =>
    insertEndpoint(trx, { ...fields, account_id: accountId, secret: newSecret(), created_at: 1 }, 100),
  );
  if (row === undefined) throw new Error("no endpoint");
  return row;
}

/** Every type, as an endpoint has them. */
export const everyType = `,${webhookTypes.join(",")},`;

/** The deliveries of an endpoint in the order of their ids. */
export async function deliveriesOf(db: Database, endpointId: number): Promise<readonly WebhookDeliveryRow[]> {
  return db.read<WebhookDeliveryRow>("webhook_deliveries").where({ endpoint_id: endpointId }).orderBy("id");
}

/** Announces new events at a time, each as a write does, one after the other: writes at once have no order. */
export async function announceEvents(
  db: Database,
  { accountId, calendarId }: Owner,
  titles: readonly string[],
  now = 1_782_993_600,
): Promise<void> {
  const announceOne = (title: string): Promise<void> =>
    db.transaction(async (trx) => {
      const calendar = await lockCalendar(trx, { accountId, calendarId });
      const change = {
        accountId,
        calendarId,
        type: "event.created",
        now,
        data: { event: { title } },
      } as const;
      await announce(trx, calendar?.webhooks ?? 0, change);
    });
  for (const title of titles) await announceOne(title);
}

/** Sends the messages of a database, as a server does, until it is stopped. */
export function startSending(
  db: Database,
  change: Partial<SenderContext> & { readonly timeoutMs?: number } = {},
): { stop(): Promise<void> } {
  const { timeoutMs = 20_000, log = pino({ level: "silent" }), ...rest } = change;
  const [sending, stopping] = [
    { timeoutMs, allowsPrivate: true, resolve: createResolve() },
    new AbortController(),
  ];
  const isStopping = (): boolean => stopping.signal.aborted;
  const { signal } = new AbortController();
  const context = { db, log, clock: () => startOfTests, sending, isStopping, signal, ...rest };
  const worker = new Worker(webhookQueue(context), log);
  const stopListening = onAnnouncement(() => worker.wake());
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      await worker.stop();
    },
  };
}
