import { profileColumns } from "../db/columns.js";
import type { Database, Db } from "../db/database.js";
import type { AccountKeyRow, AccountRow, KeyedAccount, Profile } from "../db/rows.js";

// The profile of an account, which its pages show, and the keys in their addresses (extensions X11.1).

const accounts = (db: Db) => db<AccountRow>("accounts");
const keys = (db: Db) => db<AccountKeyRow>("account_keys");

const yearSeconds = 365 * 86_400;

/** Most keys that redirect to one account, so that no account can block keys for others by changing its own again and again. */
const mostReplaced = 10;

export const noProfile: Profile = {
  name: "",
  website: "",
  imprint_url: "",
  privacy_url: "",
  accent: "",
  logo_id: "",
  logo_alt: "",
  picture_id: "",
  picture_alt: "",
};

export const profileNames = Object.keys(profileColumns).filter(
  (name): name is keyof Profile => name in profileColumns,
);

const shownColumns = ["id", "created_at", ...profileNames];

const ownKey =
  "coalesce((select k.key from account_keys as k where k.account_id = accounts.id and k.replaced_at is null), '') as key";

/** Returns the profile of an account; undefined when it does not exist or was deleted. */
export async function findProfile(db: Db, id: number): Promise<KeyedAccount | undefined> {
  return accounts(db)
    .where({ id })
    .whereNull("deleted_at")
    .first<KeyedAccount>(...shownColumns, db.raw(ownKey));
}

const publicSql = (condition: string): string =>
  `select ${shownColumns.join(", ")}, ${ownKey} from accounts where ${condition} and deleted_at is null`;

const byIdSql = publicSql("id = $1");

/** Returns the same by a prepared statement: every public page needs it. */
export async function findPublicProfile(
  db: Pick<Database, "lookUp">,
  id: number,
): Promise<KeyedAccount | undefined> {
  const [row] = await db.lookUp<KeyedAccount>(byIdSql, [id]);
  return row;
}

/**
 * Returns the account that a key leads to at `now`, in Unix seconds; its `key` differs from the given one where that redirects.
 * Undefined when no account has the key or had it within the last year.
 */
export async function findByKey(
  db: Pick<Database, "lookUp">,
  key: string,
  now: number,
): Promise<KeyedAccount | undefined> {
  const [row] = await db.lookUp<KeyedAccount>(byKeySql, [key, now - yearSeconds]);
  return row;
}

const byKeySql = publicSql(
  "id = (select account_id from account_keys where key = $1 and (replaced_at is null or replaced_at > $2))",
);

/**
 * Sets the key of a locked account, "" for none; its previous key redirects from now on. False when another account has the
 * key, or had it within the last year.
 */
export async function replaceKey(trx: Db, account_id: number, key: string, now: number): Promise<boolean> {
  await keys(trx)
    .where("replaced_at", "<=", now - yearSeconds)
    .delete();
  await keys(trx)
    .where({ account_id })
    .whereNull("replaced_at")
    .whereNot({ key })
    .update({ replaced_at: now });
  const replaced = keys(trx).where({ account_id }).whereNotNull("replaced_at").orderBy("replaced_at", "desc");
  const forgotten: string[] = await replaced
    .orderBy("key")
    .offset(mostReplaced)
    .limit(mostReplaced)
    .pluck("key");
  await keys(trx).whereIn("key", forgotten).delete();
  if (key === "") return true;
  await keys(trx).insert({ key, account_id, replaced_at: null }).onConflict("key").ignore();
  const taken = await keys(trx).where({ key, account_id }).update({ replaced_at: null });
  return taken === 1;
}
