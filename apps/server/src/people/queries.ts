import { forgetPerson } from "../db/kept-answers.js";
import { type Db, onlyRow } from "../db/database.js";
import { countRows } from "../db/paging.js";
import type {
  CalendarRow,
  Grant,
  GrantRow,
  PersonRow,
  SessionRow,
  SignInLinkRow,
  IdentityRow,
  TitledGrant,
} from "../db/rows.js";

const people = (db: Db) => db<PersonRow>("people");
const grants = (db: Db) => db<GrantRow>("grants");
const links = (db: Db) => db<SignInLinkRow>("sign_in_links");

export async function insertPerson(
  trx: Db,
  person: Omit<PersonRow, "id" | "disabled_at" | "joined_at" | "invited_by"> &
    Partial<Pick<PersonRow, "invited_by">>,
): Promise<PersonRow> {
  return onlyRow(await people(trx).insert(person).returning("*"));
}

/** Returns a person, of one account where that is given. */
export async function findPerson(db: Db, id: number, accountId?: number): Promise<PersonRow | undefined> {
  return people(db)
    .where(accountId === undefined ? { id } : { id, account_id: accountId })
    .first();
}

/** Returns the people of all accounts, or of one, lowest id first. */
export async function listPeople(db: Db, accountId?: number): Promise<readonly PersonRow[]> {
  const query = people(db).orderBy("id");
  return accountId === undefined ? query : query.where({ account_id: accountId });
}

/** Changes a person and returns the row; undefined when there is none. */
export async function updatePerson(
  trx: Db,
  id: number,
  change: Partial<Pick<PersonRow, "name" | "email" | "language" | "disabled_at" | "joined_at">>,
): Promise<PersonRow | undefined> {
  const [row] = await people(trx).where({ id }).update(change).returning("*");
  return row;
}

/** Returns the grants of some people, by calendar. */
export async function grantsOf(db: Db, personIds: readonly number[]): Promise<readonly GrantRow[]> {
  return grants(db)
    .whereIn("person_id", [...personIds])
    .orderBy(["person_id", "calendar_id"]);
}

/** Gives a person a grant, which replaces one for the same calendar. */
export async function putGrant(trx: Db, grant: GrantRow): Promise<void> {
  await grants(trx).insert(grant).onConflict(["person_id", "calendar_id"]).merge();
}

export async function insertLink(trx: Db, link: Omit<SignInLinkRow, "id">): Promise<void> {
  await links(trx).insert(link);
}

/** Reports whether there is a link with this hash that is valid at `now`, in Unix seconds. */
export async function knowsLink(db: Db, hash: string, now: number): Promise<boolean> {
  return (await links(db).where({ hash }).where("expires_at", ">", now).first("id")) !== undefined;
}

/** Returns the person of a link and when the link expires, in Unix seconds; undefined where it would sign no one in at `now`. */
export async function findLink(
  db: Db,
  hash: string,
  now: number,
): Promise<(PersonRow & Pick<SignInLinkRow, "expires_at">) | undefined> {
  return links(db)
    .join("people", "people.id", "sign_in_links.person_id")
    .join("accounts", "accounts.id", "people.account_id")
    .where({ hash, "people.disabled_at": null, "accounts.disabled_at": null })
    .where("expires_at", ">", now)
    .first("people.*", "expires_at");
}

/** Returns the grants of a person for all calendars, or for those that are not deleted. */
export async function titledGrantsOf(db: Db, person_id: number): Promise<readonly TitledGrant[]> {
  return grants(db)
    .leftJoin("calendars", "calendars.id", "grants.calendar_id")
    .where({ person_id })
    .where((either) => either.where("grants.calendar_id", 0).orWhere({ deleted_at: null }))
    .orderBy("grants.calendar_id")
    .select("grants.*", db.raw("coalesce(title, '') as title"));
}

/** Deletes a link and returns its person, unless it has expired at `now` (Unix seconds) or the person is disabled. */
export async function takeLink(trx: Db, hash: string, now: number): Promise<PersonRow | undefined> {
  const link = await links(trx).where({ hash }).first();
  // Of concurrent uses only one deletes the link.
  const isOwn = (await links(trx).where({ hash }).delete()) === 1;
  if (link === undefined || !isOwn || link.expires_at <= now) return undefined;
  await deleteLinks(trx, link.person_id); // such as the one that was sent by e-mail too
  const person = await findPerson(trx, link.person_id);
  return person?.disabled_at === null ? person : undefined;
}

export async function deleteLinks(trx: Db, personId: number): Promise<void> {
  await links(trx).where({ person_id: personId }).delete();
}

/** Stores the first sign-in of a person. */
export async function noteJoined(trx: Db, id: number, now: number): Promise<void> {
  await people(trx).where({ id }).whereNull("joined_at").update({ joined_at: now });
}

/** Deletes the links that have ended at `now` (Unix seconds). */
export async function forgetEndedLinks(trx: Db, now: number): Promise<void> {
  await links(trx).where("expires_at", "<=", now).delete();
}

