import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import sqlite3 from "sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertAccount, insertToken } from "../src/accounts/queries.js";
import { hashToken } from "../src/accounts/tokens.js";
import { backup, restore } from "../src/cli/backup.js";
import { readConfig } from "../src/settings/config.js";
import { openDatabase } from "../src/db/open-database.js";
import { issueLink } from "../src/people/links.js";
import { insertPerson, putGrant } from "../src/people/queries.js";
import { type RunningServer, startServer } from "../src/process/server.js";
import { onPostgres } from "./databases.js";
import { type Answer, request, startOfTests, testAccount, type TestAccount } from "./harness.js";
import { cookieOf, ownerGrant, ownPage } from "./people.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

const token = "0123456789abcdef";
let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
});
const at = (name: string): string => join(folder, name);
const urlOf = (name: string): string => `sqlite:${at(name)}`;

function serve(name: string): Promise<RunningServer> {
  const config = readConfig({ PORT: "0", DATABASE_URL: urlOf(name), PAGE_SIZE: "1000" });
  return startServer({ config, log: pino({ level: "silent" }), clock: () => startOfTests });
}

/** Calls a function that opens files at once, without the rights of root. */
function asOrdinaryUser<T>(open: () => T): T {
  if (process.geteuid?.() !== 0) return open();
  chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return open();
  } finally {
    process.seteuid?.(0);
  }
}

/** Runs SQL on a file without the application's connection settings, so without foreign key checks. */
function change(name: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(at(name), sqlite3.OPEN_READWRITE, () => {
      database.exec(sql, (failure) => {
        database.close(() => (failure === null ? resolve() : reject(failure)));
      });
    });
  });
}

