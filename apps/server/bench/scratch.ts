import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = mkdtempSync(join(tmpdir(), "kalends-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

/** A new folder that is gone when this process is, also when it fails. It should be on a disk: writes are measured there. */
export function scratchFolder(): string {
  return mkdtempSync(join(root, "x"));
}