/** Deletes the people of an account with their rows, in the order of `deletePerson`. */
export async function deletePeopleOf(trx: Db, account_id: number): Promise<void> {
  const ids = people(trx).where({ account_id }).select("id");
  await links(trx).whereIn("person_id", ids.clone()).delete();
  await trx("passkeys").whereIn("person_id", ids.clone()).delete();
  await trx("identities").whereIn("person_id", ids.clone()).delete();
  await trx("sessions").where({ account_id }).delete();
  await grants(trx).whereIn("person_id", ids.clone()).delete();
  await people(trx).where({ account_id }).delete();
}

export async function countPeople(db: Db, account_id: number): Promise<number> {
  return countRows(people(db).where({ account_id }));
}

export async function replaceGrants(trx: Db, personId: number, given: readonly Grant[]): Promise<void> {
  await grants(trx).where({ person_id: personId }).delete();
  for (const grant of given) await grants(trx).insert({ ...grant, person_id: personId });
}

/**
 * Reports whether these grants would take the role of the last owner of all calendars. Of a person who has signed in, only
 * another one who has signed in can take over.
 */
export async function isLastOwner(
  trx: Db,
  { id, account_id, joined_at }: Pick<PersonRow, "id" | "account_id" | "joined_at">,
  given: readonly Grant[] = [],
): Promise<boolean> {
  if (given.some(({ calendar_id, role }) => calendar_id === 0 && role === "owner")) return false;
  const owners = await people(trx)
    .join("grants", "grants.person_id", "people.id")
    .where({ account_id, calendar_id: 0, role: "owner" })
    .whereNull("disabled_at")
    .select<readonly Pick<PersonRow, "id" | "joined_at">[]>("id", "joined_at");
  const others = owners.filter((owner) => owner.id !== id);
  return (
    others.length < owners.length && !others.some((owner) => joined_at === null || owner.joined_at !== null)
  );
}

/**
 * Deletes the ways to sign in of a person, then the sessions: the first delete waits for a sign-in in progress, whose session
 * is then deleted. Last come rows that a session has added meanwhile.
 */
export async function deleteWaysIn(trx: Db, person_id: number): Promise<void> {
  await deleteLinks(trx, person_id);
  for (const table of ["passkeys", "identities", "sessions", "passkeys"])
    await trx(table).where({ person_id }).delete();
}

export async function deletePerson(trx: Db, id: number): Promise<void> {
  await deleteWaysIn(trx, id);
  await grants(trx).where({ person_id: id }).delete();
  await people(trx).where({ id }).delete();
  await forgetPerson(trx, { person_id: id }); // last, since a change that the deletes waited for has stored its response
}

/** Reports whether all of these calendars belong to the account and are not deleted. */
export async function areCalendarsOf(db: Db, account_id: number, ids: readonly number[]): Promise<boolean> {
  const found = await db<CalendarRow>("calendars")
    .where({ account_id })
    .whereNull("deleted_at")
    .whereIn("id", [...ids])
    .select("id");
  return found.length === new Set(ids).size;
}

/** Keeps a session from being deleted until the transaction ends. False when it was. */
export async function lockSession(trx: Db, id: number): Promise<boolean> {
  return (await trx<SessionRow>("sessions").where({ id }).forShare().first("id")) !== undefined;
}

const identities = (db: Db) => db<IdentityRow>("identities");

/**
 * Returns the person of an identity, which is locked until the transaction ends; undefined when there is none, or the person is
 * disabled.
 */
export async function lockPersonOf(
  trx: Db,
  { issuer, subject }: Pick<IdentityRow, "issuer" | "subject">,
): Promise<Pick<PersonRow, "id" | "account_id"> | undefined> {
  return identities(trx)
    .join("people", "people.id", "identities.person_id")
    .where({ issuer, subject })
    .whereNull("people.disabled_at")
    .forShare("identities")
    .first("people.id", "people.account_id");
}

/** Replaces the identity of a person. False when it belongs to another person. */
export async function setIdentity(trx: Db, identity: IdentityRow): Promise<boolean> {
  await identities(trx).where({ person_id: identity.person_id }).delete();
  const rows = await identities(trx)
    .insert(identity)
    .onConflict(["issuer", "subject"])
    .ignore()
    .returning("person_id");
  return rows.length === 1;
}

/** The table and column that the ids of a parameter are looked up in. */
export interface ItemColumn {
  readonly table: "events" | "series" | "subscribers" | "calendar_syncs";
  readonly column: "id" | "series_id";
}

/**
 * Returns the calendars of these items of the account, only those in `calendarIds`: an item that a person may not see takes the
 * same query as one that does not exist.
 */
export async function calendarsOf(
  db: Db,
  { table, column }: ItemColumn,
  ids: readonly number[],
  of: { readonly accountId: number; readonly calendarIds: ReadonlySet<number> | undefined },
): Promise<ReadonlyMap<number, number>> {
  const items = db(table)
    .where({ account_id: of.accountId })
    .whereIn(column, [...ids])
    .select({ id: column, calendar_id: "calendar_id" });
  if (column === "series_id") void items.whereRaw("series_id > 0"); // the condition of the index
  if (of.calendarIds !== undefined) void items.whereIn("calendar_id", [...of.calendarIds]);
  const rows: readonly { id: number; calendar_id: number }[] = await items;
  return new Map(rows.map(({ id, calendar_id }) => [id, calendar_id]));
}
