import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns a free port of 127.0.0.1, for programs that cannot listen on port 0. It is below the ephemeral range, whose ports the
 * system may assign to another process at any time, and is returned once in a run of the tests.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (isFirst(port) && (await isFree(port))) return port;
  }
}

/** Makes a folder for the port in the temporary folder of the run, which all its processes share. */
function isFirst(port: number): boolean {
  try {
    mkdirSync(join(tmpdir(), `port-${port}`));
    return true;
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
