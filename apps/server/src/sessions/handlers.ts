import type { Principal, SignedIn } from "../accounts/principal.js";
import { findTokenByHash, lockValidToken } from "../accounts/queries.js";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/connect.js";
import { pageOf, rowsOf } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { newSecret } from "../people/links.js";
import { findPerson, takeLink, updatePerson } from "../people/queries.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";

/** Open sessions of one person: older ones end. */
const mostSessions = 100;

/** Sign in, and out (extensions X9.2, X9.3). */
export const sessionHandlers = {
  async openSession({ link, token }, { db, now, session, error }) {
    if (!session.canSignIn) throw error("session_insecure");
    // Without a transaction first: whoever guesses has no turn at the writer. A link that is right is never refused for others' guesses.
    if (!(await queries.knowsSecret(db.read, hashToken(link ?? token ?? "")))) {
      await session.countGuess();
      throw error("link_unknown");
    }
    const secret = newSecret();
    const hash = hashToken(secret);
    return db.transaction(async (trx) => {
      const opener = await openerOf(trx, { link, token }, now);
      if (opener === undefined) throw error("link_unknown");
      const { account_id, ...owner } = opener;
      await queries.forgetEndedSessions(trx, account_id, now);
      // The session of before ends: a cookie that someone else has set opens nothing.
      if (session.secret !== undefined) await queries.deleteSession(trx, hashToken(session.secret));
      const seconds =
        owner.token_id === null ? queries.sessionSeconds.longest : queries.sessionSeconds.ofToken;
      const times = { created_at: now, used_at: now, ends_at: now + seconds };
      await queries.insertSession(trx, { account_id, ...owner, hash, device: session.device, ...times });
      await queries.keepNewestSessions(trx, owner, mostSessions);
      const principal = await queries.findSession(trx, hash, now);
      if (principal === undefined) throw error("link_unknown");
      session.setSecret(secret, seconds);
      return serialize.session(principal, principal.session);
    });
  },

  getSession(_params, { principal }) {
    return Promise.resolve(serialize.session(...signedIn(principal)));
  },

  async updateSession({ name, language }, { db, principal, error }) {
    const [, session] = signedIn(principal);
    return db.transaction(async (trx) => {
      const found = session.personId === undefined ? undefined : await findPerson(trx, session.personId);
      if (found === undefined) throw error("person_not_found");
      const change = { name: name ?? found.name, language: language ?? found.language };
      await updatePerson(trx, found.id, change);
      return serialize.session({ accountId: found.account_id }, { ...session, ...change });
    });
  },

  async listSessions(_params, { db, principal, now, page }) {
    const [{ accountId }, { id, ...owner }] = signedIn(principal);
    const rows = await db.list(accountId, ({ read }) =>
      queries.pageOfSessions(read, ownerOf(owner), now, rowsOf(page)),
    );
    const { items, paging } = pageOf(page, rows);
    return { sessions: items.map((row) => serialize.listed(row, id)), paging };
  },

  async endSession(_params, { db, principal, session }) {
    const [, { id, ...owner }] = signedIn(principal);
    return db.transaction(async (trx) => {
      await queries.deleteSessionOf(trx, ownerOf(owner), id);
      session.setSecret("", 0);
      return ended(id);
    });
  },

  async endOneSession({ session_id }, { db, principal, error }) {
    const [, owner] = signedIn(principal);
    return db.transaction(async (trx) => {
      if (!(await queries.deleteSessionOf(trx, ownerOf(owner), Number(session_id))))
        throw error("session_not_found");
      return ended(Number(session_id));
    });
  },
} satisfies Partial<Handlers>;

const ended = (id: number) => ({ session: { id: String(id), status: "deleted" as const } });

function signedIn(principal: Principal | undefined): readonly [Principal, SignedIn] {
  if (principal?.session === undefined) throw new ApiError("session_missing");
  return [principal, principal.session];
}

function ownerOf({ personId, tokenId }: Pick<SignedIn, "personId" | "tokenId">): queries.SessionOwner {
  return { person_id: personId ?? null, token_id: tokenId ?? null };
}

/** Whom a link or a token is of. A link is used up by it. */
async function openerOf(
  trx: Db,
  { link, token }: { readonly link?: string | undefined; readonly token?: string | undefined },
  now: number,
): Promise<(queries.SessionOwner & { readonly account_id: number }) | undefined> {
  if (link !== undefined) {
    const person = await takeLink(trx, hashToken(link), now);
    return person && { account_id: person.account_id, person_id: person.id, token_id: null };
  }
  const row = token === undefined ? undefined : await findTokenByHash(trx, hashToken(token));
  if (row?.scope !== "write" || !(await lockValidToken(trx, row.id, now))) return undefined;
  return { account_id: row.account_id, person_id: null, token_id: row.id };
}
