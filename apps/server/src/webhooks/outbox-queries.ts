import type { Value } from "../db/query.js";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import type { AccountRow, WebhookDeliveryRow } from "../db/rows.js";
import { type Announcement, type Message, messageOf, withoutPerson } from "./message.js";
import { wakeSenders } from "./wake.js";

// The outbox: a message is stored in the transaction of its change, so it is sent exactly if that commits. It has a row for
// each endpoint that receives the type.

/**
 * Announces a change to the endpoints of an account. Call it with the calendar locked, so that the messages of a calendar have
 * the order of its changes.
 * @param webhooks the number of endpoints of the account, a column of the locked calendar
 */
export async function announce(
  trx: Transaction,
  webhooks: number,
  announcement: Announcement,
): Promise<void> {
  if (webhooks === 0) return;
  await storeMessages(trx, [cells(announcement)]);
  trx.afterCommit.add(wakeSenders);
}

async function storeMessages(trx: Transaction, messages: readonly (readonly Value[])[]): Promise<void> {
  const rows = messages.map((each, index) => [index, ...each]);
  await queryInSlices(trx, storeSql(trx.dialect.items), rows);
}

/** Rows get ids in their order, in which the messages of a calendar are sent. */
const storeSql = (items: string): string => `insert into webhook_deliveries
      (endpoint_id, calendar_id, subscriber_id, message_id, type, payload, created_at)
    select e.id, message.calendar_id,
      case when e.with_person = 1 then message.subscriber_id end, message.message_id, message.type,
      case when e.with_person = 1 then coalesce(message.person_payload, message.payload) else message.payload end,
      message.created_at
    from (select cast(value ->> 0 as bigint) as place, cast(value ->> 1 as bigint) as account_id,
        cast(value ->> 2 as bigint) as calendar_id, value ->> 3 as type, cast(value ->> 4 as bigint) as created_at,
        value ->> 5 as message_id, value ->> 6 as payload, value ->> 7 as person_payload,
        cast(value ->> 8 as bigint) as subscriber_id from ${items}($1)) as message
      join webhook_endpoints as e on e.account_id = message.account_id and e.state = 'enabled'
        and (e.calendar_id is null or e.calendar_id = message.calendar_id)
        and e.types like '%,' || message.type || ',%'
    order by message.place, e.id`;

function cells(announcement: Announcement): readonly Value[] {
  const { accountId, calendarId, type, now, withPerson } = announcement;
  const { messageId, payload, personPayload } = messageOf(announcement);
  return [
    accountId,
    calendarId,
    type,
    now,
    messageId,
    payload,
    personPayload,
    withPerson?.subscriberId ?? null,
  ];
}

/** Stores the serialized messages of an import into a locked calendar (files/import-plan.ts). */
export async function insertMessages(
  trx: Transaction,
  calendar: { readonly id: number; readonly account_id: number },
  messages: readonly (Pick<Message, "messageId" | "payload"> & { readonly type: string })[],
  now: number,
): Promise<void> {
  const { account_id, id } = calendar;
  const rows = messages.map(({ type, messageId, payload }) => [
    account_id,
    id,
    type,
    now,
    messageId,
    payload,
    null,
    null,
  ]);
  await storeMessages(trx, rows);
  trx.afterCommit.add(wakeSenders);
}

/** Announces a change where the number of endpoints is not known. */
export async function announceAlone(trx: Transaction, announcement: Announcement): Promise<void> {
  const account = await trx<AccountRow>("accounts").where({ id: announcement.accountId }).first("webhooks");
  if (account !== undefined) await announce(trx, account.webhooks, announcement);
}

/**
 * Removes a person's name and e-mail address from all payloads, also unsent ones. They are members of the payload's
 * `data.subscriber`.
 */
export async function forgetSubscriber(trx: Transaction, subscriberId: number): Promise<void> {
  const rows = await trx<WebhookDeliveryRow>("webhook_deliveries").where({ subscriber_id: subscriberId });
  const nameless = rows.map(({ id, payload }) => [id, withoutPerson(payload)]);
  await queryInSlices(trx, forgetSql(trx.dialect.items), nameless);
}

const forgetSql = (
  items: string,
): string => `update webhook_deliveries set payload = nameless.payload, subscriber_id = null
    from (select cast(value ->> 0 as bigint) as id, value ->> 1 as payload from ${items}($1)) as nameless
    where webhook_deliveries.id = nameless.id`;
