import { Agent } from "node:http";
import { isWrite, type OperationId, operations } from "@kalends/spec";
import { pino } from "pino";
import { afterAll } from "vitest";
import { insertAccount, insertToken } from "../src/accounts/queries.js";
import { hashToken, newToken } from "../src/accounts/tokens.js";
import { readConfig } from "../src/settings/config.js";
import type { Database } from "../src/db/open-database.js";
import type { Scope } from "../src/db/rows.js";
import { startServer } from "../src/process/server.js";
import { type Answer, exchange } from "./exchange.js";

export type { Answer } from "./exchange.js";
import { createTestDatabase } from "./databases.js";

/** 2026-07-02T12:00:00Z: the clock of every test server until a test moves it. */
export const startOfTests = 1_782_993_600;

/** Settings of a server that sends e-mail, to a mail server that is away. */
export const withMail = {
  SMTP_URL: "smtp://127.0.0.1:1",
  SMTP_FROM: "news@example.org",
  PUBLIC_URL: "https://calendars.example.org",
} as const;

export interface TestAccount {
  readonly id: number;
  readonly token: string;
  /** Calls an operation: by POST when it can, else GET. The token goes in the Authorization header. */
  call(id: OperationId, params?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Calls by GET with everything in the query, the token too. */
  get(id: OperationId, params?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface TestServer {
  readonly url: string;
  readonly db: Database;
  readonly databaseUrl: string;
  /** Only on SQLite. */
  readonly databaseFile: string;
  /** Log lines written so far, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  /** Everything written to the log, as text. */
  logText(): string;
  /** Unix seconds; assign to move the clock. */
  now: number;
  request(pathAndQuery: string, init?: RequestInit): Promise<Answer>;
  account(options?: { readonly scope?: Scope; readonly expiresAt?: number }): Promise<TestAccount>;
  stop(): Promise<void>;
}

/**
 * Starts a real server on a real database of its own, on a free port of 127.0.0.1.
 * @param options.clock in Unix seconds, instead of one that the test moves
 * @param options.runsJobs whether it does the work of process/jobs.ts, which a test that takes long would meet, and counts for /metrics
 */
export async function startTestServer(
  environment: Readonly<Record<string, string>> = {},
  options: { readonly clock?: () => number; readonly runsJobs?: boolean } = {},
): Promise<TestServer> {
  const database = await createTestDatabase("migrated");
  const lines: string[] = [];
  const level = environment.LOG_LEVEL ?? "info";
  const output = { write: (line: string) => void lines.push(line) };
  const log = pino({ level, base: null }, output);
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: database.url,
    ...environment,
  });
  const time = { now: startOfTests };
  const { clock = () => time.now, runsJobs = environment.METRICS_TOKEN !== undefined } = options;
  const server = await startServer({ config, log, output, clock, runsJobs });
  return {
    url: server.url,
    db: server.db,
    databaseUrl: database.url,
    databaseFile: database.file,
    get logLines() {
      return lines.map((line): Record<string, unknown> => JSON.parse(line));
    },
    logText: () => lines.join(""),
    get now() {
      return clock();
    },
    set now(seconds) {
      time.now = seconds;
    },
    request: (pathAndQuery, init) => request(`${server.url}${pathAndQuery}`, init),
    account: async ({ scope = "write", expiresAt } = {}) => {
      const { id, token } = await newAccount(server.db, { scope, expiresAt, createdAt: clock() });
      return testAccount(server.url, id, token);
    },
    stop: async () => {
      await server.stop();
      await database.remove();
    },
  };
}

/** Starts a server for the tests of a file or of a `describe`, which stops after them. */
export async function testServer(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...options);
  afterAll(() => server.stop());
  return server;
}

/** Makes an account with one token; the times are Unix seconds. */
export async function newAccount(
  db: Database,
  options: { readonly createdAt: number; readonly scope?: Scope; readonly expiresAt?: number | undefined },
): Promise<{ readonly id: number; readonly token: string; readonly tokenId: number }> {
  const { createdAt: created_at, scope = "write", expiresAt: expires_at = null } = options;
  const token = newToken();
  return db.transaction(async (trx) => {
    const { id } = await insertAccount(trx, { name: "Test", created_at });
    const fields = { name: "test", scope, created_at, expires_at, account_id: id };
    const row = await insertToken(trx, { ...fields, hash: hashToken(token), last_four: token.slice(-4) });
    return { id, token, tokenId: row.id };
  });
}

/** As many connections as there are calls at once. Much quicker than fetch. */
const agent = new Agent({ keepAlive: true });

/** An account that a server knows already, such as after it was started again on the same file. */
export function testAccount(url: string, id: number, token: string): TestAccount {
  const headers = { Authorization: `Bearer ${token}` };
  return {
    id,
    token,
    call: (operation, params = {}) => {
      const { path } = operations[operation];
      const query = new URLSearchParams(params).toString();
      if (!isWrite(operations[operation])) return exchange({ url }, `${path}?${query}`, { headers, agent });
      const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
      return exchange({ url }, path, { method: "POST", headers: form, body: query, agent });
    },
    get: (operation, params = {}) =>
      request(`${url}${operations[operation].path}?${new URLSearchParams({ token, ...params }).toString()}`),
  };
}

/** One HTTP exchange. */
export async function request(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body: unknown =
    text === "" || response.headers.get("Content-Type") !== "application/json" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}
