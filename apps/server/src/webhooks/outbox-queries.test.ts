import { expect, test } from "vitest";
import { lockCalendar } from "../calendars/lock-queries.js";
import { insertCalendar } from "../calendars/queries.js";
import { readConfig } from "../settings/config.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";
import { planOf, searches, testDatabase } from "../../test/databases.js";
import { newAccount } from "../../test/harness.js";
import { dueEndpoints } from "./delivery-queries.js";
import { limitPayloads } from "./message.js";
import { announce, announceAlone, forgetSubscriber } from "./outbox-queries.js";
import { countsSql, deleteEndpoint, insertEndpoint } from "./queries.js";

const { db } = await testDatabase();

/** An account with a calendar. */
async function newOwner(): Promise<{ readonly accountId: number; readonly calendarId: number }> {
  const { id: accountId } = await newAccount(db, { createdAt: 1 });
  return { accountId, calendarId: await addCalendar(accountId) };
}

let keys = 0;

async function addCalendar(accountId: number): Promise<number> {
  const texts = { title: "x", calendarname: "x", description: "", timezone: "UTC", palette_id: "1" };
  const row = await db.transaction((trx) =>
    insertCalendar(trx, accountId, { ...texts, uniquekey: `outbox-${++keys}` }, 1),
  );
  return row?.id ?? 0;
}

async function addEndpoint(
  accountId: number,
  choice: Partial<Pick<WebhookEndpointRow, "types" | "with_person" | "calendar_id">> = {},
): Promise<WebhookEndpointRow> {
  const fields = {
    calendar_id: null,
    types: ",event.created,subscriber.created,",
    with_person: 0,
    ...choice,
  };
  const row = await db.transaction((trx) =>
    insertEndpoint(
      trx,
      {
        ...fields,
        account_id: accountId,
        url: "https://example.com",
        secret: "whsec_c2VjcmV0",
        created_at: 1,
      },
      100,
    ),
  );
  if (row === undefined) throw new Error("no endpoint");
  return row;
}

function deliveriesOf(endpointId: number): Promise<WebhookDeliveryRow[]> {
  return db.read<WebhookDeliveryRow>("webhook_deliveries").where({ endpoint_id: endpointId }).orderBy("id");
}

/** Announces events in a group, as a write does. */
function announceEvents(
  { accountId, calendarId }: { readonly accountId: number; readonly calendarId: number },
  titles: readonly string[],
): Promise<unknown> {
  return Promise.all(
    titles.map((title) =>
      db.transaction(async (trx) => {
        const calendar = await lockCalendar(trx, { accountId, calendarId });
        const type = "event.created" as const;
        await announce(trx, calendar?.webhooks ?? 0, {
          accountId,
          calendarId,
          type,
          now: 1_782_993_600,
          data: { event: { title } },
        });
      }),
    ),
  );
}

test("a change is stored once for each enabled endpoint of the account that receives its type, as Standard Webhooks prints it", async () => {
  const owner = await newOwner();
  const other = await newOwner();
  const wanted = [
    await addEndpoint(owner.accountId),
    await addEndpoint(owner.accountId, { calendar_id: owner.calendarId }),
  ];
  const unwanted = [
    await addEndpoint(owner.accountId, { types: ",event.created_,event.deleted," }),
    await addEndpoint(owner.accountId, { calendar_id: owner.calendarId + 1 }),
    await addEndpoint(other.accountId),
  ];
  const gone = await addEndpoint(owner.accountId);
  await db.transaction((trx) => deleteEndpoint(trx, gone, 2));
  await announceEvents(owner, ['"Quoted" \u{1F389}']);
  const stored = await Promise.all(wanted.map(({ id }) => deliveriesOf(id)));
  for (const rows of stored) {
    expect(rows.map(({ payload }): unknown => JSON.parse(payload))).toStrictEqual([
      {
        type: "event.created",
        timestamp: "2026-07-02T12:00:00Z",
        data: { event: { title: '"Quoted" \u{1F389}' } },
      },
    ]);
  }
  const [ids] = [new Set(stored.flat().map(({ message_id }) => message_id))];
  expect(ids.size).toBe(1);
  for (const { id } of [...unwanted, gone]) expect(await deliveriesOf(id)).toStrictEqual([]);
});

