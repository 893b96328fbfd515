import type { Database, Db } from "../db/database.js";
import type { AccountRow, PictureFileRow, PictureRow } from "../db/rows.js";
import { requireSpaceOf } from "./queries.js";

// Pictures (extensions X11.2). Their id is a hash of the served files, so an account stores the same picture once.

const pictures = (db: Db) => db<PictureRow>("pictures");
const files = (db: Db) => db<PictureFileRow>("picture_files");

/** How long a picture is kept after its last reference, in seconds. */
export const unusedSeconds = 86_400;

/** Bytes of a row and its files without their contents. */
const rowBytes = 1_024;

type NewPicture = Pick<PictureRow, "hash" | "account_id" | "width" | "height">;

/**
 * Stores a picture of an account, still without a reference; a stored one is kept for a day from now. False when the account
 * was deleted.
 * @throws AccountFull
 */
export async function insertPicture(
  trx: Db,
  { account_id, hash, ...size }: NewPicture,
  contents: Readonly<Record<string, string>>,
  now: number,
): Promise<boolean> {
  const own = trx<AccountRow>("accounts").where({ id: account_id }).whereNull("deleted_at");
  if ((await own.clone().forNoKeyUpdate().first("id")) === undefined) return false;
  await pictures(trx).where({ hash }).whereNotNull("unused_since").update({ unused_since: now });
  if ((await pictures(trx).where({ hash }).first("hash")) !== undefined) return true;
  const bytes = Object.values(contents).reduce((sum, content) => sum + content.length, rowBytes);
  await pictures(trx).insert({ hash, account_id, bytes, ...size, created_at: now, unused_since: now });
  await files(trx).insert(Object.entries(contents).map(([name, content]) => ({ hash, name, content })));
  await own.update({ picture_bytes: trx.raw("picture_bytes + ?", [bytes]) });
  await requireSpaceOf(trx, account_id);
  return true;
}

/** Keeps a picture for a reference that the transaction writes. False when the account has no such picture. */
export async function keepPicture(trx: Db, account_id: number, hash: string): Promise<boolean> {
  return (await pictures(trx).where({ hash, account_id }).update({ unused_since: null })) > 0;
}

export async function knownPictures(
  { query, dialect: { items } }: Pick<Database, "query" | "dialect">,
  account_id: number,
  hashes: readonly string[],
): Promise<readonly string[]> {
  if (hashes.length === 0) return [];
  const sql = `select hash from pictures where account_id = $1 and hash in (select value ->> 0 from ${items}($2))`;
  const rows = await query<Pick<PictureRow, "hash">>(sql, [
    account_id,
    JSON.stringify(hashes.map((one) => [one])),
  ]);
  return rows.map(({ hash }) => hash);
}

const fileSql = "select content from picture_files where hash = $1 and name = $2";

/** Returns a file of a picture, in base64; undefined when there is none. */
export async function findPictureFile(
  db: Pick<Database, "lookUp">,
  hash: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await db.lookUp<Pick<PictureFileRow, "content">>(fileSql, [hash, name]);
  return row?.content;
}

export async function deletePicturesOf(trx: Db, account_id: number): Promise<void> {
  await pictures(trx).where({ account_id }).delete();
  await trx<AccountRow>("accounts").where({ id: account_id }).update({ picture_bytes: 0 });
}

/** SQL: whether something refers to a picture, the trash included. Each part uses an index. */
const isUsed = `(exists (select 1 from events as e where e.picture_id = pictures.hash and e.picture_id <> '')
  or exists (select 1 from calendars as c where c.picture_id = pictures.hash and c.picture_id <> '')
  or exists (select 1 from accounts as a where a.picture_id = pictures.hash and a.picture_id <> '')
  or exists (select 1 from accounts as a where a.logo_id = pictures.hash and a.logo_id <> '')
  or exists (select 1 from series_pictures as s where s.picture_id = pictures.hash))`;

export function picturesAfter(db: Db, hash: string, limit: number): Promise<readonly string[]> {
  return pictures(db).where("hash", ">", hash).orderBy("hash").limit(limit).pluck("hash");
}

/** Stores which of these pictures have lost their last reference, and which are used again. */
export async function markUnused(trx: Db, hashes: readonly string[], now: number): Promise<void> {
  const those = () => pictures(trx).whereIn("hash", [...hashes]);
  await those().whereNull("unused_since").whereRaw(`not ${isUsed}`).update({ unused_since: now });
  await those().whereNotNull("unused_since").whereRaw(isUsed).update({ unused_since: null });
}

/** Returns some pictures without a reference for a day. */
export function unusedPictures(db: Db, now: number, limit: number): Promise<readonly PictureRow[]> {
  return pictures(db)
    .where("unused_since", "<=", now - unusedSeconds)
    .orderBy("unused_since")
    .limit(limit);
}

/** Removes these pictures, except those that are used again. */
export async function removeUnused(trx: Db, found: readonly PictureRow[], now: number): Promise<void> {
  const ids = [...new Set(found.map(({ account_id }) => account_id))];
  // Locks accounts first, lowest id first, as insertPicture does.
  await trx<AccountRow>("accounts").whereIn("id", ids).orderBy("id").forNoKeyUpdate().select("id");
  const removed = await pictures(trx)
    .whereIn(
      "hash",
      found.map(({ hash }) => hash),
    )
    .where("unused_since", "<=", now - unusedSeconds)
    .whereRaw(`not ${isUsed}`)
    .forUpdate()
    .select("hash", "account_id", "bytes");
  await pictures(trx)
    .whereIn(
      "hash",
      removed.map(({ hash }) => hash),
    )
    .delete();
  for (const { account_id, bytes } of removed)
    await trx<AccountRow>("accounts")
      .where({ id: account_id })
      .update({ picture_bytes: trx.raw("picture_bytes - ?", [bytes]) });
}
