import { addNews } from "../src/webhooks/mail-queries.js";
import {
  hasIntegerCode,
  isWrite,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from "@kalends/spec";
import { issueToken } from "../src/accounts/queries.js";
import type { Database } from "../src/db/database.js";
import { setBlocked } from "../src/followers/subscriber-change-queries.js";
import { hashFollowerKey, newFollowerKey, subscribe } from "../src/followers/subscribe.js";
import { insertSubscriber, type NewSubscriber } from "../src/followers/subscriber-queries.js";
import { insertSync } from "../src/files/sync-queries.js";
import type { SubscriberRow, WebhookEndpointRow } from "../src/db/rows.js";
import { type Answer, exchange, type RequestHeaders } from "./exchange.js";
import type { TestAccount, TestServer } from "./harness.js";

export { type Exchange, exchange, type RequestHeaders } from "./exchange.js";

/** One way to call an operation. */
export interface Call {
  readonly id: OperationId;
  readonly op: Operation;
  readonly method: "GET" | "POST";
  readonly title: string;
}

/** Every operation with every method it answers: what loops over this covers a new operation the day it is declared. */
export const everyCall: readonly Call[] = operationIds.flatMap((id) => {
  const op: Operation = operations[id];
  return op.methods.map((name): Call => {
    const method = name === "get" ? "GET" : "POST";
    return { id, op, method, title: `${method} ${id}` };
  });
});

export const callsWithToken = everyCall.filter(({ op }) => op.auth === "token");
export const callsOfWrites = everyCall.filter(({ op }) => isWrite(op));

export type Values = Readonly<Record<string, string>>;

/** Whether a success has a media type that the spec declares: JSON, or that of a file. */
export function hasDeclaredType({ fileAnswer }: Operation, { headers }: Answer): boolean {
  const types = fileAnswer === undefined ? ["application/json"] : Object.keys(fileAnswer);
  return types.some((type) => headers.get("Content-Type") === (fileAnswer ? `${type}; charset=utf-8` : type));
}

/** Parameters that must be sent: the contract's mandatory ones without those that rulings R4.7 lets go. */
export function mandatoryParams(op: Operation): readonly string[] {
  return Object.entries(op.params.shape)
    .filter(([name, schema]) => !schema.safeParse(undefined).success && op.defaults?.[name] === undefined)
    .map(([name]) => name);
}

/** Parameters that their schema lets go, and without which the request is refused all the same. */
const needed: { readonly [Id in OperationId]?: readonly string[] } = {
  eventsBatch: ["shift_days"],
  eventsSeriesCreate: ["calendar_id", "title", "start_date"],
  eventsSeriesPreview: ["start_date", "timezone", "rrule"],
  trashPurge: ["event_id"],
};

/** Whether requests of an operation are refused without a parameter that is optional by itself. */
export function isNeeded(id: OperationId, name: string): boolean {
  return needed[id]?.includes(name) === true;
}

/** Parameters that name something by its id: those that take the largest one, without the filters of a list. */
export function idParams(op: Operation): readonly string[] {
  return Object.entries(op.params.shape)
    .filter(([name]) => op.path !== operations.eventsList.path || name !== "series_id")
    .filter(([name]) => name !== "person_id")
    .filter(([name, schema]) => name.endsWith("_id") && schema.safeParse("9007199254740991").success)
    .map(([name]) => name);
}

/** A follower of whom nothing is known. */
const anonymous = {
  name: "",
  email: "",
  ip: "",
  postal: null,
  city: null,
  state: null,
  country: null,
  calendar_type: "ical",
};

/** Valid parameters of an operation, its ids those of a calendar, an event and a subscriber made for this call alone. */
export async function freshParams(
  server: TestServer,
  account: TestAccount,
  id: OperationId,
): Promise<Record<string, string>> {
  const op: Operation = operations[id];
  const params = { ...op.example.request };
  // What is made here has no custom data, and no series, to be found by.
  const filters = ["custom_data_key", "custom_data_value", ...(id === "eventsList" ? ["series_id"] : [])];
  for (const filter of filters) delete params[filter];
  const ids = idParams(op).filter((name) => id !== "eventsSeriesCreate" || name !== "event_id"); // a first event of its own
  if (id === "tokensCreate" || id === "syncsCreate") await makeRoom(server, account);
  if (id === "webhooksList") await freshItems(server, account, ["webhook_id"]);
  if (ids.length === 0) return params;
  const made = await freshItems(server, account, id === "syncsList" ? ["sync_id"] : ids);
  if (id === "eventsSeriesUpdate" || id === "eventsSeriesDelete")
    made.event_id = await freshSeries(account, made.calendar_id);
  if (ids.includes("series_id")) {
    const event_id = await freshSeries(account, made.calendar_id);
    made.series_id = (await account.call("eventsDetails", { event_id })).body.event.series_id;
    if (id === "eventsSeriesRestore") await account.call("eventsSeriesDelete", { event_id, scope: "all" });
  }
  if (id === "messagesList") await addMessages(server, account, made.calendar_id);
  await prepareTrash(account, id, made);
  for (const name of ids) {
    if (filters.includes(name)) continue;
    const value = made[name];
    if (value === undefined) throw new Error(`say in freshItems how to make a ${name}`);
    params[name] = value;
  }
  return id === "trashPurge" ? withOnly(params, "event_id") : params;
}

/** Deletes what an operation of the trash is about. */
async function prepareTrash(
  account: TestAccount,
  id: OperationId,
  made: Record<string, string>,
): Promise<void> {
  const { calendar_id = "", event_id = "" } = made;
  if (id === "calendarsRestore") await account.call("deleteCalendar", { calendar_id });
  else if (operations[id].tag === "Trash") await account.call("deleteEvent", { event_id });
}

/** The parameters of an operation that takes one of several ids: those without the other ids. */
export function withOnly(params: Values, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter(([other]) => other === name || !other.endsWith("_id")),
  );
}

