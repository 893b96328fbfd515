import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { startTestServer, type TestServer } from "./harness.js";
import { ids, type PostgresServer, startPostgres } from "./postgres.js";
import { randomFrom } from "./random.js";

// What the server does on a full disk: the tables are on a file system of 48 MB, the log of PostgreSQL is on another one, since without
// room for its log PostgreSQL ends.

/** Runs `work` with a small file system; undefined where it cannot be mounted, as only root may, and not in each container. */
async function onSmallDisk<T>(work: (folder: string) => Promise<T>): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  try {
    return await work(folder);
  } finally {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  }
}

const canMount = (await onSmallDisk(() => Promise.resolve(true))) ?? false;

/** Makes a database on that disk. Returns its URL. */
async function databaseOn(folder: string, { url }: PostgresServer): Promise<string> {
  const { uid = 0, gid = 0 } = ids();
  chownSync(folder, uid, gid);
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query(`create tablespace small location '${folder}'`);
  await client.query("create database full_disk tablespace small");
  await client.end();
  return `${url}/full_disk`;
}

/** Takes all room that is left. Returns a function that gives it back. */
function fill(folder: string): () => void {
  const file = join(folder, "filler");
  for (const size of [1024 * 1024, 4096])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  return () => rmSync(file, { force: true });
}

/** A text that is stored as long as it is: PostgreSQL compresses one of few letters. */
function longText(seed: number): string {
  const random = randomFrom(seed);
  return Array.from({ length: 4_000 }, () => random().toString(36).slice(2, 12).padEnd(10, "x")).join("");
}

async function expectHealing(server: TestServer, folder: string): Promise<void> {
  const account = await server.account();
  const { id: calendar_id } = (await account.call("createCalendar", { title: "x" })).body.calendar;
  const event = { calendar_id, title: "x", start_date: "07/04/2026 13:30" };
  const create = (seed: number) => account.call("createEvent", { ...event, description: longText(seed) });
  const stored = async () => (await account.call("listEvents", { calendar_id })).body.calendar.events_count;
  const readiness = async () => (await server.request("/readyz")).status;
  const empty = fill(folder);
  try {
    const statuses: number[] = [];
    for (let index = 0; index < 100 && statuses.at(-1) !== 507; index++)
      statuses.push((await create(index)).status);
    const created = statuses.length - 1;
    expect(statuses).toEqual([...Array<number>(created).fill(200), 507]);
    expect(await stored()).toBe(created);
    const refused = await Promise.all([1, 2, 3].map(create));
    for (const { status, body } of refused)
      expect([status, body.meta.error_type]).toEqual([507, "storage_full"]);
    expect(await stored()).toBe(created);
    empty();
    await expect.poll(async () => (await create(101)).status, { timeout: 20_000 }).toBe(200);
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    expect(await stored()).toBe(created + 1);
  } finally {
    empty();
  }
}

test.skipIf(!canMount)(
  "on a full disk a write is a 507 that changes nothing, reads go on, and writes do once there is room",
  async () => {
    const postgres = await startPostgres();
    try {
      await onSmallDisk(async (folder) => {
        const server = await startTestServer({ DATABASE_URL: await databaseOn(folder, postgres) });
        try {
          await expectHealing(server, folder);
        } finally {
          await server.stop();
        }
      });
    } finally {
      await postgres.remove();
    }
  },
);
