import { expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { onPostgres } from "./databases.js";
import { testServer } from "./harness.js";

const server = await testServer();
const account = await server.account();
const calendar_id: string = (await account.call("createCalendar", { title: "x" })).body.calendar.id;

const create = (description = "") =>
  account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 13:30", description });
const count = async () => (await account.call("listEvents", { calendar_id })).body.calendar.events_count;

// PostgreSQL has no such lock; its full disk is in full-disk.postgres.deep.test.ts.
test.skipIf(onPostgres)(
  "while another process holds the database, reads go on and a write is a 503 with Retry-After",
  async () => {
    const other = await openDatabase(`sqlite:${server.databaseFile}`);
    const before = await count();
    await other.transaction(async () => {
      const refused = await create();
      expect(refused.status).toBe(503);
      expect(refused.body.meta.error_type).toBe("overloaded");
      expect(refused.headers.get("Retry-After")).toBe("1");
      expect(await count()).toBe(before);
    });
    await other.close();
    expect((await create()).status).toBe(200);
    expect(await count()).toBe(before + 1);
  },
);

test.skipIf(onPostgres)(
  "when storage is full a write is a 507 that changes nothing, reads go on, and it heals",
  async () => {
    const before = await count();
    const pages = async (most: number) =>
      server.db.transaction((trx) => trx.raw(`PRAGMA max_page_count = ${most}`));
    await pages(1); // SQLite takes the pages in use as the least
    const refused = await create("x".repeat(60_000));
    expect(refused.status).toBe(507);
    expect(refused.body.meta.error_type).toBe("storage_full");
    expect(await count()).toBe(before);
    await pages(1_000_000);
    expect((await create("x".repeat(60_000))).status).toBe(200);
    expect(await count()).toBe(before + 1);
  },
);
