import { mostPasskeys } from "@kalends/spec";
import type { Principal } from "../accounts/principal.js";
import type { Handlers } from "../http/handler.js";
import { findPerson, lockSession } from "./queries.js";
import * as queries from "./passkey-queries.js";
import * as serialize from "./serialize.js";
import { begin, newPasskey, userHandle } from "./verify.js";

/** Passkeys of the person who has signed in (extensions X9.2). A session of a token has none. */
export const passkeyHandlers = {
  async passkeysOptions(_params, { db, accountId, principal, now, base, error }) {
    return db.list(accountId, async ({ read }) => {
      const person = await findPerson(read, personOf(principal));
      if (person === undefined) throw error("person_not_found");
      const known = await queries.passkeysOf(read, person.id);
      return {
        ...(await begin(read, `person ${person.id}`, { base, now })),
        user_id: await userHandle(read, person.id),
        user_name: person.name,
        known_ids: known.map(({ credential_id }) => credential_id),
      };
    });
  },

  async passkeysCreate({ credential }, { db, principal, session, now, base, wrote, error }) {
    const person_id = personOf(principal);
    if (person_id === 0) throw error("person_not_found");
    const made = await newPasskey(db.read, credential, `person ${person_id}`, { base, now });
    if (made === undefined) throw error("passkey_refused");
    const { used, ...passkey } = made;
    return db.transaction(async (trx) => {
      // A person who was removed meanwhile adds nothing.
      if (!(await lockSession(trx, principal?.session?.id ?? 0))) throw error("person_not_found");
      if ((await queries.passkeysOf(trx, person_id)).length >= mostPasskeys)
        throw error("passkey_limit_reached");
      const times = { created_at: now, used_at: now };
      const row = (await queries.useChallenge(trx, used))
        ? await queries.insertPasskey(trx, { ...passkey, ...times, person_id, device: session.device })
        : undefined;
      if (row === undefined) throw error("passkey_refused");
      wrote({ personId: person_id });
      return { passkey: serialize.passkey(row) };
    });
  },

  async passkeysList(_params, { db, accountId, principal }) {
    const rows = await db.list(accountId, ({ read }) => queries.passkeysOf(read, personOf(principal)));
    return { passkeys: rows.map(serialize.passkey) };
  },

  async passkeysDelete({ passkey_id }, { db, principal, error }) {
    return db.transaction(async (trx) => {
      if (!(await queries.deletePasskey(trx, personOf(principal), Number(passkey_id))))
        throw error("passkey_not_found");
      return { passkey: { id: passkey_id, status: "deleted" as const } };
    });
  },
} satisfies Partial<Handlers>;

/** Returns the id of the person who has signed in; 0, which no person has, for a token. */
const personOf = (principal: Principal | undefined): number => principal?.session?.personId ?? 0;
