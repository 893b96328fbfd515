import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

// Files that are written under a temporary name first. A process that is killed leaves its own behind.

/** Names of SQLite's own files beside a database. */
const sidecars = ["", "-wal", "-shm", "-journal"] as const;

/** After this long a leftover of another machine, or of a process that cannot be found, may be removed, in ms. */
const abandonedMs = 24 * 60 * 60 * 1000;

const machine = hostname().replaceAll(/[^\w-]/g, "_");

/** Removes what killed processes left in the folder of `file`, and returns a new name for a file that becomes `file`. */
export function partOf(file: string): string {
  for (const name of readdirSync(dirname(file))) {
    const leftover = join(dirname(file), name);
    if (isLeftover(leftover)) rmSync(leftover, { force: true });
  }
  return `${file}.${machine}-${process.pid}-${randomBytes(4).toString("hex")}.part`;
}

/** Removes a file of that name and those that SQLite made beside it. */
export function removePart(part: string): void {
  for (const suffix of sidecars) rmSync(`${part}${suffix}`, { force: true });
}

/** The first two groups are missing in names of earlier versions. */
const partName = /\.(?:([\w-]+)-([0-9]+)-)?[0-9a-f]{8}\.part(?:-wal|-shm|-journal)?$/;

function isLeftover(path: string): boolean {
  const match = partName.exec(basename(path));
  if (match === null) return false;
  const [, owner, pid] = match;
  if (owner === machine) return !isRunning(Number(pid));
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}

/** Reports whether another process has that id. This one has written nothing yet. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
