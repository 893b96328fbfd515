import { setTimeout } from "node:timers/promises";
import { postgresAddress } from "../postgres/tls.js";
import { addressOf } from "./open.js";
import { openReplicaPool, ReplicaFailure } from "./pool.js";
import { createWalPosition } from "./wal-position.js";

/** A server asks again too: a first connection may take longer than a read waits for one. */
const tries = 4;
const pauseMs = 500;

/** Returns why a server would not read the replica; undefined when it would. @throws Error for a URL that stops its start */
export async function checkReplica(primaryUrl: string, url: string): Promise<ReplicaFailure | undefined> {
  const pool = openReplicaPool(addressOf(url));
  const written = createWalPosition(postgresAddress(primaryUrl));
  try {
    for (let left = tries - 1; ; left--) {
      try {
        const position = await written.ask();
        await pool.read(position, () => Promise.resolve());
        return undefined;
      } catch (error) {
        if (left === 0)
          return error instanceof ReplicaFailure
            ? error
            : new ReplicaFailure("cannot be compared with the primary", error);
      }
      await setTimeout(pauseMs);
    }
  } finally {
    await Promise.all([written.close(), pool.close()]);
  }
}
