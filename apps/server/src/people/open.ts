import type { Payload } from "@kalends/spec";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/open-database.js";
import { ApiError } from "../http/errors.js";
import type { Session } from "../http/handler.js";
import { newSecret } from "./links.js";
import { noteJoined } from "./queries.js";
import { passkeyHostOf } from "./verify.js";
import * as queries from "./session-queries.js";
import * as serialize from "./session-serialize.js";

/** Most open sessions of a person; the oldest end. */
const mostSessions = 100;

export type Opener = queries.SessionOwner & { readonly account_id: number };

/** Opens a session and sets its cookie. Ends the previous session of the browser, which someone else may have set. */
export async function openFor(
  trx: Db,
  { account_id, ...owner }: Opener,
  { now, session }: { readonly now: number; readonly session: Session },
): Promise<Payload<"sessionOpen">> {
  const secret = newSecret();
  const hash = hashToken(secret);
  if (session.secret !== undefined) await queries.deleteSession(trx, hashToken(session.secret));
  const seconds = owner.token_id === null ? queries.sessionSeconds.longest : queries.sessionSeconds.ofToken;
  const times = { created_at: now, used_at: now, ends_at: now + seconds };
  await queries.insertSession(trx, { account_id, ...owner, hash, device: session.device, ...times });
  await queries.keepNewestSessions(trx, owner, mostSessions);
  if (owner.person_id !== null) await noteJoined(trx, owner.person_id, now);
  const principal = await queries.findSession(trx, hash, now);
  if (principal === undefined) throw new ApiError("session_missing");
  session.setSecret(secret, seconds);
  return serialize.session(principal, principal.session, waysOf(session));
}

/** Returns what this server has been set up for. */
export function waysOf({ base, provider, sendsMail }: Session): Payload<"session">["can"] {
  return { mail: sendsMail, passkeys: passkeyHostOf(base) !== undefined, oidc: provider !== undefined };
}
