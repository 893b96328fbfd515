import { webhookTypes } from "@kalends/spec";
import { pageOf, rowsOf } from "../db/paging.js";
import type { Handlers } from "../http/handler.js";
import { refusalOf } from "./ssrf-guard.js";
import { messageOf, testType } from "./message.js";
import * as queries from "./queries.js";
import { newSecret } from "./secrets.js";
import * as serialize from "./serialize.js";
import { wakeSenders } from "./wake.js";

/** How long the previous secret also signs after a rotation, in seconds. */
const rotationSeconds = 86_400;

export interface WebhookSettings {
  readonly perAccount: number;
  readonly allowsPrivate: boolean;
}

type WebhookHandlers = Pick<Handlers, keyof typeof otherHandlers | "webhooksCreate">;

/** Returns the handlers of webhooks (extensions X4). */
export function webhookHandlers({ perAccount, allowsPrivate }: WebhookSettings): WebhookHandlers {
  return {
    ...otherHandlers,

    async webhooksCreate({ url, types, calendar_id, with_person }, { db, accountId, now, error }) {
      const refusal = refusalOf(url, allowsPrivate) ?? refusalOf(new URL(url).href, allowsPrivate);
      if (refusal !== undefined)
        throw error("parameter_invalid", [{ parameter: "url", message: refusal, code: "not_a_url" }]);
      const secret = newSecret();
      return db.transaction(async (trx) => {
        const calendarId = calendar_id === undefined ? null : Number(calendar_id);
        if (calendarId !== null && !(await queries.hasCalendar(trx, accountId, calendarId)))
          throw error("calendar_not_found");
        const endpoint = {
          account_id: accountId,
          calendar_id: calendarId,
          url: new URL(url).href,
          types: `,${types ?? webhookTypes.join(",")},`,
          with_person: with_person === "true" ? 1 : 0,
          secret,
          created_at: now,
        };
        const row = await queries.insertEndpoint(trx, endpoint, perAccount);
        if (row === undefined) throw error("webhook_limit_reached");
        return { webhook: serialize.webhook(row), secret };
      });
    },
  };
}

const otherHandlers = {
  async webhooksList(_params, { db, accountId }) {
    const rows = await db.list(accountId, ({ read }) => queries.listEndpoints(read, accountId));
    return { webhooks: rows.map(serialize.webhook) };
  },

  async webhooksDelete({ webhook_id }, { db, accountId, now, error }) {
    return db.transaction(async (trx) => {
      const endpoint = { id: Number(webhook_id), account_id: accountId };
      if ((await queries.deleteEndpoint(trx, endpoint, now)) === undefined) throw error("webhook_not_found");
      return { webhook: { id: webhook_id, status: "deleted" } };
    });
  },

  async webhooksRotate({ webhook_id }, { db, accountId, now, error }) {
    const secret = newSecret();
    return db.transaction(async (trx) => {
      const before = await queries.findEndpoint(trx, Number(webhook_id), accountId);
      if (before === undefined) throw error("webhook_not_found");
      const previous = { previous_secret: before.secret, previous_until: now + rotationSeconds };
      const row = await queries.updateEndpoint(trx, before, { secret, ...previous });
      if (row === undefined) throw error("webhook_not_found");
      return { webhook: serialize.webhook(row), secret };
    });
  },

  async webhooksEnable({ webhook_id }, { db, accountId, error }) {
    const left = { failures: 0, next_at: 0 };
    const enabled = { ...left, state: "enabled", disabled_reason: null, disabled_at: null } as const;
    const answer = await db.transaction(async (trx) => {
      const endpoint = { id: Number(webhook_id), account_id: accountId };
      const row = await queries.updateEndpoint(trx, endpoint, enabled);
      if (row === undefined) throw error("webhook_not_found");
      await queries.sendWaiting(trx, row);
      return { webhook: serialize.webhook(row) };
    });
    wakeSenders();
    return answer;
  },

  async webhooksTest({ webhook_id }, { db, accountId, now, error }) {
    const answer = await db.transaction(async (trx) => {
      const endpoint = await queries.findEndpoint(trx, Number(webhook_id), accountId);
      if (endpoint === undefined) throw error("webhook_not_found");
      const data = { webhook: serialize.webhook(endpoint) };
      const { messageId: message_id, payload } = messageOf({ type: testType, now, data });
      const test = { endpoint_id: endpoint.id, calendar_id: 0, type: testType, created_at: now };
      const row = await queries.insertDelivery(trx, { ...test, message_id, payload });
      return { delivery: serialize.delivery(row) };
    });
    wakeSenders();
    return answer;
  },

  async webhooksDeliveries({ webhook_id }, { db, accountId, page, error }) {
    const [endpoint, rows] = await db.list(accountId, async ({ read }) => {
      const found = await queries.findEndpoint(read, Number(webhook_id), accountId);
      return [found, found === undefined ? [] : await queries.listDeliveries(read, found.id, rowsOf(page))];
    });
    if (endpoint === undefined) throw error("webhook_not_found");
    const { items, paging } = pageOf(page, rows);
    return { webhook: serialize.webhook(endpoint), deliveries: items.map(serialize.delivery), paging };
  },

  async webhooksRedeliver({ delivery_id }, { db, accountId, error }) {
    const answer = await db.transaction(async (trx) => {
      const found = await queries.findDelivery(trx, Number(delivery_id), accountId);
      if (found === undefined) throw error("delivery_not_found");
      const row = (await queries.redeliver(trx, found.id)) ?? found;
      return { delivery: serialize.delivery(row) };
    });
    wakeSenders();
    return answer;
  },
} satisfies Partial<Handlers>;
