import { type Command, InvalidArgumentError, Option } from "commander";
import { allOperations, languages, mostOfPeople, personName, roles } from "@kalends/spec";
import { lockAccount } from "../accounts/queries.js";
import type { Database, Db } from "../db/open-database.js";
import type { GrantRow, PersonRow } from "../db/rows.js";
import { changedGrants } from "../people/changed-grants.js";
import { issueLink, kindOfLink, linkAddress } from "../people/links.js";
import * as queries from "../people/queries.js";
import { grant, status } from "../people/serialize.js";
import { command, id } from "./arguments.js";
import { reports } from "./database.js";
import { requireAccount, requireEnabledAccount, serverAddress } from "./run-operation.js";

interface GrantOptions {
  readonly role: GrantRow["role"];
  /** Default: the calendars that the person has. */
  readonly calendar?: readonly number[];
  readonly allCalendars?: boolean;
  readonly seesFollowers?: boolean;
}

interface NewPersonOptions extends GrantOptions {
  readonly account: number;
  readonly name: string;
  readonly email: string;
  readonly language: string;
}

/** Adds a person to an account, and a link for the first sign-in; the result alone shows it. */
async function addPerson(
  db: Database,
  { account, name, email, language, ...given }: NewPersonOptions,
  now: number,
) {
  return db.transaction(async (trx) => {
    await requireEnabledAccount(trx, account);
    await lockAccount(trx, account); // so that two commands do not both add the last one
    if ((await queries.countPeople(trx, account)) >= mostOfPeople.people)
      throw new Error(`Account ${account} has ${mostOfPeople.people} people, as many as it may have.`);
    const fields = { account_id: account, name, email, language, created_at: now };
    const person = await queries.insertPerson(trx, fields);
    await changeGrants(trx, person, { calendar: [0], ...given });
    return withLink(person, await issueLink(trx, person.id, "join", now));
  });
}

async function changeGrants(
  trx: Db,
  person: PersonRow,
  { role, calendar, allCalendars, seesFollowers }: GrantOptions,
): Promise<void> {
  const { id: personId, account_id } = person;
  await lockAccount(trx, account_id); // so that two changes leave an owner
  const named = calendar?.filter((one) => one !== 0) ?? [];
  if (named.length > mostOfPeople.calendars)
    throw new Error(`Give at most ${mostOfPeople.calendars} calendars, or --all-calendars.`);
  if (!(await queries.areCalendarsOf(trx, account_id, named)))
    throw new Error(
      `A calendar is not one of account ${account_id}; run "kalends call calendarsList --account ${account_id}" to see all.`,
    );
  const calendars = allCalendars === true ? [0] : calendar;
  const before = await queries.grantsOf(trx, [personId]);
  const grants = changedGrants(before, { role, calendars, seesFollowers });
  if ("parameter" in grants)
    throw new Error(
      grants.parameter === "calendar_ids"
        ? `Person ${personId} has no calendar; add --calendar or --all-calendars.`
        : "An owner sees followers; leave out --no-sees-followers, or give another role.",
    );
  if (await queries.isLastOwner(trx, person, grants))
    throw new Error(
      `Person ${personId} is the last owner of all calendars of account ${account_id}; give someone else that role first.`,
    );
  await queries.replaceGrants(trx, personId, grants);
}

/** Gives a person another role. @throws Error when there is no such person or calendar */
export async function grantPerson(db: Database, personId: number, options: GrantOptions): Promise<object> {
  return db.transaction(async (trx) => {
    const person = await queries.findPerson(trx, personId);
    if (person === undefined) throw noPerson(personId);
    await changeGrants(trx, person, options);
    const grants = await queries.grantsOf(trx, [personId]);
    return { person_id: String(personId), grants: grants.map(grant) };
  });
}

function withLink(
  { id: personId, account_id, name }: PersonRow,
  { secret, expires_at }: Awaited<ReturnType<typeof issueLink>>,
) {
  const link = linkAddress(serverAddress(), secret);
  return { person_id: String(personId), account_id: String(account_id), name, link, expires_at };
}

/** Makes a link with which a person signs in; earlier ones end. @throws Error when there is no such person, or it or its account is disabled */
async function linkPerson(db: Database, personId: number, now: number) {
  return db.transaction(async (trx) => {
    const person = await queries.findPerson(trx, personId);
    if (person === undefined) throw noPerson(personId);
    if (person.disabled_at !== null)
      throw new Error(`Person ${personId} is disabled; run "person enable ${personId}" first.`);
    await requireEnabledAccount(trx, person.account_id);
    return withLink(person, await issueLink(trx, personId, kindOfLink(person), now));
  });
}

