import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = mkdtempSync(join(tmpdir(), "kalends-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

/** Creates a temporary folder, which is deleted when the process exits. TMPDIR should be on a disk, since writes are measured. */
export function scratchFolder(): string {
  return mkdtempSync(join(root, "x"));
}
