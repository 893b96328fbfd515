import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addFollower } from "./calls.js";
import { parse, runHere } from "./command.js";
import { testAccount, testServer } from "./harness.js";
import { argumentsOf, run } from "./process.js";
import { runningTime } from "./running-time.js";
import { temporaryFolder } from "./temporary.js";

const server = await testServer();
const folder = temporaryFolder();

/** Runs a command on the database of the running server, in a process of its own: where the server must notice the change. */
const ownProcess = (...args: readonly string[]) =>
  run("cli.ts", args, folder, { DATABASE_URL: server.databaseUrl }).finished;
const kalends = (...args: readonly string[]) => runHere(args, { DATABASE_URL: server.databaseUrl });
const json = async (...args: readonly string[]) => JSON.parse((await kalends(...args, "--json")).stdout);
const status = async (token: string, path = "/api/v1/calendars/list/") =>
  (await server.request(path, { headers: { Authorization: `Bearer ${token}` } })).status;

/** Waits until the server answers a token so. It remembers a token for two seconds. */
async function expectSoon(token: string, expected: number): Promise<void> {
  const began = runningTime();
  await expect.poll(() => status(token)).toBe(expected);
  expect(runningTime() - began).toBeLessThan(5_000);
}

test.runIf(process.platform === "linux")("a command fails whose output a full disk did not take", () => {
  const full = openSync("/dev/full", "a");
  const { status, stderr } = spawnSync(
    process.execPath,
    [...argumentsOf("cli.ts"), "account", "create", "--name", "Lost"],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, DATABASE_URL: server.databaseUrl },
      stdio: ["ignore", full, "pipe"],
    },
  );
  closeSync(full);
  expect(status).toBe(1);
  expect(String(stderr)).toMatch(
    /^What the command printed was not written: ENOSPC.* What it did is done\.\n$/,
  );
});

test("an account and its token work at once on the running server", async () => {
  const { stdout } = await ownProcess("account", "create", "--name", "X", "--json");
  expect(stdout).toMatch(/^\{"account_id":"[0-9]+","name":"X","token":"kal_[0-9A-Za-z]{49}"\}\n$/);
  expect(await status(JSON.parse(stdout).token)).toBe(200);
  const { accounts } = await json("account", "list");
  expect(accounts).toContainEqual({
    account_id: JSON.parse(stdout).account_id,
    name: "X",
    created_at: expect.any(Number),
    status: "active",
    stored_bytes: 0,
  });
});

test("the tokens of a disabled account are refused within seconds, its pages and feeds stay; enabled, all is as before", async () => {
  const { account_id, token } = await json("account", "create", "--name", "Parks");
  const made = await server.request(`/api/v1/calendars/create/?token=${token}&title=x`);
  const page = `/c/${made.body.calendar.uniquekey}`;
  const disabled = await ownProcess("account", "disable", account_id, "--json");
  expect(JSON.parse(disabled.stdout)).toEqual({ account_id, status: "disabled" });
  expect((await json("account", "list")).accounts).toContainEqual(
    expect.objectContaining({ account_id, name: "Parks", status: "disabled" }),
  );
  expect((await json("token", "list", "--account", account_id)).tokens).toMatchObject([
    { status: "account disabled" },
  ]);
  await expectSoon(token, 401);
  for (const path of [page, `${page}/x.ics`]) expect((await server.request(path)).status).toBe(200);
  const enabled = await ownProcess("account", "enable", account_id, "--json");
  expect(JSON.parse(enabled.stdout)).toEqual({ account_id, status: "active" });
  await expectSoon(token, 200);
});

