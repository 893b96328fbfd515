import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Everything that tests put into the temporary folder lies in one folder in it, which goes when they end, however. */
export function setup(): void {
  if (process.env.KALENDS_TEST_FOLDER !== undefined) return; // of another project of the same run
  const folder = mkdtempSync(join(tmpdir(), "kalends-tests-"));
  chmodSync(folder, 0o755); // PostgreSQL, and a container's server, run as other users
  process.env.KALENDS_TEST_FOLDER = folder;
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  const keeper = fileURLToPath(new URL("keeper.mjs", import.meta.url));
  spawn(process.execPath, [keeper, folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] }).unref();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
