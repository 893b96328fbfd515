import type { Db } from "./database.js";
import type { IdempotencyKeyRow } from "./rows.js";

// Responses stored for an Idempotency-Key (extensions X2.1) hold personal data and texts. Whatever removes these for good
// removes the responses too: a repeated request is then executed as a new one.

/** The rows that a stored response is about; null for none. */
export type About = Pick<IdempotencyKeyRow, "calendar_id" | "event_id" | "subscriber_id" | "person_id">;

const answers = (db: Db) => db<IdempotencyKeyRow>("idempotency_keys");

/** The report of an import has the titles of all events of a file, wherever they are moved later. */
const reports = ["calendarsImport"];

/** Removes the responses about a subscriber or a person. */
export async function forgetPerson(
  trx: Db,
  about: Pick<About, "subscriber_id"> | Pick<About, "person_id">,
): Promise<void> {
  await answers(trx).where(about).delete();
}

/** Removes the responses of an account that are about these events, or have texts of any event. */
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

/** Removes the responses of an account about a calendar or its contents, or with texts of any event. */
export async function forgetAnswersOfCalendar(
  trx: Db,
  { account_id, calendar_id }: { readonly account_id: number; readonly calendar_id: number },
): Promise<void> {
  await answers(trx)
    .where({ account_id })
    .where((those) => void those.where({ calendar_id }).orWhereIn("operation", reports))
    .delete();
}
