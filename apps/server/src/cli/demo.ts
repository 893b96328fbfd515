import { operations, type Params } from "@kalends/spec";
import { issueToken, findAccount, insertAccount } from "../accounts/queries.js";
import { listEveryCalendar } from "../calendars/queries.js";
import type { Database, Db } from "../db/open-database.js";
import { findProperty, setProperty } from "../db/properties.js";
import { eventsAfter } from "../events/queries.js";
import { listedEvent } from "../events/serialize.js";
import { insertSubscriber, type NewSubscriber } from "../followers/subscriber-queries.js";
import { deleteAccount } from "./accounts.js";
import { type OperationRequest, pageAddress, runOperation } from "./run-operation.js";

/**
 * Creates the missing parts of the demo: an account with a token, and its calendars, events and subscribers through operations
 * of the API, so that the same rules apply.
 */
export async function makeDemo(db: Database, now: number): Promise<object> {
  const { accountId, token } = await db.exclusively((trx) => demoAccount(trx, now));
  const calendars: DemoCalendar[] = [];
  for (const [index, demo] of demoCalendars.entries())
    calendars.push(
      await completeCalendar(db, { accountId, now }, demo, index === 0 ? demoSubscribers.length : 0),
    );
  return { account_id: String(accountId), calendars, ...(token === undefined ? {} : { token }) };
}

/** Deletes the demo account. @throws Error when there is none, or `yes` is not given */
export async function removeDemo(
  db: Database,
  options: { readonly yes?: boolean },
  now: number,
): Promise<object> {
  const id = await knownAccount(db.read);
  if ((await findAccount(db.read, id)) === undefined) throw new Error("There is no demo.");
  return deleteAccount(db, id, options, now);
}

/** Name of the property with the id of the demo's account. */
const demoProperty = "demo_account";

/** Returns the id of the demo's account; 0, which no account has, when there was never one. */
async function knownAccount(db: Db): Promise<number> {
  return Number((await findProperty(db, demoProperty)) ?? 0);
}

/** Returns the demo account; creates it with a token when it does not exist. */
async function demoAccount(trx: Db, now: number) {
  const known = await knownAccount(trx);
  if ((await findAccount(trx, known)) !== undefined) return { accountId: known };
  const { id: accountId } = await insertAccount(trx, { name: "Demo calendars", created_at: now });
  await setProperty(trx, demoProperty, String(accountId));
  const fields = { account_id: accountId, scope: "write" as const, created_at: now, expires_at: null };
  const { token } = await issueToken(trx, { ...fields, name: "demo" });
  return { accountId, token };
}

interface DemoCalendar {
  readonly calendar_id: string;
  readonly title: string;
  readonly events: number;
  readonly followers: number;
  readonly page: string;
  readonly created: number;
}

/** Creates the calendar unless the account has one of that title, and its missing events and followers. */
async function completeCalendar(
  db: Database,
  { accountId, now }: { readonly accountId: number; readonly now: number },
  { events, ...fields }: (typeof demoCalendars)[number],
  followers: number,
): Promise<DemoCalendar> {
  const create = (id: "createCalendar" | "createEvent", values: OperationRequest["values"]) =>
    runOperation(db, id, { values, account: accountId, now });
  const existing = (await listEveryCalendar(db.read, accountId)).find(({ title }) => title === fields.title);
  const { id, uniquekey } =
    existing ??
    operations.createCalendar.payload.parse(JSON.parse(await create("createCalendar", fields))).calendar;
  const there = (await eventsAfter(db.read, Number(id), { id: 0, limit: mostEvents, bytes: 1_000_000 })).map(
    listedEvent,
  );
  const missing = events.filter(
    ({ title, start_date }) =>
      !there.some((event) => event.title === title && start_date.startsWith(event.date_start)),
  );
  for (const event of missing) await create("createEvent", { ...event, calendar_id: String(id) });
  if (followers > 0 && (existing === undefined || existing.followers_total === 0))
    await addSubscribers(db, { account_id: accountId, calendar_id: Number(id) }, now);
  return {
    calendar_id: String(id),
    title: fields.title,
    events: events.length,
    followers,
    page: pageAddress({ uniquekey }),
    created: missing.length,
  };
}

/** More than the demo has, so that it is found complete even after people have added events. */
const mostEvents = 1_000;

