// Writes test/fixtures/previous-release.json: the schema of a release on both databases, data that it wrote, and every
// statement of its day with what came back. test/previous-release.deep.test.ts holds today's server against them. At each
// release, on the tree that is released:
//
//   pnpm --filter @kalends/server exec tsx --conditions @kalends/source scripts/record-release.ts NAME [checkout]
//
// `checkout` is a clone of an older state, with its node_modules.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contractIds, operations } from "@kalends/spec";
import knex, { type Knex } from "knex";
import { startPostgres } from "../test/postgres.js";

const [name = "", checkout = fileURLToPath(new URL("../../..", import.meta.url))] = process.argv.slice(2);
const release = join(checkout, "apps/server");
const folder = mkdtempSync(join(tmpdir(), "kalends-release-"));
const file = join(folder, "release.sqlite");
const token = "token-of-the-previous-release";

interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}
const { migrations }: { readonly migrations: readonly Migration[] } = await import(
  pathToFileURL(join(release, "src/db/migrate.ts")).href
);

/** The statements of the release's migrations. */
async function schemaOn(db: Knex): Promise<readonly string[]> {
  const statements = ["create table migrations (name text primary key, applied_at bigint not null)"];
  db.on("query", ({ sql }: { sql: string }) => statements.push(sql));
  for (const { up } of migrations) await up(db);
  await db.destroy();
  return statements;
}

/** Starts the release's server on the file; what it asks SQLite goes to `recordTo`. */
async function start(recordTo: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const loader = import.meta.resolve("tsx");
  const recorder = new URL("record-statements.mjs", import.meta.url).href;
  const child = spawn(
    process.execPath,
    ["--import", loader, "--import", recorder, "--conditions", "@kalends/source", "src/main.ts"],
    {
      cwd: release,
      env: {
        PATH: process.env.PATH,
        PORT: "0",
        DATABASE_URL: `sqlite:${file}`,
        CALENDAR_TOKEN: token,
        RECORD_TO: recordTo,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  process.once("exit", () => child.kill());
  const stopped = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const [, found] = /Listening on (\S+)/.exec(chunk.toString()) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, stop: () => (child.kill("SIGTERM"), stopped) };
}

async function ask(url: string, path: string, params: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`${url}${path}?${new URLSearchParams({ token, ...params }).toString()}`);
  return { path, params, status: response.status, body: await response.text() };
}

interface Answer {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: string;
}

/** What every list and detail answers. */
async function readAll(url: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const calendar_id of ["1", "2"]) {
    for (const id of contractIds.filter((id) => /^(?:list|get)/.test(id) && id !== "listTimeZones")) {
      const params = { calendar_id, subscriber_id: "1" };
      const known = Object.entries(params).filter(([key]) => key in operations[id].params.shape);
      answers.push(await ask(url, operations[id].path, Object.fromEntries(known)));
    }
  }
  return answers;
}

/** Each operation once by its example, deletions last. */
async function work(url: string): Promise<void> {
  const ids: Readonly<Record<string, string>> = { calendar_id: "1", event_id: "2", subscriber_id: "1" };
  const isDeletion = (id: string): number => Number(id.startsWith("delete"));
  for (const id of contractIds.toSorted((a, b) => isDeletion(a) - isDeletion(b))) {
    const { path, example } = operations[id];
    const params = Object.fromEntries(
      Object.entries(example.request).map(([key, value]) => [key, ids[key] ?? value]),
    );
    const last = id === "deleteCalendar" ? { ...params, calendar_id: "2" } : params;
    const { status, body } = await ask(url, path, last);
    if (status !== 200) throw new Error(`${id}: ${body}`);
  }
}

async function seed(url: string): Promise<void> {
  for (const title of ["Concerts", "Ünïcødé 🎪"]) {
    await ask(url, operations.createCalendar.path, { title, timezone: "Europe/Vienna" });
  }
  for (let number = 1; number <= 6; number++) {
    const calendar_id = String(1 + (number % 2));
    const start_date = `0${number}/15/2031 0${number}:30 PM`;
    const text = { title: `Event ${number} ✓`, description: "Two\r\nlines", location: "Straße 1" };
    await ask(url, operations.createEvent.path, { calendar_id, start_date, ...text });
  }
}

const db = knex({ client: "sqlite3", connection: { filename: file }, useNullAsDefault: true });
const first = await start("/dev/null");
await seed(first.url);
await first.stop();
const nobody = { name: "Ada", email: "ada@example.com", ip: "203.0.113.7", calendar_type: "apple" };
const subscribers = [1, 0, 1].map((active, index) => ({
  ...nobody,
  account_id: 1,
  calendar_id: 1,
  active,
  blocked: index === 2 ? 1 : 0,
  subscribed_at: 1_782_993_600 + index,
}));
await db("subscribers").insert(subscribers);
await db("calendars")
  .where({ id: 1 })
  .update({ followers_total: 3, followers_active: 1, followers_inactive: 1, followers_blocked: 1 });

const tables: readonly { name: string }[] = await db.raw(
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid",
);
const rows: Record<string, readonly unknown[]> = {};
for (const { name } of tables) rows[name] = await db(name).select("*");

const recordTo = join(folder, "statements.jsonl");
const second = await start(recordTo);
const answersBefore = await readAll(second.url);
await work(second.url);
const answersAfter = await readAll(second.url);
await second.stop();
await db.destroy();

const postgres = await startPostgres();
const schema = {
  sqlite: await schemaOn(
    knex({
      client: "sqlite3",
      connection: { filename: join(folder, "schema.sqlite") },
      useNullAsDefault: true,
    }),
  ),
  postgres: await schemaOn(knex({ client: "pg", connection: `${postgres.url}/postgres` })),
};
await postgres.remove();
const statements: readonly unknown[] = JSON.parse(
  `[${readFileSync(recordTo, "utf8").trimEnd().replaceAll("\n", ",")}]`,
);
const fixture = { release: name, token, schema, rows, answersBefore, statements, answersAfter };
const target = fileURLToPath(new URL("../test/fixtures/previous-release.json", import.meta.url));
writeFileSync(target, `${JSON.stringify(fixture, null, 1)}\n`);
rmSync(folder, { recursive: true });
