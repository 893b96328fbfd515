import { operations } from "@kalends/spec";
import { issueToken } from "../accounts/issue.js";
import { findAccount, insertAccount } from "../accounts/queries.js";
import { listEveryCalendar } from "../calendars/queries.js";
import type { Database, Db } from "../db/connect.js";
import { findProperty, setProperty } from "../db/properties.js";
import { eventsAfter } from "../events/queries.js";
import { listedEvent } from "../events/serialize.js";
import { insertSubscriber } from "../subscribers/queries.js";
import { deleteAccount } from "./accounts.js";
import type { Report } from "./database.js";
import { type OperationRequest, runOperation } from "./operations.js";
import { pageAddress } from "./pages.js";
import { demoCalendars, demoSubscribers } from "./demo-data.js";

/**
 * Creates what is missing of the demo: an account of its own, with a token, and its calendars, events and subscribers through the API's
 * operations, so that the same rules apply.
 */
export async function makeDemo(db: Database, now: number): Promise<Report> {
  const { accountId, token } = await db.exclusively((trx) => demoAccount(trx, now));
  const made: DemoReport[] = [];
  // Only the first calendar gets subscribers.
  for (const [index, demo] of demoCalendars.entries())
    made.push(await completeCalendar(db, { accountId, now }, demo, index === 0 ? demoSubscribers.length : 0));
  const tokenText =
    token === undefined
      ? ""
      : `\n\nThey are of account ${accountId}. Its token is shown only this once:\n\n  ${token}\n`;
  return {
    json: { account_id: String(accountId), calendars: made, ...(token === undefined ? {} : { token }) },
    text: `${made.map(describe).join("\n")}${tokenText}`,
  };
}

/** Deletes the account of the demo with all that it has. @throws Error when there is none, or the deletion is not confirmed */
export async function removeDemo(
  db: Database,
  options: { readonly yes?: boolean },
  now: number,
): Promise<Report> {
  const id = Number(await findProperty(db.read, demoProperty));
  if ((await findAccount(db.read, id)) === undefined) throw new Error("There is no demo.");
  return deleteAccount(db, id, options, now);
}

/** Name of the property with the id of the demo's account. */
const demoProperty = "demo_account";

/** Returns the account of the demo, which is created with a token when there is none. */
async function demoAccount(
  trx: Db,
  now: number,
): Promise<{ readonly accountId: number; readonly token?: string }> {
  const known = Number(await findProperty(trx, demoProperty));
  if ((await findAccount(trx, known)) !== undefined) return { accountId: known };
  const { id: accountId } = await insertAccount(trx, { name: "Demo calendars", created_at: now });
  await setProperty(trx, demoProperty, String(accountId));
  const fields = { account_id: accountId, scope: "write" as const, created_at: now, expires_at: null };
  const { token } = await issueToken(trx, { ...fields, name: "demo" });
  return { accountId, token };
}

interface DemoReport {
  readonly calendar_id: string;
  readonly title: string;
  readonly events: number;
  readonly followers: number;
  readonly page: string;
  /** Events that this run created; 0 when all were there. */
  readonly created: number;
}

function describe({ calendar_id, title, events, followers, page, created }: DemoReport): string {
  const people = followers === 0 ? "" : `, ${followers} followers: active, inactive and blocked`;
  const state = created === 0 ? " (no change)" : "";
  return `Calendar ${calendar_id}: ${title}, ${events} events${people}${state}\n  ${page}`;
}

/** Creates the calendar of that title unless the account has it, and those of its events and followers that are missing. */
async function completeCalendar(
  db: Database,
  { accountId, now }: { readonly accountId: number; readonly now: number },
  { events, ...fields }: (typeof demoCalendars)[number],
  followers: number,
): Promise<DemoReport> {
  const create = (id: "createCalendar" | "createEvent", values: OperationRequest["values"]) =>
    runOperation(db, id, { values, account: accountId, now });
  const existing = (await listEveryCalendar(db.read, accountId)).find(({ title }) => title === fields.title);
  const { id, uniquekey } =
    existing ??
    operations.createCalendar.payload.parse(JSON.parse(await create("createCalendar", fields))).calendar;
  const there = (await eventsAfter(db.read, Number(id), { id: 0, limit: mostEvents })).map(listedEvent);
  const missing = events.filter(
    ({ title, start_date }) =>
      !there.some((event) => event.title === title && start_date.startsWith(event.date_start)),
  );
  for (const event of missing) await create("createEvent", { ...event, calendar_id: String(id) });
  if (followers > 0 && (existing === undefined || existing.followers_total === 0))
    await addSubscribers(db, { account_id: accountId, calendar_id: Number(id) }, now);
  return {
    calendar_id: String(id),
    title: fields.title,
    events: events.length,
    followers,
    page: pageAddress({ uniquekey }),
    created: missing.length,
  };
}

/** More than the demo has: who adds events to its calendar finds it complete all the same. */
const mostEvents = 1_000;

/** Adds one subscriber for each of the last days. */
async function addSubscribers(
  db: Database,
  owner: { readonly account_id: number; readonly calendar_id: number },
  now: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    for (const [index, subscriber] of demoSubscribers.entries()) {
      const subscribed_at = now - (index + 1) * 86_400;
      await insertSubscriber(trx, { ...subscriber, ...owner, subscribed_at });
    }
  });
}