/** The id of the first event of a new series. */
export async function freshSeries(account: TestAccount, calendar_id = ""): Promise<string> {
  const rrule = "FREQ=WEEKLY;COUNT=2";
  const { body } = await account.call("eventsSeriesCreate", { calendar_id, ...eventExample(), rrule });
  return body.event_ids[0];
}

/** Adds messages to a calendar, also where the server sends no e-mail. Returns the id of the last. */
export async function addMessages(
  { db, now }: Pick<TestServer, "db" | "now">,
  { id: account_id }: Pick<TestAccount, "id">,
  calendarId = "",
  count = 1,
): Promise<string> {
  const texts = { kind: "message", subject: "Hello", content: "Hello." } as const;
  const message = {
    account_id,
    calendar_id: Number(calendarId),
    created_at: now,
    shown_until: now,
    ...texts,
  };
  let last = "";
  for (let n = 0; n < count; n++) last = String((await db.transaction((trx) => addNews(trx, message))).id);
  return last;
}

/**
 * A new calendar with one event that has categories, a subscriber and a follower who picked one; where `ids` name them, a webhook
 * that is disabled with a delivery that was sent, a sync, a token and a message.
 */
export async function freshItems(
  server: TestServer,
  account: TestAccount,
  ids: readonly string[] = ["webhook_id", "sync_id", "message_id"],
): Promise<Record<string, string>> {
  const needs = (...names: readonly string[]) => ids.some((id) => names.includes(id));
  const calendar = (await account.call("createCalendar", { title: "Fresh", timezone: "America/New_York" }))
    .body.calendar;
  const fields = { calendar_id: calendar.id, ...eventExample(), categories: "Music,Gigs,Shows" };
  const event_id: string = (await account.call("eventsCreate", fields)).body.event.id;
  const subscriber = await addSubscriber(server, account, calendar.id, {
    active: 0,
    blocked: 1,
    subscribed_at: server.now,
  });
  await subscribe(server.db, Number(calendar.id), { ...anonymous, categories: "Music" }, server.now);
  return {
    calendar_id: calendar.id,
    event_id,
    entry_id: await firstEntry(server, event_id),
    subscriber_id: String(subscriber.id),
    ...(needs("webhook_id", "delivery_id") ? await freshWebhook(server, account) : {}),
    ...(needs("message_id") ? { message_id: await addMessages(server, account, calendar.id) } : {}),
    ...(needs("sync_id", "token_id") ? await freshSync(server, account, Number(calendar.id)) : {}),
  };
}

/** The id of the first entry of an event's history. */
export async function firstEntry({ db }: Pick<TestServer, "db">, event_id: string): Promise<string> {
  const entry = await db
    .read("history")
    .where({ event_id: Number(event_id) })
    .orderBy("id")
    .first("id");
  return String(entry.id);
}

/** Ends what an account may have few of: the tokens and syncs that were made for other calls. */
async function makeRoom({ db, now }: TestServer, { id: account_id }: TestAccount): Promise<void> {
  await db.transaction(async (trx) => {
    await trx("tokens")
      .where({ account_id })
      .whereIn("name", ["fresh", "Console"])
      .update({ revoked_at: now });
    await trx("calendar_syncs").where({ account_id }).delete();
  });
}

/** Made without a call: an account may have few syncs and tokens. */
async function freshSync(
  { db, now }: TestServer,
  account: TestAccount,
  calendar_id: number,
): Promise<Values> {
  const due = { every_seconds: 3_600, next_at: now + 3_600, created_at: now };
  const fields = { account_id: account.id, calendar_id, url: "https://host.invalid/" };
  return db.transaction(async (trx) => {
    const sync = await insertSync(trx, { ...fields, ...due });
    const token = { account_id: account.id, name: "fresh", scope: "read" as const, expires_at: null };
    const { row } = await issueToken(trx, { ...token, created_at: now });
    return { sync_id: String(sync.id), token_id: String(row.id) };
  });
}

