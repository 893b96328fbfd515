import type { Database } from "../src/db/open-database.js";
import { insertSubscriber } from "../src/followers/subscriber-queries.js";
import type { TestAccount } from "./harness.js";

export interface Follower {
  readonly active: number;
  readonly blocked: number;
  readonly subscribed_at: number;
  readonly name: string;
  readonly city: string | null;
}

const followers: readonly Follower[] = [
  { active: 1, blocked: 0, subscribed_at: Date.UTC(2026, 5, 15, 12) / 1_000, name: "Ada", city: "London" },
  { active: 0, blocked: 0, subscribed_at: Date.UTC(2026, 4, 20, 12) / 1_000, name: "Bea", city: null },
  { active: 1, blocked: 1, subscribed_at: Date.UTC(2026, 6, 10, 12) / 1_000, name: "Cleo", city: null },
  { active: 1, blocked: 0, subscribed_at: Date.UTC(2026, 5, 10, 12) / 1_000, name: "", city: "Paris" },
];

/** Makes a calendar of the account that has four followers; gives its id. */
export async function addFollowers(db: Database, account: TestAccount): Promise<string> {
  const made = await account.call("createCalendar", { title: "Followed", timezone: "America/New_York" });
  for (const follower of followers) await follow(db, account, made.body.calendar.id, follower);
  return made.body.calendar.id;
}

/** Makes one subscriber of a calendar. */
export function follow(
  db: Database,
  account: TestAccount,
  calendarId: string,
  follower: Follower,
): Promise<unknown> {
  return db.transaction((trx) =>
    insertSubscriber(trx, {
      ...follower,
      account_id: account.id,
      calendar_id: Number(calendarId),
      email: follower.name === "" ? "" : `${follower.name.toLowerCase()}@example.com`,
      ip: "203.0.113.7",
      postal: null,
      state: null,
      country: follower.name === "" ? null : "GB",
      calendar_type: "apple",
    }),
  );
}
