import { setTimeout } from "node:timers/promises";
import { holdSqlite } from "./sqlite/file.js";
import { sqlitePath } from "./url.js";

/** A PostgreSQL session may outlive its client by a moment: number of checks, and the pause between, in ms. */
const [mostLooks, pauseMs] = [5, 200];

/** Reports whether another process has a database open. This process must not. */
export async function isInUse(url: string): Promise<boolean> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    const release = await holdSqlite(path);
    await release?.();
    return release === undefined;
  }
  const { hasSessions } = await import("./postgres/exclusive.js");
  for (let look = 1; await hasSessions(url); look++) {
    if (look === mostLooks) return true;
    await setTimeout(pauseMs);
  }
  return false;
}