/** Adds one subscriber for each of the last days. */
async function addSubscribers(
  db: Database,
  owner: { readonly account_id: number; readonly calendar_id: number },
  now: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    for (const [index, subscriber] of demoSubscribers.entries()) {
      const subscribed_at = now - (index + 1) * 86_400;
      await insertSubscriber(trx, { ...subscriber, ...owner, subscribed_at });
    }
  });
}

type DemoEvent = Omit<Params<"createEvent">, "calendar_id">;

/** Returns an eclipse as an event; its start is the greatest phase, in UTC. */
function eclipse(title: string, start_date: string, location: string, color_id: string): DemoEvent {
  return { title, start_date, location, color_id, description: "The time is that of the greatest phase." };
}

/** Returns an international day of the United Nations as an all-day event. */
function day(title: string, date: string): DemoEvent {
  return { title, start_date: `${date}/2027 00:00`, all_day_event: "true", organizer: "United Nations" };
}

const sun = "4";
const moon = "6";

const demoCalendars: readonly (Params<"createCalendar"> & { readonly events: readonly DemoEvent[] })[] = [
  {
    title: "Eclipses",
    description: "A selection of the solar and lunar eclipses from 2027 to 2030.",
    timezone: "Etc/UTC",
    palette_id: "2",
    events: [
      eclipse("Annular solar eclipse", "02/06/2027 16:00", "South Atlantic, Chile, Argentina", sun),
      eclipse("Total solar eclipse", "08/02/2027 10:07", "Spain, North Africa, Arabia", sun),
      eclipse("Partial lunar eclipse", "01/12/2028 04:14", "Americas, Europe, Africa", moon),
      eclipse("Annular solar eclipse", "01/26/2028 15:08", "Galapagos, Brazil, Spain", sun),
      eclipse("Partial lunar eclipse", "07/06/2028 18:20", "Africa, Asia, Australia", moon),
      eclipse("Total solar eclipse", "07/22/2028 02:56", "Australia, New Zealand", sun),
      eclipse("Total lunar eclipse", "12/31/2028 16:53", "Europe, Asia, Australia", moon),
      eclipse("Partial solar eclipse", "01/14/2029 17:13", "North America", sun),
      eclipse("Total lunar eclipse", "06/26/2029 03:23", "Americas, Europe, Africa", moon),
      eclipse("Total lunar eclipse", "12/20/2029 22:43", "Americas, Europe, Africa, Asia", moon),
      eclipse("Annular solar eclipse", "06/01/2030 06:29", "Algeria, Greece, Turkey, Russia, Japan", sun),
      eclipse("Total solar eclipse", "11/25/2030 06:52", "Southern Africa, Australia", sun),
    ],
  },
  {
    title: "International days 2027",
    description: "A selection of the international days that the United Nations observe.",
    timezone: "America/New_York",
    events: [
      day("International Day of Education", "01/24"),
      day("International Mother Language Day", "02/21"),
      day("International Women's Day", "03/08"),
      day("World Water Day", "03/22"),
      day("World Health Day", "04/07"),
      day("World Book and Copyright Day", "04/23"),
      day("World Environment Day", "06/05"),
      day("World Oceans Day", "06/08"),
      day("International Day of Friendship", "07/30"),
      day("International Youth Day", "08/12"),
      day("International Day of Peace", "09/21"),
      day("United Nations Day", "10/24"),
      day("World Children's Day", "11/20"),
      day("Human Rights Day", "12/10"),
    ],
  },
];

type DemoSubscriber = Omit<NewSubscriber, "account_id" | "calendar_id" | "subscribed_at">;

/** Fictional people: domain names of RFC 2606 and addresses of RFC 5737. */
const demoSubscribers: readonly DemoSubscriber[] = [
  subscriber("Ada Byron", "ada", "203.0.113.7", { city: "London", country: "GB", calendar_type: "apple" }),
  subscriber("Jean Meeus", "jean", "198.51.100.24", {
    city: "Brussels",
    country: "BE",
    calendar_type: "google",
    active: 0,
  }),
  subscriber("Sam Blocked", "sam", "192.0.2.66", { calendar_type: "ical", blocked: 1 }),
];

function subscriber(
  name: string,
  mailbox: string,
  ip: string,
  rest: Partial<DemoSubscriber> & Pick<DemoSubscriber, "calendar_type">,
): DemoSubscriber {
  return {
    name,
    email: `${mailbox}@example.com`,
    ip,
    postal: null,
    city: null,
    state: null,
    country: null,
    active: 1,
    blocked: 0,
    ...rest,
  };
}
