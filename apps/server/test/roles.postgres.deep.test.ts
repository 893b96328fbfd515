import { tmpdir } from "node:os";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { startFailure } from "../src/process/start-failure.js";
import { runHere } from "./command.js";
import { startTestServer } from "./harness.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { run } from "./process.js";
import { startStandby } from "./standby.js";

// What an operator reads of a PostgreSQL that answers, but on which Kalends cannot work.

describe("an operator learns what to do about", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
    await administer("postgres", "create database full_schema");
    await administer("postgres", "create database empty");
    await administer("postgres", "create role reader login password 'secret'");
    await administer("postgres", "create role alone login password 'secret' connection limit 0");
    const first = await startTestServer({ DATABASE_URL: urlOf("full_schema") });
    await first.stop();
    await administer("full_schema", "grant select on all tables in schema public to reader");
  });
  afterAll(async () => {
    await postgres.remove();
  });

  function urlOf(database: string, role?: string): string {
    const url = new URL(`${postgres.url}/${database}`);
    if (role !== undefined) [url.username, url.password] = [role, "secret"];
    return url.href;
  }

  async function administer(database: string, statement: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    const result = await client.query(statement);
    await client.end();
    return result;
  }

  async function doctor(DATABASE_URL: string): Promise<unknown> {
    const { stdout } = await runHere(["doctor", "--json"], { DATABASE_URL });
    const { ok, checks } = JSON.parse(stdout);
    return [ok, checks.find(({ check }: { readonly check: string }) => check === "database")];
  }
  const failed = (detail: RegExp) => [false, { status: "failed", detail: expect.stringMatching(detail) }];

  const start = async (DATABASE_URL: string) =>
    (await run("main.ts", [], tmpdir(), { DATABASE_URL, PORT: "0" }).finished).stderr;

  /** Returns the warnings of a server that starts and is not ready. */
  async function warningsOf(DATABASE_URL: string): Promise<readonly object[]> {
    const server = await startTestServer({ DATABASE_URL });
    await expect.poll(async () => (await server.request("/readyz")).status).toBe(503);
    await expect.poll(() => server.logLines.some(({ level }) => level === 40)).toBe(true);
    await server.stop();
    return server.logLines.filter(({ level }) => level === 40);
  }

  test("a role that may not create tables, as since PostgreSQL 15", async () => {
    const url = urlOf("empty", "reader");
    expect(await doctor(url)).toMatchObject(
      failed(/^permission denied for schema public\. The role .* OWNER TO/),
    );
    expect(await start(url)).toMatch(/^permission denied for schema public\nThe role .* OWNER TO/);
  });

  test("a role that may only read: doctor fails, and a server is not ready and logs why", async () => {
    const url = urlOf("full_schema", "reader");
    expect(await doctor(url)).toMatchObject(
      failed(/^permission denied for table \w+\. The role .* OWNER TO/),
    );
    expect(await warningsOf(url)).toMatchObject([
      {
        msg: "not ready: the database fails",
        err: { code: "42501" },
        reason: expect.stringContaining("OWNER TO"),
      },
    ]);
  });

  test("a role without a free connection", async () => {
    const url = urlOf("full_schema", "alone");
    const advice = "PostgreSQL has no connection left: .*fewer servers";
    expect(await doctor(url)).toMatchObject(failed(new RegExp(`^too many connections .*\\. ${advice}`)));
    expect(await start(url)).toMatch(new RegExp(`^too many connections .*\\n${advice}`));
  });

  test("a standby, with the tables and without", async () => {
    const standby = await startStandby(postgres.url);
    for (const database of ["full_schema", "empty"])
      expect(await doctor(`${standby.url}/${database}`)).toMatchObject(
        failed(/^cannot execute [^"]*\. PostgreSQL takes no writes: it is a standby/),
      );
    expect(await start(`${standby.url}/empty`)).toMatch(
      /^cannot execute [^"]*\nPostgreSQL takes no writes: /,
    );
    expect(await warningsOf(`${standby.url}/full_schema`)).toMatchObject([
      { err: { code: "25006" }, reason: expect.stringContaining("it is a standby") },
    ]);
    await standby.remove();
  });

  test("a server without TLS, where the URL asks for it", async () => {
    const url = `${urlOf("full_schema")}?sslmode=require`;
    const failure: unknown = await openDatabase(url).catch((error: unknown) => error);
    expect(startFailure(failure)).toMatch(
      /does not support SSL.*\nPostgreSQL refused a TLS .*sslmode=disable/,
    );
    expect(startFailure(failure)).not.toContain("sslrootcert");
  });

  test("a table that another session has locked", async () => {
    const holder = await openDatabase(urlOf("full_schema"));
    await holder.transaction(async (trx) => {
      await trx.raw("lock table migrations in access exclusive mode");
      const { code, stderr } = await runHere(["account", "list"], { DATABASE_URL: urlOf("full_schema") });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/lock timeout\nAnother session has locked a table/),
      ]);
    });
    await holder.close();
  });

  test.each([
    ["a table", "create table notes (id integer)", "notes"],
    ["its own table of migrations", "create table migrations (id integer, migration text)", "migrations"],
    ["a partitioned table", "create table logs (id integer) partition by list (id)", "logs"],
  ])("the database of another program, with %s, which stays as it is", async (_, create, name) => {
    await administer("postgres", "create database foreign_one");
    await administer("foreign_one", create);
    const [url, detail] = [
      urlOf("foreign_one"),
      `The database foreign_one is that of another program: it has the table ${name}, and none`,
    ];
    await expect(openDatabase(url)).rejects.toThrow(detail);
    expect(await doctor(url)).toMatchObject(failed(new RegExp(detail)));
    expect(await runHere(["migrate"], { DATABASE_URL: url })).toMatchObject({ code: 1 });
    const { rows } = await administer(
      "foreign_one",
      "select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
    );
    expect(rows).toEqual([{ relname: name }]);
    await administer("postgres", "drop database foreign_one");
  });

  test("nothing, on a database with tables of extensions or of other schemas", async () => {
    await administer("postgres", "create database with_extension");
    await administer(
      "with_extension",
      "create schema other; create table other.notes (id integer); create table spatial (id integer)",
    );
    // As the script of an extension does.
    await administer("with_extension", "create extension if not exists plpgsql");
    await administer("with_extension", "alter extension plpgsql add table spatial");
    expect(await doctor(urlOf("with_extension"))).toMatchObject([true, { status: "ok" }]);
  });

  test("nothing, on a database that is empty or well", async () => {
    for (const database of ["empty", "full_schema", "empty"])
      // doctor created nothing
      expect(await doctor(urlOf(database))).toMatchObject([true, { status: "ok" }]);
  });
});
