import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { migrate } from "../src/db/migrate.js";
import { openDatabase } from "../src/db/open-database.js";
import type { Database } from "../src/db/open-database.js";
import { addNews } from "../src/webhooks/mail-queries.js";
import { createTestDatabase } from "./databases.js";
import { newAccount } from "./harness.js";
import { run } from "./process.js";
import { startSmtp } from "./smtp.js";
import { addCalendar } from "./webhook-world.js";

// No follower misses a message and each kill repeats at most one (extensions X12.3). KALENDS_CRASH_ROUNDS sets how often the server is killed.

const kills = Number(process.env.KALENDS_CRASH_ROUNDS ?? 3);
vi.setConfig({ testTimeout: 600_000 + kills * 20_000 });
afterAll(() => vi.resetConfig());
const followers = 1_000;

/** Stores a message to a thousand followers who have confirmed an address. */
async function prepare(db: Database): Promise<void> {
  const { id: account_id } = await newAccount(db, { createdAt: 1 });
  const calendar_id = await addCalendar(db, account_id);
  const row = {
    account_id,
    calendar_id,
    name: "",
    ip: "",
    calendar_type: "ical",
    active: 1,
    blocked: 0,
    subscribed_at: 1,
  };
  const rows = Array.from({ length: followers }, (_, n) => ({ ...row, news: 2, email: `f${n}@example.com` }));
  await db.transaction((trx) => trx.batchInsert("subscribers", rows, 50));
  const now = Math.floor(Date.now() / 1_000);
  const message = { kind: "message", subject: "Off", content: "No training.", shown_until: now } as const;
  await db.transaction((trx) => addNews(trx, { ...message, account_id, calendar_id, created_at: now }));
}

/** Opens the database while no server runs. */
async function withDatabase(url: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = await openDatabase(url);
  await work(db);
  await db.close();
}

test("a server that is killed again and again sends a message to each of 1,000 followers, and one at most twice for each kill", async () => {
  await using smtp = await startSmtp({ refuseMessage: () => pause(2).then(() => undefined) });
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "kalends-mail-"));
  const mail = { SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", SMTP_RATE: "100000" };
  const settings = { ...mail, PORT: "0", DATABASE_URL: database.url, PUBLIC_URL: "https://c.example.org" };
  await withDatabase(database.url, async (db) => {
    await migrate(db, 1);
    await prepare(db);
  });
  for (let kill = 0; kill < kills; kill++) {
    const before = smtp.received.length;
    const { child, finished, until } = run("main.ts", [], folder, settings);
    await until(/^Listening on (\S+)$/m);
    await expect.poll(() => smtp.received.length, { interval: 1, timeout: 60_000 }).toBeGreaterThan(before);
    await pause(randomInt(40));
    child.kill("SIGKILL");
    await finished;
  }
  expect(smtp.received.length).toBeLessThan(followers);
  // What was in flight is due two minutes after its attempt: that time passes.
  await withDatabase(database.url, (db) =>
    db.transaction((trx) => trx("mail_deliveries").where({ state: "pending" }).update({ next_at: 0 })),
  );
  const last = run("main.ts", [], folder, settings);
  const reached = (): number => new Set(smtp.received.flatMap(({ to }) => to)).size;
  await expect.poll(reached, { interval: 50, timeout: 120_000 }).toBe(followers);
  last.child.kill("SIGTERM");
  await last.finished;
  expect(smtp.received.length - followers).toBeLessThanOrEqual(kills);
  rmSync(folder, { recursive: true });
  await database.remove();
});
