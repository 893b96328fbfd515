import type { Database } from "../db/connect.js";
import type { SubscriberRow } from "../db/rows.js";
import { deleteSubscriber } from "../subscribers/life-job.js";
import { subscribersWithEmail } from "../subscribers/queries.js";
import { formatTime, type Report, table } from "./database.js";
import { exported, removeSubscriber, state } from "./subscribers.js";

/** A person who follows calendars, by e-mail address; of one account or of all. */
export interface Person {
  readonly email: string;
  readonly account?: number;
}

/** Returns all that is stored about the subscribers with an e-mail address. */
export async function findPerson(db: Database, { email, account }: Person): Promise<Report> {
  const rows = await subscribersWithEmail(db.read, email, account);
  return {
    json: {
      subscribers: rows.map((row) => ({ calendar_id: String(row.calendar_id), ...exported(row, "UTC") })),
    },
    text: rows.length === 0 ? noSubscriber : rows.map(everything).join("\n\n"),
  };
}

const noSubscriber = "No subscriber has that address.";

/** Returns a line for each stored field that has a value: this is the copy that a person may ask for. */
function everything(row: SubscriberRow): string {
  const { country, categories, unfollowed_at } = row;
  const fields: readonly (readonly [string, string | null])[] = [
    ["Subscriber", String(row.id)],
    ["Calendar", String(row.calendar_id)],
    ["Name", row.name],
    ["E-mail", row.email],
    ["IP", row.ip],
    ["Postal code", row.postal],
    ["City", row.city],
    ["State", row.state],
    ["Country", country],
    ["App", row.calendar_type],
    ["Categories", categories],
    ["Followed (UTC)", formatTime(row.subscribed_at)],
    ["Last seen (UTC)", formatTime(row.last_seen_at)],
    ["Unfollowed (UTC)", unfollowed_at === null ? null : formatTime(unfollowed_at)],
    ["Status", state(row)],
  ];
  return table(fields.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, value]])));
}

/** Deletes a subscriber, or all with an e-mail address, and all data about it. @throws Error when there is none. */
export async function removeSubscribers(
  db: Database,
  id: number | undefined,
  { email, account }: Partial<Person>,
  now: number,
): Promise<Report> {
  if ((id === undefined) === (email === undefined)) throw new Error("Give either an id or --email.");
  if (id !== undefined) return removeSubscriber(db, id, now);
  const rows = await subscribersWithEmail(db.read, email ?? "", account);
  for (const row of rows) await deleteSubscriber(db, row.id, now);
  const ids = rows.map((row) => String(row.id));
  return {
    json: { subscriber_ids: ids, status: "deleted" },
    text: ids.length === 0 ? noSubscriber : `Deleted: subscribers ${ids.join(", ")}.`,
  };
}