/** Made without a call: an account has few webhooks. */
async function freshWebhook({ db, now }: TestServer, account: TestAccount): Promise<Values> {
  const endpoint = {
    account_id: account.id,
    url: "https://hooks.example/",
    types: ",event.saved,",
    secret: "whsec_AAAA",
  };
  const message = { calendar_id: 0, message_id: "msg_0", type: "event.saved", payload: "{}", state: "sent" };
  return db.transaction(async (trx) => {
    const [webhook] = await trx<WebhookEndpointRow>("webhook_endpoints")
      .insert({ ...endpoint, state: "disabled", with_person: 0, created_at: now })
      .returning("id");
    const [delivery] = await trx("webhook_deliveries")
      .insert({ ...message, endpoint_id: webhook?.id, created_at: now })
      .returning<{ id: number }[]>("id");
    return { webhook_id: String(webhook?.id), delivery_id: String(delivery?.id) };
  });
}

function eventExample(): Values {
  const { calendar_id: _other, ...example } = operations.createEvent.example.request;
  return example;
}

type SubscriberChoice = Pick<SubscriberRow, "active" | "blocked" | "subscribed_at">;

/** Adds a subscriber of a calendar: the API has no call that makes one (rulings R5.1). */
export async function addSubscriber(
  { db }: TestServer,
  account: TestAccount,
  calendarId: string,
  choice: SubscriberChoice,
): Promise<SubscriberRow> {
  const nowhere = { postal: null, city: null, state: null, country: null };
  const person = {
    name: "Ada Byron",
    email: "ada@example.com",
    ip: "203.0.113.7",
    calendar_type: "apple",
    ...nowhere,
  };
  return db.transaction((trx) =>
    insertSubscriber(trx, { ...person, ...choice, account_id: account.id, calendar_id: Number(calendarId) }),
  );
}

/** Blocks a subscriber, as the account holder does. */
export function block(db: Database, id: number, now: number) {
  return db.transaction((trx) => setBlocked({ trx, now }, { id }, true));
}

export function unblock(db: Database, id: number, now: number) {
  return db.transaction((trx) => setBlocked({ trx, now }, { id }, false));
}

/** Adds an active follower and gives the key of its addresses. */
export async function addFollower(
  { db, now }: Pick<TestServer, "db" | "now">,
  account: Pick<TestAccount, "id">,
  calendarId: string,
  choice: Partial<NewSubscriber> = {},
): Promise<{ readonly id: number; readonly key: string }> {
  const key = newFollowerKey();
  const { id } = await db.transaction((trx) =>
    insertSubscriber(trx, {
      ...anonymous,
      active: 1,
      blocked: 0,
      subscribed_at: now,
      ...choice,
      key_hash: hashFollowerKey(key),
      account_id: account.id,
      calendar_id: Number(calendarId),
    }),
  );
  return { id, key };
}

export interface Sending {
  readonly token?: string;
  readonly headers?: RequestHeaders;
  /** Instead of the operation's own path. */
  readonly path?: string;
  /** Put behind the query as it is. */
  readonly query?: string;
}

const formType = { "Content-Type": "application/x-www-form-urlencoded" } as const;

/** Sends a call: parameters in the query of a GET, in the form of a POST; the token as Bearer. */
export function send(
  server: TestServer,
  { op, method }: Call,
  params: Values,
  sending: Sending = {},
): Promise<Answer> {
  const { token, headers = {}, path = op.path, query = "" } = sending;
  const form = new URLSearchParams(params).toString();
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  if (method === "POST") {
    const target = query === "" ? path : `${path}?${query}`;
    return exchange(server, target, { method, headers: { ...bearer, ...formType, ...headers }, body: form });
  }
  return exchange(server, `${path}?${form}${query === "" ? "" : `&${query}`}`, {
    headers: { ...bearer, ...headers },
  });
}

/** The answer's bytes without what differs between any two answers. */
export function withoutRequestId({ text }: Answer): string {
  return text.replace(/"request_id":"[0-9a-f]{32}"/, '"request_id":""');
}

/** What `meta.code` holds for a status: an integer on the time zone list (rulings R2.1). */
export function codeOf(op: Operation, status: number): string | number {
  return hasIntegerCode(op) ? status : String(status);
}

/** Names of the parameters that an error answer blames. */
export function blamed({ body }: Answer): readonly string[] {
  const failures: readonly { readonly parameter: string }[] = body?.meta?.errors ?? [];
  return failures.map(({ parameter }) => parameter);
}
