import type { Principal, SignedIn } from "../accounts/principal.js";
import { findProfile } from "../accounts/profile-queries.js";
import { findTokenByHash, lockValidToken, mayWrite } from "../accounts/queries.js";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/open-database.js";
import { pageOf, rowsOf } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { begin, signingPasskey, takePasskey } from "./verify.js";
import { findLink, findPerson, knowsLink, takeLink, titledGrantsOf, updatePerson } from "./queries.js";
import { openFor, type Opener, waysOf } from "./open.js";
import * as queries from "./session-queries.js";
import * as serialize from "./session-serialize.js";

/** Sign-in and sign-out (extensions X9.2, X9.3). */
export const sessionHandlers = {
  async sessionOpen({ link, passkey, token }, context) {
    const { db, now, base, session, error } = context;
    if (!session.canSignIn) throw error("session_insecure");
    const failures = Object.entries({ link, passkey, token }).filter(([, value]) => value !== undefined);
    if (failures.length > 1)
      throw error(
        "parameter_invalid",
        failures.map(([parameter]) => ({ parameter, message: onlyOne, code: "not_allowed" })),
      );
    const unknown = passkey === undefined ? "link_unknown" : "passkey_unknown";
    // The secret is checked before the transaction, so that guesses never reach the writer. A valid link or token is never
    // refused because of others' guesses.
    if (passkey !== undefined) await session.countAttempt("passkey"); // to verify a signature is work
    const signing = passkey && (await signingPasskey(db.read, passkey, { base, now }));
    const isKnown =
      link !== undefined
        ? await knowsLink(db.read, hashToken(link), now)
        : signing !== undefined || (token !== undefined && (await mayWrite(db.read, hashToken(token), now)));
    if (!isKnown) {
      if (passkey === undefined) await session.countGuess();
      throw error(unknown);
    }
    return db.transaction(async (trx) => {
      const opener = signing ? await takePasskey(trx, signing) : await openerOf(trx, { link, token }, now);
      if (opener === undefined) throw error(unknown);
      return openFor(trx, opener, context);
    });
  },

  async sessionLink({ link }, { db, now, session, error }) {
    const person = await findLink(db.read, hashToken(link), now);
    const account = person && (await findProfile(db.read, person.account_id));
    if (person === undefined || account === undefined) {
      await session.countGuess();
      throw error("invitation_not_found");
    }
    const { id, invited_by, account_id } = person;
    const inviter = invited_by === null ? undefined : await findPerson(db.read, invited_by, account_id);
    return serialize.invitation(person, { account, inviter, grants: await titledGrantsOf(db.read, id) });
  },

  async sessionWays(_params, { db, now, base, session: { provider: oidc = "" } }) {
    const ceremony = await db.list("sign-in", ({ read }) => begin(read, "sign-in", { base, now }));
    return { ...ceremony, oidc };
  },

  session(_params, { principal, session }) {
    return Promise.resolve(serialize.session(...signedIn(principal), waysOf(session)));
  },

  async sessionUpdate({ name, language }, { db, principal, session: own, wrote, error }) {
    const [, session] = signedIn(principal);
    return db.transaction(async (trx) => {
      const found = session.personId === undefined ? undefined : await findPerson(trx, session.personId);
      if (found === undefined) throw error("person_not_found");
      const change = { name: name ?? found.name, language: language ?? found.language };
      if ((await updatePerson(trx, found.id, change)) === undefined) throw error("person_not_found");
      wrote({ personId: found.id });
      return serialize.session({ accountId: found.account_id }, { ...session, ...change }, waysOf(own));
    });
  },

  async sessionsList(_params, { db, principal, now, page }) {
    const [{ accountId }, { id, ...owner }] = signedIn(principal);
    const rows = await db.list(accountId, ({ read }) =>
      queries.pageOfSessions(read, ownerOf(owner), now, rowsOf(page)),
    );
    const { items, paging } = pageOf(page, rows);
    return { sessions: items.map((row) => serialize.listed(row, id)), paging };
  },

  async sessionEnd(_params, { db, principal, session }) {
    const [, { id, ...owner }] = signedIn(principal);
    return db.transaction(async (trx) => {
      await queries.deleteSessionOf(trx, ownerOf(owner), id);
      session.setSecret("", 0);
      return ended(id);
    });
  },

  async sessionsEnd({ session_id }, { db, principal, error }) {
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

const onlyOne = "must be the only one of link, passkey and token";

/** Returns the owner of a link or a token. Deletes the link. */
async function openerOf(
  trx: Db,
  { link, token }: { readonly link?: string | undefined; readonly token?: string | undefined },
  now: number,
): Promise<Opener | undefined> {
  if (link !== undefined) {
    const person = await takeLink(trx, hashToken(link), now);
    return person && { account_id: person.account_id, person_id: person.id, token_id: null };
  }
  const row = token === undefined ? undefined : await findTokenByHash(trx, hashToken(token));
  if (row?.scope !== "write" || !(await lockValidToken(trx, row.id, now))) return undefined;
  return { account_id: row.account_id, person_id: null, token_id: row.id };
}
