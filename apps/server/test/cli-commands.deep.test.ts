import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { version } from "../src/about.js";
import { hashFollowerKey, newFollowerKey } from "../src/followers/subscribe.js";
import { insertSubscriber } from "../src/followers/subscriber-queries.js";
import { makeCertificate, makesCertificates } from "./certificates.js";
import { mmdb } from "./mmdb.js";
import { runHere } from "./command.js";
import { createTestDatabase, onPostgres } from "./databases.js";
import { freePort } from "./free-port.js";
import { testServer } from "./harness.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// The command line for operators: where its settings come from, what it refuses, and what it prints. What a command does before it
// opens a database is tested once, on SQLite. Processes of their own run where the promise is about them.

const server = await testServer();
const folder = temporaryFolder();

/** Runs a command in a process of its own, in `folder`, with only these settings. */
const ownProcess = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  run("cli.ts", args, folder, settings).finished;
const kalends = (...args: readonly string[]) => runHere(args, { DATABASE_URL: server.databaseUrl });
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await kalends(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

test.skipIf(onPostgres)("--version prints the version of the program", async () => {
  expect(await ownProcess({}, "--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test.skipIf(onPostgres)("in a clone, ./kalends prints nothing on stdout but its own output", async () => {
  const program = fileURLToPath(new URL("../../../kalends", import.meta.url));
  const { stdout } = await promisify(execFile)(program, ["--version"], { cwd: folder });
  expect(stdout).toBe(`${version}\n`);
});

describe("without a database", () => {
  const commands = [
    ["account", "list"],
    ["token", "list"],
    ["call", "eventsList", "--calendar_id", "1"],
    ["subscriber", "find", "--email", "ada@example.com"],
    ["calendar", "export", "1"],
  ];
  test.skipIf(onPostgres).each(commands.map((args) => [args.slice(0, 2).join(" "), args] as const))(
    "%s creates none, and says which setting to check",
    async (_name, args) => {
      const empty = mkdtempSync(join(folder, "empty-"));
      const path = join(empty, "kalends.sqlite");
      const { code, stdout, stderr } = await runHere(args, { DATABASE_URL: `sqlite:${path}` });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`The database ${path} does not exist: set DATABASE_URL`);
      expect(stderr).toContain("The first start of the server creates it.");
      expect(readdirSync(empty)).toEqual([]);
    },
  );

  test.skipIf(onPostgres)("doctor says that the first start creates it", async () => {
    const { code, stdout } = await runHere(["doctor"], { DATABASE_URL: `sqlite:${join(folder, "none")}` });
    expect([code, stdout]).toEqual([1, expect.stringContaining("The first start of the server creates it.")]);
  });

  test.skipIf(onPostgres)("without a setting it is looked for in ./data", async () => {
    const empty = mkdtempSync(join(folder, "empty-"));
    const { code, stdout, stderr } = await run("cli.ts", ["account", "list"], empty).finished;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The database ./data/kalends.sqlite does not exist: set DATABASE_URL");
    expect(readdirSync(empty)).toEqual([]);
  });

  test("in an empty database no tables are made, and the error names the setting", async () => {
    const database = await createTestDatabase("empty");
    if (!onPostgres) writeFileSync(database.file, "");
    const { code, stderr } = await runHere(["account", "list"], { DATABASE_URL: database.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining("has no data of Kalends")]);
    const made = await ownProcess(
      { DATABASE_URL: database.url },
      "account",
      "create",
      "--name",
      "x",
      "--json",
    );
    expect(JSON.parse(made.stdout)).toMatchObject({ account_id: "1" });
  });
});

describe("--env-file", () => {
  test.skipIf(onPostgres)(
    "gives a command the settings of the service; the environment has precedence",
    async () => {
      const file = join(folder, "kalends.env");
      writeFileSync(file, `# settings\nDATABASE_URL="${server.databaseUrl}"\nPAGE_SIZE=wrong\n`);
      const wrong = await ownProcess({}, "account", "list", "--env-file", file);
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("PAGE_SIZE must be")]);
      const right = await ownProcess({ PAGE_SIZE: "100" }, "--env-file", file, "account", "list");
      expect([right.code, right.stdout]).toEqual([0, expect.stringMatching(/^\{"accounts":/)]);
    },
  );

  test.skipIf(onPostgres)("a file that is missing or malformed is named, its content is not", async () => {
    const missing = await ownProcess({}, "account", "list", "--env-file", "nowhere.env");
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining("nowhere.env cannot be read"),
    ]);
    writeFileSync(join(folder, "bad.env"), "DATABASE_URL=sqlite:a\nthe secret\n");
    const bad = await ownProcess({}, "account", "list", "--env-file", "bad.env");
    expect(bad.stderr).toContain("Line 2 must have the form NAME=value.");
    expect(bad.stderr).not.toContain("the secret");
  });
});

