import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { createTestDatabase } from "./databases.js";

// BEGIN is sent with the first statement of its transaction. Some poolers, and a cancelled BEGIN, answer with an error that leaves the
// session as it is: what was sent with it then runs without a transaction, and must write nothing.

/** Starts a proxy that has statements with a text fail, and passes on all else. */
async function startRefusing(target: string) {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const state = { refused: 0, refuses: "" };
  const proxy = createServer((client) => {
    const server = connect({ host: to.hostname, port: Number(to.port) });
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => into.destroy());
    }
    server.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => {
      const at = state.refuses === "" ? -1 : bytes.indexOf(state.refuses);
      if (at === -1) return server.write(bytes);
      state.refused++;
      // The simple query becomes one that fails, of the same length.
      const changed = Buffer.from(bytes);
      changed.write("FAILS", at);
      return server.write(changed);
    });
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  const address = proxy.address();
  const url = new URL(target);
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  return { url: url.href, state, stop };
}

const database = await createTestDatabase("migrated");
const proxy = await startRefusing(database.url);
const direct = await openDatabase(database.url);
let db: Database;
beforeAll(async () => {
  db = await openDatabase(proxy.url);
});
afterAll(async () => {
  await db.close();
  await direct.close();
  proxy.stop();
  await database.remove();
});

let number = 0;
const write = () => `insert into properties (name, value) values ('begin ${++number}', 'x')`;
const written = () => direct.query(`select name from properties where name like 'begin %'`, []);

async function refused(work: () => Promise<unknown>, refuses = "BEGIN"): Promise<void> {
  proxy.state.refuses = refuses;
  const before = proxy.state.refused;
  try {
    await expect(work()).rejects.toThrow(/syntax error/);
  } finally {
    proxy.state.refuses = "";
  }
  expect(proxy.state.refused).toBeGreaterThan(before);
  expect(await written()).toEqual([]);
}

test("the first statement of a transaction whose BEGIN failed writes nothing", () =>
  refused(() => db.transaction((trx) => trx.query(write(), []))));

test("nor do statements that are sent together, whatever the first one is", () =>
  refused(() =>
    db.transaction((trx) =>
      Promise.all([trx.query("select 1 as one", []), trx.query(write(), []), trx.query(write(), [])]),
    ),
  ));

test("nor does what a transaction runs although its first statement failed", () =>
  refused(() =>
    db.transaction(async (trx) => {
      await trx.query("select 1 as one", []).catch(() => undefined);
      await trx.query(write(), []).catch(() => undefined);
      await trx.raw(write()).catch(() => undefined);
    }),
  ));

test("nor does a single statement, which has a transaction of its own", () =>
  refused(() => db.query(write(), [])));

test("nor does a query of Knex, or one in a transaction inside of another", async () => {
  await refused(() => db.read.raw(write()));
  await refused(() => db.transaction((trx) => trx.transaction((inner) => inner.raw(write()))));
});

test("nor does what is sent without waiting for it", () =>
  refused(() =>
    db.transaction((trx) => {
      for (let count = 0; count < 3; count++) trx.send(write(), []);
      return Promise.resolve();
    }),
  ));

test("a transaction whose ROLLBACK fails is in no later one of its connection", async () => {
  const failing = async (): Promise<void> => {
    await db.transaction(async (trx) => {
      await trx.query(write(), []);
      proxy.state.refuses = "ROLLBACK";
      throw new Error("not this one");
    });
  };
  await expect(failing()).rejects.toThrow("not this one");
  proxy.state.refuses = "";
  for (let round = 0; round < 20; round++) await db.transaction((trx) => trx.raw("select 1"));
  expect(await written()).toEqual([]);
});

test("a session whose COMMIT failed runs no later query", async () => {
  const committed = db.transaction(async (trx) => {
    await trx.query(write(), []);
    proxy.state.refuses = "COMMIT";
  });
  await expect(committed).rejects.toThrow(/syntax error/);
  proxy.state.refuses = "";
  for (let round = 0; round < 20; round++)
    expect(await db.query("select 1 as one", [])).toEqual([{ one: 1 }]);
  expect(await written()).toEqual([]);
});

test("a failure of another kind leaves the names of prepared statements in use", async () => {
  // Whether names are used is of a process, and the tests of other files have lost one in this.
  vi.resetModules();
  const own = await import("../src/db/open-database.js");
  const fresh = await own.openDatabase(database.url);
  const twice = write();
  const failing = fresh.transaction((trx) => {
    for (const sql of [twice, twice, "select 'unprepared'", "select 'unprepared'"]) trx.send(sql, []);
    return Promise.resolve();
  });
  await expect(failing).rejects.toThrow(/unique/);
  const sql = "select 'named' as text";
  const named = await fresh.transaction(async (trx) => {
    await trx.query(sql, []);
    return trx.query(`select name from pg_prepared_statements where statement = $1`, [sql]);
  });
  expect(named).toHaveLength(1);
  await fresh.close();
});

test("a BEGIN that fails halfway, with its time limits, writes nothing and leaves no session in it", async () => {
  await refused(() => db.query(write(), []), "SET LOCAL");
  await refused(() => db.transaction((trx) => trx.query(write(), [])), "SET LOCAL");
  await refused(() => db.query("select 1 as one", []), "SET LOCAL");
  await refused(() => db.transaction(() => Promise.resolve()), "SET LOCAL");
  for (let round = 0; round < 20; round++)
    expect(await db.query("select 1 as one", [])).toEqual([{ one: 1 }]);
});

test("afterwards the same connections write, in the order of the calls", async () => {
  const sql = (value: string) => `update properties set value = value || '${value}' where name = 'order'`;
  await db.transaction((trx) =>
    Promise.all([
      trx.query(`insert into properties (name, value) values ('order', '')`, []),
      ...["a", "b", "c"].map((value) => trx.query(sql(value), [])),
    ]),
  );
  await db.transaction((trx) =>
    Promise.all([
      trx.query("select 1 as one", []),
      ...["d", "e", "f"].map((value) => trx.query(sql(value), [])),
    ]),
  );
  expect(await direct.query(`select value from properties where name = 'order'`, [])).toEqual([
    { value: "abcdef" },
  ]);
});