// These tests are about files; PostgreSQL has its own tools.
describe.skipIf(onPostgres)("SQLite", () => {
  let server: RunningServer;
  let account: TestAccount;
  const calendars: { readonly id: string; readonly uniquekey: string }[] = [];
  beforeAll(async () => {
    server = await serve("data/kalends.sqlite");
    const id = await server.db.transaction(async (trx) => {
      const row = await insertAccount(trx, { name: "Test", created_at: 0 });
      const fields = { name: "", scope: "write", created_at: 0, expires_at: null } as const;
      await insertToken(trx, { ...fields, account_id: row.id, hash: hashToken(token), last_four: "cdef" });
      return row.id;
    });
    account = testAccount(server.url, id, token);
    for (const title of ["Concerts", "Deadlines"])
      calendars.push((await account.call("createCalendar", { title })).body.calendar);
  });
  afterAll(() => server.stop());

  const titlesIn = async (client: TestAccount): Promise<readonly string[]> => {
    const lists = calendars.map(({ id }) => client.call("listEvents", { calendar_id: id }));
    const rows: readonly { title: string }[] = (await Promise.all(lists)).flatMap(({ body }) => body.events);
    return rows.map(({ title }) => title);
  };

  test("a backup taken under load has every event acknowledged before it, and no other", async () => {
    const acknowledged: string[] = [];
    const over = new AbortController();
    const writer = async (name: number): Promise<void> => {
      // All events of a calendar must fit on one page of a list.
      for (let count = 0; count < 400 && !over.signal.aborted; count++) {
        const title = `${name}-${count}`;
        const calendar_id = calendars[count % 2]?.id ?? "";
        const { status } = await account.call("createEvent", {
          calendar_id,
          title,
          start_date: "07/04/2027 13:30",
        });
        if (status === 200) acknowledged.push(title);
      }
    };
    const writers = [0, 1, 2, 3].map(writer);
    const before: (readonly string[])[] = [];
    for (const round of [0, 1, 2]) {
      const least = 20 * (round + 1);
      await expect.poll(() => acknowledged.length).toBeGreaterThan(least);
      before.push([...acknowledged]);
      await backup(urlOf("data/kalends.sqlite"), at(`load-${round}.sqlite`));
    }
    over.abort();
    await Promise.all(writers);
    for (const [round, titles] of before.entries()) {
      await restore(urlOf(`load-${round}/kalends.sqlite`), at(`load-${round}.sqlite`), startOfTests);
      const restored = await serve(`load-${round}/kalends.sqlite`);
      const found = await titlesIn(testAccount(restored.url, account.id, token));
      await restored.stop();
      expect(titles.filter((title) => !found.includes(title))).toEqual([]);
      expect(found.filter((title) => !acknowledged.includes(title))).toEqual([]);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  test("a restored backup answers as the server did, and reuses no feed version that a client may have", async () => {
    const paths = ["list", "events/list", "subscribers/list"].flatMap((list) =>
      calendars.map(({ id }) => `/api/v1/calendars/${list}/?token=${token}&calendar_id=${id}`),
    );
    const feeds = calendars.map(({ uniquekey }) => `/c/${uniquekey}/x.ics`);
    // Restoring changes LAST-MODIFIED.
    const unstamped = ({ text }: Answer): string => text.replace(/^(LAST-MODIFIED:).*$/m, "$1");
    // One after the other: at once, some would be refused on a busy machine.
    const readAll = async (url: string) => {
      const texts: string[] = [];
      for (const path of [...paths, ...feeds]) texts.push(unstamped(await request(`${url}${path}`)));
      return texts;
    };
    const answers = await readAll(server.url);
    expect(answers.join("")).toContain("BEGIN:VEVENT");

    const settings = { DATABASE_URL: urlOf("data/kalends.sqlite") };
    const made = await run("cli.ts", ["backup", "copy.sqlite", "--json"], folder, settings).finished;
    expect(JSON.parse(made.stdout)).toMatchObject({
      file: join(realpathSync(folder), "copy.sqlite"),
      accounts: 1,
      calendars: 2,
    });
    // This event is lost by the restore, but clients have its feed version.
    await account.call("createEvent", {
      calendar_id: calendars[0]?.id ?? "",
      title: "Lost",
      start_date: "07/05/2027 13:30",
    });
    const etag = (await request(`${server.url}${feeds[0]}`)).headers.get("ETag") ?? "";

    const elsewhere = { DATABASE_URL: urlOf("elsewhere/kalends.sqlite") };
    const { code, stdout } = await run("cli.ts", ["restore", "copy.sqlite"], folder, elsewhere).finished;
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('"calendars":2') });
    const restored = await serve("elsewhere/kalends.sqlite");
    expect(await readAll(restored.url)).toEqual(answers);
    const again = testAccount(restored.url, account.id, token);
    await again.call("createEvent", {
      calendar_id: calendars[0]?.id ?? "",
      title: "Other",
      start_date: "07/05/2027 13:30",
    });
    const headers = { "If-None-Match": etag };
    expect((await request(`${restored.url}${feeds[0]}`, { headers })).text).toContain("Other");
    await restored.stop();
  });

  test("a restored backup knows the people, their grants, sessions, links and passkeys; no secret of them is in it", async () => {
    const now = startOfTests;
    const person = { account_id: account.id, name: "Ada", email: "", language: "", created_at: now };
    const newLink = (id: number) =>
      server.db.transaction(async (trx) => (await issueLink(trx, id, "join", now)).secret);
    const { id } = await server.db.transaction(async (trx) => {
      const row = await insertPerson(trx, person);
      await putGrant(trx, { ...ownerGrant, person_id: row.id });
      const times = { created_at: now, used_at: now };
      const passkey = {
        ...times,
        person_id: row.id,
        counter: 1,
        synced: 0,
        public_key: "x",
        device: "Phone",
      };
      await trx("passkeys").insert({ ...passkey, credential_id: "y" });
      return row;
    });
    const open = (url: string, link: string) =>
      request(`${url}/console/api/session/open/`, {
        method: "POST",
        headers: ownPage,
        body: JSON.stringify({ link }),
      });
    const cookie = cookieOf(await open(server.url, await newLink(id)));
    const link = await newLink(id);
    const read = async (url: string) => {
      const texts: string[] = [];
      for (const path of ["session", "people/list", "sessions/list", "passkeys/list"]) {
        const headers = { ...ownPage, Cookie: cookie };
        texts.push((await request(`${url}/console/api/${path}/`, { headers })).text);
      }
      return texts;
    };
    const before = await read(server.url);
    expect(before.join()).toContain('"device":"Phone"');
    await backup(urlOf("data/kalends.sqlite"), at("people.sqlite"));
    const bytes = readFileSync(at("people.sqlite"));
    for (const secret of [link, cookie.split("=")[1] ?? "", token]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(bytes.includes(secret)).toBe(false);
    }
    await restore(urlOf("people/kalends.sqlite"), at("people.sqlite"), now);
    const restored = await serve("people/kalends.sqlite");
    expect(await read(restored.url)).toEqual(before);
    expect((await open(restored.url, link)).status).toBe(200);
    await restored.stop();
  });

  test("a backup is readable only by its owner, and no temporary file is left", async () => {
    await backup(urlOf("data/kalends.sqlite"), at("private.sqlite"));
    expect(statSync(at("private.sqlite")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => /part|-wal|-shm/.test(name))).toEqual([]);
  });

  test("a backup and a restore remove what killed ones left, and nothing of those that run", async () => {
    const running = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
    const killed = spawn(process.execPath, ["-e", ""]);
    await once(killed, "exit");
    const leftover = (name: string, pid: number | undefined) => `${name}.${hostname()}-${pid}-0123abcd.part`;
    const folderOf = (name: string) => (name === "old.sqlite" ? folder : at("left"));
    mkdirSync(at("left"));
    for (const name of ["old.sqlite", "kalends.sqlite"])
      for (const part of [
        leftover(name, killed.pid),
        `${leftover(name, killed.pid)}-wal`,
        leftover(name, running.pid),
      ])
        writeFileSync(join(folderOf(name), part), "");
    await backup(urlOf("data/kalends.sqlite"), at("new.sqlite"));
    await restore(urlOf("left/kalends.sqlite"), at("new.sqlite"), 0);
    for (const name of ["old.sqlite", "kalends.sqlite"]) {
      const parts = readdirSync(folderOf(name)).filter((file) => file.includes(".part"));
      expect(parts).toEqual([leftover(name, running.pid)]);
      rmSync(join(folderOf(name), leftover(name, running.pid)));
    }
    running.kill();
  });

  test("an existing file is not overwritten, and a missing database is not created", async () => {
    writeFileSync(at("precious"), "x");
    await expect(backup(urlOf("data/kalends.sqlite"), at("precious"))).rejects.toThrow("already exists");
    await expect(backup(urlOf("data/kalends.sqlite"), at("data/kalends.sqlite"))).rejects.toThrow(
      "already exists",
    );
    await expect(backup(urlOf("nowhere/kalends.sqlite"), at("nothing.sqlite"))).rejects.toThrow(
      "kalends.sqlite does not exist",
    );
    expect(readdirSync(folder)).not.toContain("nowhere");
    await expect(restore(urlOf("data/kalends.sqlite"), at("nothing.sqlite"), 0)).rejects.toThrow(
      "nothing.sqlite does not exist",
    );
  });

  test("restore refuses while a server has the database open", async () => {
    await backup(urlOf("data/kalends.sqlite"), at("held.sqlite"));
    await expect(restore(urlOf("data/kalends.sqlite"), at("held.sqlite"), 0)).rejects.toThrow(
      "Stop it, then try again",
    );
    expect((await account.call("createCalendar", { title: "x" })).status).toBe(200);
    expect(readdirSync(at("data")).toSorted()).toEqual(
      ["", "-shm", "-wal"].map((end) => `kalends.sqlite${end}`),
    );
  });

  describe("restore refuses a backup that", () => {
    test.each([
      ["is not a database", "", "not a database"],
      ["is truncated", "", "malformed"],
      ["has wrong counters", "update calendars set events_total = 7", "counts otherwise"],
      ["has dangling references", "delete from accounts", "refer to what is not there"],
      ["has a newer schema", "insert into migrations values ('9999_next', 0)", "newer version"],
    ])("%s", async (name, sql, complaint) => {
      const file = `${name}.sqlite`;
      await backup(urlOf("data/kalends.sqlite"), at(file));
      if (name === "is not a database") writeFileSync(at(file), Buffer.alloc(4096, 1), { flag: "r+" });
      else if (name === "is truncated") truncateSync(at(file), statSync(at(file)).size - 8192);
      else await change(file, sql);
      await expect(restore(urlOf("refused/kalends.sqlite"), at(file), 0)).rejects.toThrow(complaint);
      expect(readdirSync(folder)).not.toContain("refused");
    });
  });

  test("what the user of the command may not read or write is named, and nothing is left behind", async () => {
    mkdirSync(at("rights"));
    writeFileSync(at("rights/root.sqlite"), "", { mode: 0 });
    chmodSync(at("data"), 0o755);
    chmodSync(at("rights"), 0o555);
    const [written, read] = asOrdinaryUser(() => [
      backup(urlOf("data/kalends.sqlite"), at("rights/copy.sqlite")),
      restore(urlOf("other/kalends.sqlite"), at("rights/root.sqlite"), startOfTests),
    ]);
    await expect(written).rejects.toThrow(`This user may not write to ${at("rights")}: nothing was changed.`);
    await expect(read).rejects.toThrow(`This user may not read ${at("rights/root.sqlite")}`);
    expect(readdirSync(at("rights"))).toEqual(["root.sqlite"]);
    chmodSync(at("rights"), 0o755);
  });

  test("restore keeps the replaced database, also one that cannot be opened", async () => {
    await backup(urlOf("data/kalends.sqlite"), at("good.sqlite"));
    const url = urlOf("lost/kalends.sqlite");
    await restore(url, at("good.sqlite"), startOfTests);
    writeFileSync(at("lost/kalends.sqlite"), "this was a database");
    await restore(url, at("good.sqlite"), startOfTests);
    await restore(url, at("good.sqlite"), startOfTests + 1);
    await restore(url, at("good.sqlite"), startOfTests + 1); // in the same second
    expect(readdirSync(at("lost")).toSorted()).toEqual([
      "kalends.sqlite",
      "kalends.sqlite.before-20260702T120000Z",
      "kalends.sqlite.before-20260702T120001Z",
      "kalends.sqlite.before-20260702T120001Z-2",
    ]);
    const db = await openDatabase(urlOf("lost/kalends.sqlite.before-20260702T120001Z"));
    expect(await db.read("calendars").where({ title: "Concerts" })).toHaveLength(1);
    await db.close();
  });
});

test("on PostgreSQL the commands report its own tools, without the password, and do nothing", async () => {
  const url = "postgres://kalends:secret@127.0.0.1/kalends";
  const fileArgument = String.raw`'it'\''s.dump'`;
  const refused = [backup(url, "it's.dump"), restore(url, "it's.dump", 0)].map(async (done) =>
    done.then(String, ({ message }: Error) => message),
  );
  const [dump = "", load = ""] = await Promise.all(refused);
  expect(dump).toMatch(/^Nothing was done[^]*pg_dump --format=custom/);
  expect(load).toMatch(/^Nothing was done[^]*drop schema public[^]*pg_restore --no-owner[^]*feed_version/);
  for (const text of [dump, load]) {
    expect(text).toContain(fileArgument);
    expect(text).not.toContain("secret");
  }
});