test("a deleted account is gone with its tokens, calendars, events and the data of its followers; feeds answer 410", async () => {
  const { account_id, token } = await json("account", "create", "--name", "Canary4711");
  const account = testAccount(server.url, Number(account_id), token);
  const { calendar } = (await account.call("createCalendar", { title: "Canary4711", timezone: "UTC" })).body;
  await account.call("createEvent", {
    calendar_id: calendar.id,
    title: "Canary4711",
    start_date: "07/04/2027 13:30",
  });
  const { key } = await addFollower(server, account, calendar.id, { email: "canary4711@example.com" });
  const other = await server.account();
  await other.call("createCalendar", { title: "stays", timezone: "UTC" });

  // Without --yes nothing changes.
  const refused = await ownProcess("account", "delete", account_id);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("has 1 calendars with 1 events and 1 followers");
  expect(await status(token)).toBe(200);

  const { code, stdout } = await ownProcess("account", "delete", account_id, "--yes");
  expect([code, JSON.parse(stdout)]).toEqual([0, { account_id, status: "deleted", calendars: 1 }]);
  await expectSoon(token, 401);
  for (const path of [`/c/${calendar.uniquekey}`, `/f/${key}`, `/f/${key}/x.ics`])
    expect([path, (await server.request(path)).status]).toEqual([path, 410]);
  for (const table of ["accounts", "tokens", "calendars", "events", "subscribers"]) {
    const rows = await server.db.read(table).select("*");
    expect(JSON.stringify(rows)).not.toMatch(/canary4711/i);
  }
  expect(await server.db.read("tokens").where({ account_id }).pluck("id")).toEqual([]);
  expect((await other.call("listCalendars")).body.calendars).toHaveLength(1);
  for (const args of [
    ["delete", account_id, "--yes"],
    ["enable", account_id],
    ["rename", account_id, "--name", "x"],
  ])
    expect((await kalends("account", ...args)).stderr).toContain(`There is no account ${account_id}`);
});

test("a token can be read-only, is never shown again, and a revoked one is refused within seconds", async () => {
  const { account_id } = await json("account", "create", "--name", "Y");
  const made = await json(
    "token",
    "create",
    "--account",
    account_id,
    "--scope",
    "read",
    "--expires",
    "90d",
    "--name",
    "ci",
  );
  expect(made).toMatchObject({ account_id, name: "ci", scope: "read" });
  expect(await status(made.token)).toBe(200);
  expect(await status(made.token, "/api/v1/calendars/create/?title=x")).toBe(403);
  const listed = await kalends("token", "list");
  expect(listed.stdout).toContain(made.token.slice(-4));
  expect(listed.stdout).not.toContain(made.token);
  expect(listed.stdout).toContain('"last_used_at":');
  const revoked = await ownProcess("token", "revoke", made.token_id, "--json");
  expect(JSON.parse(revoked.stdout)).toEqual({
    token_id: made.token_id,
    status: "revoked",
  });
  await expectSoon(made.token, 401);
});

test("tokens are stored as SHA-256 only", async () => {
  const { token } = await json("account", "create", "--name", "Z");
  const rows = await server.db.read("tokens").select("*");
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4, 40));
});

test("an unknown command exits 2 with a hint", async () => {
  const { code, stdout, stderr } = await ownProcess("acount");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Did you mean account?");
});

describe("invalid arguments are refused with a hint", () => {
  for (const args of [
    ["account", "creat"],
    ["account", "create"],
    ["account", "create", "--name", " "],
    ["account", "list", "--jsn"],
    ["account", "list", "extra"],
    ["token", "create", "--account", "0"],
    ["token", "create", "--account", "1", "--scope", "admin"],
    ["token", "create", "--account", "1", "--expires", "soon"],
    ["token", "revoke"],
    ["move", "--from", "sqlite:a", "--to", "mysql://b"],
    ["move", "--from", "sqlite:a", "--to", "sqlite:b?mode=rw"],
    ["move", "--from", "sqlite:a", "--to", "postgres://me:se#cret@localhost/kalends"],
    [],
  ]) {
    test(`kalends ${args.join(" ")}`, async () => {
      const { exitCode, out, err } = await parse(args);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
      expect(err).toContain("--help");
      expect(err).not.toContain("cret@");
    });
  }
});

test("a failed command exits 1 and reports why", async () => {
  expect(await ownProcess("token", "revoke", "999999")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no token 999999"),
  });
  expect(await kalends("token", "create", "--account", "999999")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("account list"),
  });
});

const commands = [
  "",
  "serve",
  "migrate",
  "move",
  "account",
  "account create",
  "account list",
  "token",
  "token create",
  "token list",
  "token revoke",
  "demo",
];
for (const command of commands) {
  test(`kalends ${command} --help prints its usage`, async () => {
    const { exitCode, out } = await parse([...command.split(" ").filter(Boolean), "--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Usage: ${`kalends ${command}`.trim()}`);
  });
}
