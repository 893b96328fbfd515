import type { Knex } from "knex";
import type { ChangeCounter } from "./change-counter.js";
import { type HeldConnection, queryOn } from "./statements.js";

// The write-ahead log is copied into the database file from time to time. SQLite does it in the commit that finds the log long, and
// the only writer waits; after a large commit that takes as long as the commit.

/** Frames, pages of 4 KiB, that wait to be copied: from `few` on they are copied, and from `many` on while others write. */
const [few, many] = [1_000, 4_000];

/** At so many frames SQLite copies them itself, such as where its index cannot be read. */
export const ownCheckpoint = 25_000;

const copy = "PRAGMA wal_checkpoint(PASSIVE)";

type Run = (sql: string) => Promise<unknown>;

export interface Checkpoints extends Pick<HeldConnection, "held"> {
  /** Call it after each commit with the connection of the writer. What it returns is awaited before the next transaction. */
  committed(writer: Run): Promise<unknown> | undefined;
  /** Waits for what runs. */
  close(): Promise<void>;
}

/** @param pool not the writer's: a connection of it is held */
export function watchCheckpoints(
  { waitingFrames }: Pick<ChangeCounter, "waitingFrames">,
  pool: Knex,
): Checkpoints {
  const beside = queryOn(pool);
  let running: Promise<unknown> | undefined;
  const attempt = async (run: Run): Promise<void> => {
    await run(copy).catch(() => undefined); // the frames stay, and are copied after a later commit
    running = undefined;
  };
  return {
    committed: (writer) => {
      const waiting = waitingFrames();
      if (running !== undefined || waiting < few) return undefined;
      running = attempt(waiting < many ? writer : (sql) => beside.query(sql, []));
      return waiting < many ? running : undefined;
    },
    held: beside.held,
    close: async () => {
      await running;
      await beside.close();
    },
  };
}