test("lists of tokens and people are limited to an account", async () => {
  const [mine] = [await server.account(), await server.account()];
  const { tokens } = await json("token", "list", "--account", String(mine.id));
  expect(tokens.map(({ account_id }: { readonly account_id: string }) => account_id)).toEqual([
    String(mine.id),
  ]);
  for (const list of ["token", "person"])
    expect(await kalends(list, "list", "--account", "999999")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no account 999999"),
    });
});

test("on a terminal the result is indented, with --json one line", async () => {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const [indented, line] = [await kalends("account", "list"), await kalends("account", "list", "--json")];
  process.stdout.isTTY = isTTY;
  expect(indented.stdout).toMatch(/^\{\n {2}"accounts": \[\n/);
  expect(JSON.stringify(JSON.parse(indented.stdout))).toBe(line.stdout.trimEnd());
});

test("an account is renamed", async () => {
  const { id } = await server.account();
  expect(await json("account", "rename", String(id), "--name", "Parks")).toEqual({
    account_id: String(id),
    name: "Parks",
  });
  expect((await kalends("account", "list")).stdout).toContain(`"account_id":"${id}","name":"Parks"`);
  expect((await kalends("account", "rename", "999999", "--name", "x")).stderr).toContain("no account 999999");
});

describe("subscribers of an e-mail address", () => {
  async function follow(email: string) {
    const account = await server.account();
    const { calendar } = (await account.call("createCalendar", { title: "x", timezone: "UTC" })).body;
    const location = { postal: null, city: null, state: null, country: null };
    await server.db.transaction((trx) =>
      insertSubscriber(trx, {
        ...location,
        account_id: account.id,
        calendar_id: Number(calendar.id),
        key_hash: hashFollowerKey(newFollowerKey()),
        name: "Ada",
        email,
        ip: "192.0.2.1",
        calendar_type: "google",
        active: 1,
        blocked: 0,
        subscribed_at: server.now,
      }),
    );
    const count = async (): Promise<number> =>
      (await account.call("listSubscribers", { calendar_id: calendar.id })).body.calendar.subscribers_count;
    return { account: String(account.id), calendar: calendar.id, count };
  }

  test("are found and deleted over all calendars, of one account or of all, with the counters", async () => {
    const [first, second, third] = [
      await follow("Ada@Example.com"),
      await follow("ada@example.com"),
      await follow("ada@example.org"),
    ];
    const find = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { subscribers } = await json("subscriber", "find", "--email", "ADA@example.com", ...args);
      return subscribers.map(({ calendar_id }: { readonly calendar_id: string }) => calendar_id);
    };
    expect(await find()).toEqual([first.calendar, second.calendar]);
    expect(await find("--account", second.account)).toEqual([second.calendar]);
    expect((await kalends("subscriber", "find", "--email", "ada@example.com")).stdout).toContain("192.0.2.1");
    expect(await json("subscriber", "find", "--email", "unknown@example.com")).toEqual({ subscribers: [] });
    await json("subscriber", "delete", "--email", "ada@example.com", "--account", second.account);
    expect([await first.count(), await second.count()]).toEqual([1, 0]);
    await json("subscriber", "delete", "--email", "ada@example.com");
    expect([await first.count(), await second.count(), await third.count()]).toEqual([0, 0, 1]);
    expect(await kalends("subscriber", "delete", "--email", "ada@example.com")).toEqual({
      code: 1,
      stdout: "",
      stderr: "No subscriber has the address ada@example.com.\n",
    });
  });

  test("are found whatever the case of a letter that ASCII does not have", async () => {
    const { calendar, count } = await follow("Ödön@example.com");
    for (const email of ["Ödön@example.com", "ödÖN@example.com"])
      expect((await json("subscriber", "find", "--email", email)).subscribers).toMatchObject([
        { calendar_id: calendar },
      ]);
    await json("subscriber", "delete", "--email", "ödön@example.com");
    expect(await count()).toBe(0);
  });

  test("are of an account that exists", async () => {
    const missing = {
      code: 1,
      stdout: "",
      stderr: 'There is no account 999999; run "account list" to see all.\n',
    };
    const of = ["--account", "999999"];
    for (const name of ["find", "delete"])
      expect(await kalends("subscriber", name, "--email", "ada@example.com", ...of)).toEqual(missing);
    expect(await kalends("subscriber", "prune", "--never-fetched", ...of)).toEqual(missing);
  });

  test.skipIf(onPostgres)("deleting needs either an id or an address", async () => {
    for (const args of [[], ["1", "--email", "ada@example.com"]])
      expect(await kalends("subscriber", "delete", ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Give either an id or --email."),
      });
  });

  test("deleting by an id takes no account, so that none is ignored", async () => {
    const { calendar, count } = await follow("id@example.com");
    const { subscribers } = await json("subscriber", "find", "--email", "id@example.com");
    const { account_id } = await json("account", "create", "--name", "Another");
    const args = ["subscriber", "delete", subscribers[0].id, "--account", account_id];
    expect(await kalends(...args)).toMatchObject({
      code: 2,
      stderr: "Give --account with --email alone.\n",
    });
    expect([subscribers[0].calendar_id, await count()]).toEqual([calendar, 1]);
  });
});

describe("doctor", () => {
  interface Finding {
    readonly check: string;
    readonly status: string;
    readonly detail: string;
  }
  async function doctor(settings: Readonly<Record<string, string>> = {}) {
    const { code, stdout } = await runHere(["doctor", "--json"], {
      DATABASE_URL: server.databaseUrl,
      ...settings,
    });
    const { ok, checks }: { readonly ok: boolean; readonly checks: readonly Finding[] } = JSON.parse(stdout);
    return { code, ok, checks, of: (name: string) => checks.find(({ check }) => check === name) };
  }

  test("finds nothing wrong with a server that is well, and changes nothing", async () => {
    const { code, ok, checks } = await doctor({ PUBLIC_URL: server.url });
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect([code, ok]).toEqual([0, true]);
    const names = checks.map(({ check }) => check);
    const ofFile = onPostgres ? [] : ["file", "disk"];
    expect(names).toEqual([
      "release",
      "settings",
      ...ofFile,
      "database",
      "migrations",
      "counters",
      "clock",
      "jobs",
      "PUBLIC_URL",
      "sign-in",
      "passkeys",
    ]);
    expect(checks[0]?.detail).toBe(`${version}, on Node ${process.versions.node}`);
  });

  test("fails for counters that are not what the rows say, and for a PUBLIC_URL that does not answer", async () => {
    const account = await server.account();
    const { id } = (await account.call("createCalendar", { title: "x", timezone: "UTC" })).body.calendar;
    const set = (events_total: number) =>
      server.db.transaction((trx) => trx("calendars").where({ id }).update({ events_total }));
    await set(7);
    const found = await doctor({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    await set(0);
    expect([found.code, found.ok]).toEqual([1, false]);
    const miscounted = found.of(onPostgres ? "counters" : "file");
    expect(miscounted).toMatchObject({ status: "failed", detail: expect.stringContaining(id) });
    expect(found.of("PUBLIC_URL")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test.runIf(makesCertificates)("says what to set for a certificate of an unknown authority", async () => {
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    makeCertificate(key, certificate);
    const https = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }).listen(
      0,
      "127.0.0.1",
    );
    await once(https, "listening");
    const address = https.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const found = await doctor({ PUBLIC_URL: `https://127.0.0.1:${port}` });
    https.close();
    expect(found.of("PUBLIC_URL")).toMatchObject({
      status: "failed",
      detail: expect.stringMatching(/ \(DEPTH_ZERO_SELF_SIGNED_CERT\); .* set NODE_EXTRA_CA_CERTS /),
    });
  });

  test("says when no one can sign in: without https, and behind a proxy that drops a header", async () => {
    expect((await doctor({ PUBLIC_URL: server.url })).of("sign-in")).toMatchObject({
      status: "ok",
      detail: `works at ${server.url}/console, over plain http`,
    });
    const plain = { PUBLIC_URL: "http://kalends.invalid" };
    expect((await doctor({ PUBLIC_URL: server.url })).of("passkeys")?.detail).toContain(
      "none: they need https",
    );
    expect((await doctor({})).of("passkeys")?.detail).toBe("for localhost");
    const oidc = { OIDC_ISSUER: "http://localhost:1", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" };
    expect((await doctor(oidc)).of("OIDC_ISSUER")).toMatchObject({ status: "failed" });
    expect((await doctor(plain)).of("sign-in")).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("PUBLIC_URL is http"),
    });
    const allowed = await doctor({ ...plain, CONSOLE_INSECURE: "on" });
    expect(allowed.of("sign-in")?.detail).toContain("not checked");
    const proxy = createHttpServer((req, res) => {
      void fetch(`${server.url}${req.url}`).then(async (answer) => {
        res.writeHead(answer.status).end(await answer.text());
      });
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = proxy.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, of } = await doctor({ PUBLIC_URL: `http://127.0.0.1:${port}` });
    proxy.close();
    expect(code).toBe(1);
    expect(of("sign-in")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("Kalends-Console"),
    });
  });

  test("reads the beginning of what another program says at PUBLIC_URL, and no more", async () => {
    const sent = { bytes: 0 };
    const endless = createHttpServer((_req, res) => {
      const more = (): void => {
        sent.bytes += 65_536;
        res.write(" ".repeat(65_536));
        res.once("drain", more);
      };
      more();
    }).listen(0, "127.0.0.1");
    await once(endless, "listening");
    const address = endless.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const found = await doctor({ PUBLIC_URL: `http://127.0.0.1:${port}` });
    endless.closeAllConnections();
    endless.close();
    expect(found.of("PUBLIC_URL")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("answers 200"),
    });
    expect(sent.bytes).toBeLessThan(20_000_000); // what buffers between them hold; before, all that came within 5 s
  });

  test("fails for a clock that is behind what was written, and warns of https without TRUST_PROXY", async () => {
    const account = await server.account();
    const { id } = (await account.call("createCalendar", { title: "x", timezone: "UTC" })).body.calendar;
    const set = (modified_at: number) =>
      server.db.transaction((trx) => trx("calendars").where({ id }).update({ modified_at }));
    await set(4_000_000_000);
    const found = await doctor({ PUBLIC_URL: "https://127.0.0.1:9" });
    await set(server.now);
    expect(found.of("clock")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("2096-10-02"),
    });
    expect(found.of("settings")).toMatchObject({ status: "warning" });
  });

  test.skipIf(onPostgres)("warns of a misspelled setting, and so does another command", async () => {
    const WEBHOOK_ALLOW_PRIVAT = "on";
    const why = expect.stringContaining("WEBHOOK_ALLOW_PRIVAT is not a setting");
    const { code, of } = await doctor({ WEBHOOK_ALLOW_PRIVAT });
    expect([code, of("settings")]).toMatchObject([0, { status: "warning", detail: why }]);
    const settings = { DATABASE_URL: server.databaseUrl, WEBHOOK_ALLOW_PRIVAT };
    expect(await runHere(["account", "list"], settings)).toMatchObject({ code: 0, stderr: why });
  });

  test("fails for a GEOIP_DATABASE with which a server does not start", async () => {
    const text = join(folder, "text.mmdb");
    writeFileSync(text, "not a database");
    for (const [GEOIP_DATABASE, why] of [
      [join(folder, "missing.mmdb"), "does not exist"],
      [text, "is not an MMDB database"],
    ] as const) {
      const found = await doctor({ GEOIP_DATABASE });
      expect([found.code, found.of("GEOIP_DATABASE")]).toMatchObject([
        1,
        { status: "failed", detail: `${GEOIP_DATABASE} ${why}` },
      ]);
    }
    const whole = join(folder, "whole.mmdb");
    writeFileSync(whole, mmdb({ "8.8.8.0/24": { country: { iso_code: "US" } } }));
    expect((await doctor({ GEOIP_DATABASE: whole })).of("GEOIP_DATABASE")?.status).toBe("ok");
  });

  test.skipIf(onPostgres)("creates no database where there is none", async () => {
    const path = join(folder, "absent", "kalends.sqlite");
    mkdirSync(join(folder, "absent"));
    const { code, checks } = await doctor({ DATABASE_URL: `sqlite:${path}` });
    expect([code, checks.find(({ status }) => status === "failed")?.detail]).toEqual([
      1,
      expect.stringContaining("does not exist"),
    ]);
    expect(existsSync(path)).toBe(false);
  });
});

test.skipIf(onPostgres)("a backup into a folder that does not exist names the folder", async () => {
  const { code, stderr } = await kalends("backup", join(folder, "nowhere", "copy.sqlite"));
  expect(code).toBe(1);
  expect(stderr).toContain(`The folder ${join(folder, "nowhere")} does not exist`);
  expect(stderr).not.toMatch(/ENOENT|\.part/);
});
