import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { findSync, insertSync, lockSync, updateSync } from "../src/files/sync-queries.js";
import { type SyncContext, syncQueue } from "../src/files/sync-run.js";
import { createResolve } from "../src/webhooks/ssrf-guard.js";
import { calendarFile } from "./calendar-files.js";
import type { TestServer } from "./harness.js";

/** Syncs of a file that this process serves. */
export async function startSource(server: TestServer) {
  let file = "";
  const source = createServer((_req, res) => res.writeHead(200).end(file));
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = source.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/town.ics`;
  const context: SyncContext = {
    db: server.db,
    log: pino({ level: "silent" }),
    clock: () => server.now,
    sending: { allowsPrivate: true, resolve: createResolve() },
    userAgent: "test",
    signal: new AbortController().signal,
  };
  return {
    newSync: async (account_id: number, calendarId: string): Promise<number> => {
      const { id } = await server.db.transaction((trx) =>
        insertSync(trx, {
          account_id,
          calendar_id: Number(calendarId),
          url,
          every_seconds: 3_600,
          next_at: server.now,
          created_at: server.now,
        }),
      );
      return id;
    },
    /** Runs a sync with a file. Returns what it did, or why it failed. */
    sync: async (id: number, ...events: readonly string[]): Promise<string> => {
      file = calendarFile(...events);
      await server.db.transaction(async (trx) => {
        const row = await lockSync(trx, { id });
        if (row !== undefined) await updateSync(trx, row, { next_at: server.now });
      });
      const tasks = await syncQueue(context).due([]);
      await tasks.find((task) => task.id === id)?.run();
      const row = await findSync(server.db.read, id);
      return row?.error || row?.report || "";
    },
    stop: async (): Promise<void> => {
      source.closeAllConnections();
      await new Promise((resolve) => source.close(resolve));
    },
  };
}
