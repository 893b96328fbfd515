import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { issueToken, insertAccount } from "../accounts/queries.js";
import { findCalendarById } from "../calendars/queries.js";
import { readConfig } from "../settings/config.js";
import type { Database } from "../db/open-database.js";
import type { CalendarRow } from "../db/rows.js";
import { startServer } from "./server.js";
import { insertSubscriber, type NewSubscriber as NewSubscriberRow } from "../followers/subscriber-queries.js";

// The export @kalends/server/testing (docs/testing.md). Its exported types use no other types of ours: scripts/build.mjs
// generates testing.d.ts from this file alone.

export interface TestServerOptions {
  /** The server's clock; default: the system clock. */
  readonly clock?: (() => Date) | undefined;
  /** Settings as in .env.example, such as `{ PAGE_SIZE: "3" }`. The environment is not read. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

export interface TestAccount {
  /** A token with the scope `write`. */
  readonly token: string;
  /** A token with the scope `read`. */
  readonly readToken: string;
}

/** A subscriber of a calendar. Absent fields are unknown. */
export interface NewSubscriber {
  readonly calendar_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly postal?: string | undefined;
  readonly city?: string | undefined;
  /** `ZZ`, an unknown country, when not given (rulings R5.5). */
  readonly country?: string | undefined;
  /** `ical` when not given (rulings R5.6). */
  readonly calendar_type?: string | undefined;
  /** `true` when not given. */
  readonly active?: boolean | undefined;
  /** `false` when not given. */
  readonly blocked?: boolean | undefined;
  /** Now when not given. */
  readonly since?: Date | undefined;
}

export interface TestServer extends TestAccount, AsyncDisposable {
  /** Its address, such as http://127.0.0.1:38561. */
  readonly baseUrl: string;
  /** Creates an account. Its data is separate, so a new one for each test replaces a reset. */
  readonly account: () => Promise<TestAccount>;
  /** Adds subscribers to calendars, which no operation of the API does. Returns their ids. @throws RangeError when there is no such calendar */
  readonly addSubscribers: (subscribers: readonly NewSubscriber[]) => Promise<readonly string[]>;
  /** Stops the server and removes its database. */
  readonly close: () => Promise<void>;
}

/** Starts the server in this process, on a free port of 127.0.0.1, with a SQLite database in a temporary folder. */
export async function startTestServer({
  clock = () => new Date(),
  settings = {},
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-testing-"));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const now = (): number => Math.floor(clock().getTime() / 1000);
  try {
    const database = { DATABASE_URL: `sqlite:${join(folder, "kalends.sqlite")}` };
    const config = readConfig({
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "silent",
      ...database,
      ...settings,
    });
    const log = pino({ level: config.LOG_LEVEL, base: null }, process.stderr);
    const server = await startServer({ config, log, output: process.stderr, clock: now });
    const account = (): Promise<TestAccount> => newAccount(server.db, now());
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= server.stop().finally(removeFolder));
    return {
      baseUrl: server.url,
      ...(await account()),
      account,
      addSubscribers: (subscribers) => addSubscribers(server.db, subscribers, now()),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

function newAccount(db: Database, now: number): Promise<TestAccount> {
  return db.transaction(async (trx) => {
    const { id: account_id } = await insertAccount(trx, { name: "Test", created_at: now });
    const fields = { account_id, name: "test", created_at: now, expires_at: null };
    const { token } = await issueToken(trx, { ...fields, scope: "write" });
    const { token: readToken } = await issueToken(trx, { ...fields, scope: "read" });
    return { token, readToken };
  });
}

function addSubscribers(db: Database, added: readonly NewSubscriber[], now: number) {
  return db.transaction(async (trx) => {
    const ids: string[] = [];
    for (const subscriber of added) {
      const calendar = await findCalendarById(trx, Number(subscriber.calendar_id));
      if (calendar === undefined || calendar.deleted_at !== null) throw new RangeError("no such calendar");
      const { id } = await insertSubscriber(trx, rowOf(subscriber, calendar, now));
      ids.push(String(id));
    }
    return ids;
  });
}

function rowOf(
  subscriber: NewSubscriber,
  { id: calendar_id, account_id }: Pick<CalendarRow, "id" | "account_id">,
  now: number,
): NewSubscriberRow {
  const { name = "", email = "", postal = null, city = null, country = null, since } = subscriber;
  const { calendar_type = "ical", active = true, blocked = false } = subscriber;
  return {
    account_id,
    calendar_id,
    name,
    email,
    ip: "203.0.113.7", // of documentation (RFC 5737)
    postal,
    city,
    state: null,
    country,
    calendar_type,
    active: active ? 1 : 0,
    blocked: blocked ? 1 : 0,
    subscribed_at: since === undefined ? now : Math.floor(since.getTime() / 1000),
  };
}