test("an account without endpoints stores nothing, and one whose write fails neither", async () => {
  const owner = await newOwner();
  const count = async () => (await db.read("webhook_deliveries").pluck("id")).length;
  const before = await count();
  await announceEvents(owner, ["x"]);
  const { id } = await addEndpoint(owner.accountId);
  const failing = db.transaction(async (trx) => {
    const change = { ...owner, type: "event.created" as const, now: 1, data: {} };
    await announce(trx, 1, change);
    throw new Error("too late");
  });
  await expect(failing).rejects.toThrow("too late");
  expect(await deliveriesOf(id)).toStrictEqual([]);
  expect(await count()).toBe(before);
});

test("a person's name and address are stored for endpoints with with_person alone, and removed when they are to be forgotten", async () => {
  const owner = await newOwner();
  const withPerson = await addEndpoint(owner.accountId, { with_person: 1 });
  const without = await addEndpoint(owner.accountId);
  const subscriber = { id: "7", name: "Ada Byron", email: "ada@example.com" };
  const change = {
    ...owner,
    type: "subscriber.created" as const,
    now: 1,
    data: { subscriber: { id: "7" } },
    withPerson: { subscriberId: 7, data: { subscriber } },
  };
  await db.transaction((trx) => announce(trx, 2, change));
  await db.transaction((trx) => announceAlone(trx, change));
  const dataOf = async (id: number): Promise<unknown[]> =>
    (await deliveriesOf(id)).map(({ payload }): unknown => JSON.parse(payload).data);
  expect(await dataOf(withPerson.id)).toStrictEqual([{ subscriber }, { subscriber }]);
  expect(await dataOf(without.id)).toStrictEqual([{ subscriber: { id: "7" } }, { subscriber: { id: "7" } }]);
  await db.transaction((trx) => forgetSubscriber(trx, 7));
  const nameless = { subscriber: { id: "7", name: "", email: "" } };
  expect(await dataOf(withPerson.id)).toStrictEqual([nameless, nameless]);
});

test("texts that would make a payload large are shortened, and the payload says so", async () => {
  const owner = await newOwner();
  const { id } = await addEndpoint(owner.accountId);
  const description = "\u{1F389}".repeat(65_535);
  const change = {
    ...owner,
    type: "event.created" as const,
    now: 1,
    data: { event: { id: "1", description } },
  };
  await db.transaction((trx) => announceAlone(trx, change));
  const [row] = await deliveriesOf(id);
  const payload = JSON.parse(row?.payload ?? "");
  expect(payload).toMatchObject({ shortened: true, data: { event: { id: "1" } } });
  expect(payload.data.event.description).toBe("\u{1F389}".repeat(1024));
  limitPayloads(8_192);
  await db.transaction((trx) => announceAlone(trx, change));
  limitPayloads(readConfig({}).WEBHOOK_MAX_PAYLOAD);
  const [, smaller] = await deliveriesOf(id);
  expect(JSON.parse(smaller?.payload ?? "").data.event.description).toHaveLength(1024);
});

test("endpoints with something due are found by a search of an index for each, those of busy accounts left out", async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const made = [await addEndpoint(owner.accountId), await addEndpoint(owner.accountId)];
  const last = await addEndpoint(other.accountId);
  for (const each of [owner, other]) await announceEvents(each, ["x", "y"]);
  const due = (busy: readonly number[]) => dueEndpoints(db.read, { now: 1, busy, limit: 100 });
  const own = (await due([])).filter(({ account_id }) => account_id === owner.accountId);
  expect(own.map(({ id }) => id)).toStrictEqual(made.map(({ id }) => id));
  const left = (await due([owner.accountId])).map(({ id }) => id);
  expect(left).toContain(last.id);
  for (const { id } of made) expect(left).not.toContain(id);
  const { sql, bindings } = due([]).toSQL().toNative();
  const plan = (await planOf(db, sql, bindings)).filter((step) => /scan .*(?:deliveries|\bd\b)/i.test(step));
  expect(plan).toStrictEqual([]);
  expect((await planOf(db, sql, bindings)).join()).toContain(searches("webhook_deliveries_pending"));
  expect((await planOf(db, countsSql, [])).join()).toContain(searches("webhook_deliveries_pending"));
});
