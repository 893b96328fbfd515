import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { readTables } from "./file.js";

/**
 * Refuses the database of another program and leaves it as it is: opening it would turn WAL on, and migrations would add tables.
 * Lets pass what cannot be read, since opening it says why.
 * @throws Error which names the file
 */
export async function requireOwnFile(path: string): Promise<void> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const log = `${resolve(path)}-wal`;
  const hadLog = existsSync(log);
  let found = await readTables(path, "immutable").catch(() => undefined);
  if (found === undefined || found.areOurs) return;
  // With a log the file alone may be older or half of a checkpoint. Where there is shared memory, reading makes no file.
  if ((hadLog || existsSync(log)) && existsSync(`${resolve(path)}-shm`))
    found = await readTables(path, "shared").catch(() => undefined);
  if (found === undefined || found.areOurs || found.first === undefined) return;
  throw new Error(
    `The file ${path} is the database of another program: it has the table ${found.first}, and none of Kalends. It was not changed: name another file.`,
  );
}
