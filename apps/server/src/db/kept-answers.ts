import type { Db } from "./database.js";
import type { IdempotencyKeyRow } from "./rows.js";

// Answers that are kept for requests that come again (extensions X2.1) hold what was answered. Whatever removes that for good removes
// them too: a request that comes again is then done as if it were new.

/** What the answer of a write is about, as far as it is in the database; null where it is about none. */
export type About = Pick<IdempotencyKeyRow, "calendar_id" | "event_id" | "subscriber_id" | "person_id">;

const answers = (db: Db) => db<IdempotencyKeyRow>("idempotency_keys");

/** The report of an import has the titles of all events of a file, whatever calendars they are in later. */
const reports = ["calendarsImport"];

/** Removes the answers that are about a subscriber or a person. */
export async function forgetPerson(
  trx: Db,
  about: Pick<About, "subscriber_id"> | Pick<About, "person_id">,
): Promise<void> {
  await answers(trx).where(about).delete();
}

/** Removes the answers of an account that are about these events, or have texts of any. */
export async function forgetAnswersOfEvents(
  trx: Db,
  account_id: number,
  eventIds: readonly number[],
): Promise<void> {
  await answers(trx)
    .where({ account_id })
    .where((those) => void those.whereIn("event_id", [...eventIds]).orWhereIn("operation", reports))
    .delete();
}

/** Removes the answers of an account that are about a calendar or what is in it, or have texts of any event. */
export async function forgetAnswersOfCalendar(
  trx: Db,
  { account_id, calendar_id }: { readonly account_id: number; readonly calendar_id: number },
): Promise<void> {
  await answers(trx)
    .where({ account_id })
    .where((those) => void those.where({ calendar_id }).orWhereIn("operation", reports))
    .delete();
}