/** Lists the people of all accounts, or of one, and what they may do. @throws Error when the account does not exist */
async function listPeople(db: Database, account: number | undefined) {
  if (account !== undefined) await requireAccount(db.read, account);
  const people = await queries.listPeople(db.read, account);
  const grants = await queries.grantsOf(
    db.read,
    people.map((person) => person.id),
  );
  return {
    people: people.map(
      ({ id: personId, account_id, disabled_at, joined_at, name, email, language, created_at }) => ({
        person_id: String(personId),
        account_id: String(account_id),
        name,
        email,
        language,
        created_at,
        status: status({ disabled_at, joined_at }),
        grants: grants.filter(({ person_id }) => person_id === personId).map(grant),
      }),
    ),
  };
}

/**
 * Ends the sessions and the ways to sign in of a person, and refuses new links; or accepts new ones again.
 * @throws Error when there is no such person
 */
export async function setDisabled(
  db: Database,
  personId: number,
  disabled_at: number | null,
): Promise<{ readonly warning?: string }> {
  return db.transaction(async (trx) => {
    const before = await queries.findPerson(trx, personId);
    if (before === undefined) throw noPerson(personId);
    const isChanged = (before.disabled_at === null) !== (disabled_at === null);
    if (isChanged) await queries.deleteWaysIn(trx, personId);
    // Not refused, unlike by the API: the operator must be able to end a session that someone else has opened (docs/people.md).
    const isLast = isChanged && disabled_at !== null && (await queries.isLastOwner(trx, before));
    const change = { disabled_at, joined_at: null };
    const person = isChanged ? ((await queries.updatePerson(trx, personId, change)) ?? before) : before;
    const left = `No other owner of account ${person.account_id} can sign in: run "person enable ${personId}" and "person link ${personId}", or "person add".`;
    const warning = isLast ? { warning: left } : {};
    return { person_id: String(personId), status: status(person), ...warning };
  });
}

function noPerson(personId: number): Error {
  return new Error(`There is no person ${personId}; run "person list" to see all.`);
}

function nameOfPerson(text: string): string {
  const { error } = personName.safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
  return text;
}

function emailOfPerson(text: string): string {
  const { error } = allOperations.peopleInvite.params.shape.email.safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
  return text;
}

function withGrant(of: Command, byDefault?: GrantRow["role"]): Command {
  const role = new Option("--role <role>", "what the person may do").choices(roles);
  const others = byDefault === undefined ? "those that the person has" : "all";
  const calendar = new Option("--calendar <id...>", `only in these calendars (default: ${others})`).argParser(
    (text, before: readonly number[] | undefined) => [...(before ?? []), id(text)],
  );
  return of
    .addOption(byDefault === undefined ? role.makeOptionMandatory() : role.default(byDefault))
    .addOption(calendar)
    .option("--sees-followers", "shows the names and addresses of followers too; an owner sees them anyway");
}

export function addPeople(program: Command): void {
  const person = command(program, "person", "people who sign in to the console");
  reports(
    withGrant(command(person, "add", "add a person to an account; prints a link that signs in once"), "owner")
      .requiredOption("--account <id>", "id of the account", id)
      .requiredOption("--name <name>", "name of the person", nameOfPerson)
      .option("--email <address>", "e-mail address of the person", emailOfPerson, "")
      .addOption(
        new Option("--language <language>", "language of the console (default: that of the browser)")
          .choices(languages)
          .default("", ""),
      ),
    (db, now, options: NewPersonOptions) => addPerson(db, options, now),
  );
  reports(
    command(person, "list", "list the people of all accounts, and what they may do").option(
      "--account <id>",
      "only those of this account",
      id,
    ),
    (db, _now, { account }: { readonly account?: number }) => listPeople(db, account),
  );
  reports(
    command(person, "link", "print a new link with which a person signs in once", "person"),
    (db, now, personId: number) => linkPerson(db, personId, now),
  );
  addChanges(person);
}

function addChanges(person: Command): void {
  reports(
    withGrant(command(person, "grant", "give a person another role", "person"))
      .addOption(
        new Option("--all-calendars", "in all calendars of the account, later ones too").conflicts(
          "calendar",
        ),
      )
      .option("--no-sees-followers", "hides the names and addresses of followers again"),
    (db, _now, personId: number, options: GrantOptions) => grantPerson(db, personId, options),
  );
  const states = [
    [
      "disable",
      "end the sessions of a person, remove the links, passkeys and identities, and refuse new ones",
    ],
    ["enable", "let a disabled person sign in again, by a new link"],
  ] as const;
  for (const [name, description] of states)
    reports(command(person, name, description, "person"), (db, now, personId: number) =>
      setDisabled(db, personId, name === "disable" ? now : null),
    );
}
