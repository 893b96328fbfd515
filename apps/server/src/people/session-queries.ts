import type { Principal, SignedIn } from "../accounts/principal.js";
import type { Db } from "../db/open-database.js";
import type { Rows } from "../db/paging.js";
import type { Grant, SessionRow, TokenRow } from "../db/rows.js";

const sessions = (db: Db) => db<SessionRow>("sessions");

/** Lifetimes of a session, in seconds: without a request, in total, and of a token. */
export const sessionSeconds = { idle: 14 * 86_400, longest: 90 * 86_400, ofToken: 3_600 } as const;

export type KnownSession = Omit<SessionRow, "device"> &
  Pick<TokenRow, "revoked_at" | "expires_at"> & {
    readonly account_name: string;
    readonly account_disabled_at: number | null;
    readonly person_disabled_at: number | null;
    readonly name: string;
    readonly language: string;
    /** Such as `0:owner:1,7:viewer:0` (calendar, role, sees_followers); null for none. */
    readonly grants: string | null;
  };

export const sessionsSql = (hashes: string): string =>
  `select s.hash, s.id, s.account_id, s.person_id, s.token_id, s.created_at, s.used_at, s.ends_at, t.revoked_at, t.expires_at,
    a.name as account_name, a.disabled_at as account_disabled_at, p.disabled_at as person_disabled_at,
    coalesce(p.name, t.name) as name, coalesce(p.language, '') as language,
    (select string_agg(g.calendar_id || ':' || g.role || ':' || g.sees_followers, ',' order by g.calendar_id)
      from grants as g where g.person_id = p.id) as grants
  from sessions as s join accounts as a on a.id = s.account_id left join people as p on p.id = s.person_id
    left join tokens as t on t.id = s.token_id where s.hash in (${hashes})`;

/** Returns the principal of a session; undefined when it has ended at `now` (Unix seconds). */
export function principalOf(
  row: KnownSession,
  now: number,
): (Principal & { readonly session: SignedIn }) | undefined {
  const { id, account_id, person_id, name, language, account_name, used_at, ends_at } = row;
  const isOver = now >= ends_at || now >= used_at + sessionSeconds.idle;
  const isRefused = [row.account_disabled_at, row.person_disabled_at, row.revoked_at].some(
    (at) => at !== null,
  );
  if (isOver || isRefused || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  const grantsKey = person_id === null ? "0:owner:1" : (row.grants ?? "");
  return {
    accountId: account_id,
    tokenId: undefined,
    scope: "write",
    expiresAt: row.expires_at,
    lastUsedAt: used_at,
    session: {
      id,
      personId: person_id ?? undefined,
      tokenId: row.token_id ?? undefined,
      name,
      language,
      accountName: account_name,
      grantsKey,
      grants: grantsIn(grantsKey),
    },
  };
}

function grantsIn(text: string): readonly Grant[] {
  return text.split(",").flatMap((one) => {
    const [calendar, role, sees] = one.split(":");
    if (role !== "owner" && role !== "editor" && role !== "viewer") return [];
    return [{ calendar_id: Number(calendar), role, sees_followers: Number(sees) }];
  });
}

export async function insertSession(trx: Db, session: Omit<SessionRow, "id">): Promise<void> {
  await sessions(trx).insert(session);
}

export async function findSession(
  db: Db,
  hash: string,
  now: number,
): Promise<ReturnType<typeof principalOf>> {
  const found: readonly KnownSession[] | { readonly rows: readonly KnownSession[] } = await db.raw(
    sessionsSql("?"),
    [hash],
  );
  const [row] = "rows" in found ? found.rows : found;
  return row && principalOf(row, now);
}

export type SessionOwner = Pick<SessionRow, "person_id" | "token_id">;

export async function deleteSession(trx: Db, hash: string): Promise<void> {
  await sessions(trx).where({ hash }).delete();
}

/** Deletes a session of an owner; false when there is none. */
export async function deleteSessionOf(trx: Db, owner: SessionOwner, id: number): Promise<boolean> {
  return (
    (await sessions(trx)
      .where({ ...owner, id })
      .delete()) > 0
  );
}

/** Deletes the sessions that have ended at `now`, in Unix seconds. */
export async function forgetEndedSessions(trx: Db, now: number): Promise<void> {
  await sessions(trx)
    .where("ends_at", "<=", now)
    .orWhere("used_at", "<=", now - sessionSeconds.idle)
    .delete();
}

/** Deletes the sessions of an owner except the newest. */
export async function keepNewestSessions(trx: Db, owner: SessionOwner, kept: number): Promise<void> {
  const oldest = await sessions(trx).where(owner).orderBy("id", "desc").offset(kept).first("id");
  if (oldest !== undefined) await sessions(trx).where(owner).where("id", "<=", oldest.id).delete();
}

/** Returns a page of the sessions of an owner that are open at `now`, newest first. */
export async function pageOfSessions(
  db: Db,
  owner: SessionOwner,
  now: number,
  { limit, offset }: Rows,
): Promise<readonly SessionRow[]> {
  return sessions(db)
    .where(owner)
    .where("ends_at", ">", now)
    .where("used_at", ">", now - sessionSeconds.idle)
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset);
}
