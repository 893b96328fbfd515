import { prepareAccounts } from "../accounts/first-start.js";
import { findAccount, listAccounts } from "../accounts/queries.js";
import { calendarHandlers } from "../calendars/handlers.js";
import { listEveryCalendar } from "../calendars/queries.js";
import { readConfig } from "../config.js";
import type { Database } from "../db/connect.js";
import { eventHandlers } from "../events/handlers.js";
import { eventsAfter } from "../events/queries.js";
import { listedEvent } from "../events/serialize.js";
import { insertSubscriber } from "../subscribers/queries.js";
import type { Report } from "./database.js";
import { handlerContext } from "./operations.js";
import { pageAddress } from "./pages.js";
import { demoCalendars, demoSubscribers } from "./demo-data.js";

/**
 * Creates what is missing of the demo calendars, events and subscribers through the API's handlers, so that the same rules
 * apply. On an empty database creates an account first. @throws Error when the account does not exist.
 */
export async function makeDemo(db: Database, account: number | undefined, now: number): Promise<Report> {
  const prepared = await prepareAccounts(
    db,
    { settingToken: readConfig().CALENDAR_TOKEN, makesDemo: true },
    now,
  );
  const token = typeof prepared === "object" ? prepared.token : undefined;
  const accountId = account ?? (await listAccounts(db.read))[0]?.id;
  if (accountId === undefined || (await findAccount(db.read, accountId)) === undefined) {
    throw new Error(`There is no account ${accountId}; run "account list" to see all.`);
  }
  const made: DemoReport[] = [];
  // Only the first calendar gets subscribers.
  for (const [index, demo] of demoCalendars.entries())
    made.push(await completeCalendar(db, { accountId, now }, demo, index === 0 ? demoSubscribers.length : 0));
  const tokenText =
    token === undefined ? "" : `\n\nThe demo account's token is shown only this once:\n\n  ${token}\n`;
  return {
    json: { account_id: String(accountId), calendars: made, ...(token === undefined ? {} : { token }) },
    text: `${made.map(describe).join("\n")}${tokenText}`,
  };
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
  const context = handlerContext(db, accountId, now);
  const existing = (await listEveryCalendar(db.read, accountId)).find(({ title }) => title === fields.title);
  const { id, uniquekey } = existing ?? (await calendarHandlers.createCalendar(fields, context)).calendar;
  const there = (await eventsAfter(db.read, Number(id), { id: 0, limit: mostEvents })).map(listedEvent);
  const missing = events.filter(
    ({ title, start_date }) =>
      !there.some((event) => event.title === title && start_date.startsWith(event.date_start)),
  );
  for (const event of missing)
    await eventHandlers.createEvent({ ...event, calendar_id: String(id) }, context);
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
