import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Sets a new temporary folder for this process and its children. When this process ends in any way, the folder is deleted and
 * the servers in it are stopped.
 */
export function useOwnTemporaryFolder(): void {
  if (process.env.KALENDS_TEST_FOLDER !== undefined) return; // vitest reads its settings for each project
  const folder = mkdtempSync(join(tmpdir(), "kalends-tests-"));
  chmodSync(folder, 0o755); // PostgreSQL, and a container's server, run as other users
  process.env.KALENDS_TEST_FOLDER = folder;
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  const keeper = fileURLToPath(new URL("keeper.mjs", import.meta.url));
  spawn(process.execPath, [keeper, folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] }).unref();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** Makes a folder that is there until the tests end. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "kalends-"));
}
