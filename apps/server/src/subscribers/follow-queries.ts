import { batched, type Member } from "../db/batch.js";
import { columnsExcept, insertRows, rowArray, subscriberColumns } from "../db/columns.js";
import type { SubscriberRow } from "../db/rows.js";

/** Stores a new follower and counts it on its calendar, which must be locked. Returns its id. */
export async function insertFollower(trx: Member, follower: NewFollower): Promise<number> {
  const [id] = await Promise.all([insertFollowerRow(trx, follower), countFollower(trx, follower)]);
  return id;
}

type NewFollower = Omit<SubscriberRow, "id">;

const inserted = rowArray(subscriberColumns, columnsExcept(subscriberColumns, "id"));

const insertFollowerRow = batched<NewFollower, Pick<SubscriberRow, "id" | "key_hash">, number>({
  name: "insert follower",
  writes: true,
  rows: (followers) => followers.map(inserted.cells),
  sql: (dialect) => `${insertRows("subscribers", inserted, dialect)} returning id, key_hash`,
  results: (followers, made) => {
    const ids = new Map(made.map(({ id, key_hash }) => [key_hash, id]));
    return followers.map(({ key_hash }) => {
      const id = ids.get(key_hash);
      if (id === undefined) throw new Error("insert returned no id");
      return id;
    });
  },
});

const countFollower = batched<NewFollower, never, void>({
  name: "count follower",
  writes: true,
  rows: (followers) => {
    const counts = new Map<number, number>();
    for (const { calendar_id } of followers) counts.set(calendar_id, (counts.get(calendar_id) ?? 0) + 1);
    return [...counts];
  },
  sql: ({ items }) => `update calendars set followers_total = followers_total + added.followers,
      followers_active = followers_active + added.followers
    from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as followers from ${items}($1)) as added
    where calendars.id = added.id`,
  results: (followers) => followers.map(() => undefined),
});
