import { mostOfPeople, type ParameterFailure, type Params, type Payload } from "@kalends/spec";
import { lockAccount, lockValidToken } from "../accounts/queries.js";
import type { Principal } from "../accounts/principal.js";
import type { Db } from "../db/open-database.js";
import type { Grant, PersonRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { ApiError } from "../http/errors.js";
import { linksByMailPerDay } from "../http/limits.js";
import { addDelivery, countSentLinks, withdrawSignIn } from "../webhooks/mail-queries.js";
import { sendsMail } from "../webhooks/wake.js";
import type { Context, Handlers } from "../http/handler.js";
import { formatInstant } from "../time/instants.js";
import { changedGrants } from "./changed-grants.js";
import { issueLink, kindOfLink, linkAddress } from "./links.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";

/** The people of an account (extensions X9.1). */
export const peopleHandlers = {
  async peopleList(_params, { db, accountId }) {
    const people = await db.list(accountId, async ({ read }) =>
      shown(read, await queries.listPeople(read, accountId)),
    );
    return { people };
  },

  async peopleInvite(params, context) {
    const { db, accountId, now, error } = context;
    const { name, email = "", language = "" } = params;
    return db.transaction(async (trx) => {
      await lockPeople(trx, context);
      if ((await queries.countPeople(trx, accountId)) >= mostOfPeople.people)
        throw error("person_limit_reached");
      const grants = await grantsOf(trx, accountId, [], { calendar_ids: "all", ...params }, error);
      const invited_by = context.principal?.session?.personId ?? null;
      const added = { account_id: accountId, name, email, language, created_at: now, invited_by };
      const row = await queries.insertPerson(trx, added);
      await queries.replaceGrants(trx, row.id, grants);
      context.wrote({ personId: row.id });
      if (params.send_mail === "true") await sendLink(trx, row, context);
      return linked(trx, row, context);
    });
  },

  async peopleUpdate(params, context) {
    const { db, accountId, wrote, error } = context;
    const { name, email, language } = params;
    return db.transaction(async (trx) => {
      await lockPeople(trx, context);
      const found = await queries.findPerson(trx, Number(params.person_id), accountId);
      if (found === undefined) throw error("person_not_found");
      const change = {
        name: name ?? found.name,
        email: email ?? found.email,
        language: language ?? found.language,
      };
      const row = (await queries.updatePerson(trx, found.id, change)) ?? found;
      const grants = await grantsOf(trx, accountId, await queries.grantsOf(trx, [row.id]), params, error);
      if (await queries.isLastOwner(trx, row, grants)) throw error("last_owner");
      await queries.replaceGrants(trx, row.id, grants);
      wrote({ personId: row.id });
      return { person: await shownOne(trx, row) };
    });
  },

  async peopleLink({ person_id, send_mail }, context) {
    const { db, accountId, error } = context;
    return db.transaction(async (trx) => {
      await lockPeople(trx, context);
      const row = await queries.findPerson(trx, Number(person_id), accountId);
      if (row?.disabled_at !== null) throw error("person_not_found");
      context.wrote({ personId: row.id });
      if (send_mail === "true") await sendLink(trx, row, context);
      return linked(trx, row, context);
    });
  },

  async peopleRemove({ person_id }, context) {
    const { db, accountId, error } = context;
    return db.transaction(async (trx) => {
      await lockPeople(trx, context);
      const row = await queries.findPerson(trx, Number(person_id), accountId);
      if (row === undefined) throw error("person_not_found");
      if (await queries.isLastOwner(trx, row)) throw error("last_owner");
      await queries.deletePerson(trx, row.id);
      return { person: { id: person_id, status: "deleted" } };
    });
  },
} satisfies Partial<Handlers>;

interface LockOptions {
  readonly accountId: number;
  readonly principal?: Principal | undefined;
  readonly now: number;
}

/**
 * Locks the account, so that concurrent changes leave an owner, and the session and the token, so that a person who was removed meanwhile
 * or a token that was revoked changes nothing.
 */
async function lockPeople(trx: Db, { accountId, principal, now }: LockOptions): Promise<void> {
  const { session } = principal ?? {};
  const isOpen = session === undefined || (await queries.lockSession(trx, session.id));
  if (!isOpen || !(await lockAccount(trx, accountId))) throw new ApiError("session_missing");
  const tokenId = principal?.tokenId ?? session?.tokenId;
  if (tokenId !== undefined && !(await lockValidToken(trx, tokenId, now)))
    throw new ApiError("token_unknown");
}

/**
 * Returns the grants of a person after a request.
 * @throws ApiError when one of the calendars is not the account's, or a parameter does not fit
 */
async function grantsOf(
  trx: Db,
  accountId: number,
  before: readonly Grant[],
  params: Pick<Params<"peopleUpdate">, "role" | "calendar_ids" | "sees_followers">,
  error: (
    code: "calendar_not_found" | "parameter_invalid",
    failures?: readonly ParameterFailure[],
  ) => ApiError,
): Promise<readonly Grant[]> {
  const { role, calendar_ids, sees_followers } = params;
  const named = calendar_ids === "all" ? [] : calendar_ids?.split(",").map(Number);
  if (named !== undefined && !(await queries.areCalendarsOf(trx, accountId, named)))
    throw error("calendar_not_found");
  const grants = changedGrants(before, {
    role,
    calendars: calendar_ids === "all" ? [0] : named,
    seesFollowers: sees_followers === undefined ? undefined : sees_followers === "true",
  });
  if ("parameter" in grants) throw error("parameter_invalid", [grants]);
  return grants;
}

/** Has a link sent to the address of a person. It is made when it is sent, since its secret is stored nowhere. */
async function sendLink(
  trx: Transaction,
  person: PersonRow,
  {
    now,
    error,
  }: {
    readonly now: number;
    readonly error: (
      code: "mail_not_set_up" | "parameter_invalid",
      failures?: readonly ParameterFailure[],
    ) => ApiError;
  },
): Promise<void> {
  if (!sendsMail()) throw error("mail_not_set_up");
  const { id: person_id, account_id, email } = person;
  const sent = await countSentLinks(trx, account_id, now - 86_400);
  const refusal =
    email === "" ? "needs an e-mail address of the person" : "must be false now: too many were sent today";
  if (email === "" || sent >= linksByMailPerDay)
    throw error("parameter_invalid", [{ parameter: "send_mail", message: refusal, code: "not_allowed" }]);
  await withdrawSignIn(trx, person);
  await addDelivery(trx, {
    account_id,
    person_id,
    calendar_id: 0,
    kind: "sign_in",
    priority: 0,
    created_at: now,
  });
}

async function linked(
  trx: Db,
  row: PersonRow,
  { now, session }: Pick<Context<"peopleLink">, "now" | "session">,
): Promise<Payload<"peopleLink">> {
  const { secret, expires_at } = await issueLink(trx, row.id, kindOfLink(row), now);
  return {
    person: await shownOne(trx, row),
    link: linkAddress(session.base, secret),
    date_expires: formatInstant(expires_at),
  };
}

async function shownOne(db: Db, row: PersonRow): Promise<Payload<"peopleUpdate">["person"]> {
  const [one] = await shown(db, [row]);
  if (one === undefined) throw new Error("no person");
  return one;
}

async function shown(db: Db, rows: readonly PersonRow[]): Promise<Payload<"peopleList">["people"]> {
  const ids = rows.map(({ id }) => id);
  const grants = await queries.grantsOf(db, ids);
  return rows.map((row) => serialize.person(row, grants));
}
