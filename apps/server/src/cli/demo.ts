import { prepareAccounts } from "../accounts/first-start.js";
import { findAccount, listAccounts } from "../accounts/queries.js";
import { calendarHandlers } from "../calendars/handlers.js";
import { readConfig } from "../config.js";
import type { Database } from "../db/connect.js";
import { eventHandlers } from "../events/handlers.js";
import { insertSubscriber } from "../subscribers/queries.js";
import type { Report } from "./database.js";
import { handlerContext } from "./operations.js";
import { demoCalendars, demoSubscribers } from "./demo-data.js";

/**
 * Creates the demo calendars, events and subscribers through the API's handlers, so that the same rules apply. On an empty
 * database creates an account first. @throws Error when the account does not exist.
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
  const context = handlerContext(db, accountId, now);
  const made: { calendar_id: string; title: string; events: number; followers: number }[] = [];
  for (const { events, ...fields } of demoCalendars) {
    const { calendar } = await calendarHandlers.createCalendar(fields, context);
    for (const event of events)
      await eventHandlers.createEvent({ ...event, calendar_id: calendar.id }, context);
    // Only the first calendar gets subscribers.
    const followers = made.length === 0 ? demoSubscribers.length : 0;
    made.push({ calendar_id: calendar.id, title: calendar.title, events: events.length, followers });
  }
  await addSubscribers(db, { account_id: accountId, calendar_id: Number(made[0]?.calendar_id) }, now);
  const lines = made.map(
    ({ calendar_id, title, events, followers }) =>
      `Calendar ${calendar_id}: ${title}, ${events} events${followers === 0 ? "" : `, ${followers} followers: active, inactive and blocked`}`,
  );
  const tokenText =
    token === undefined ? "" : `\nThe demo account's token is shown only this once:\n\n  ${token}\n`;
  return {
    json: { account_id: String(accountId), calendars: made, ...(token === undefined ? {} : { token }) },
    text: `${lines.join("\n")}\n${tokenText}`.trimEnd(),
  };
}

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
