import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Returns a free port of 127.0.0.1, for programs that cannot listen on port 0. It is below the ephemeral range, whose ports the
 * system may assign to another process at any time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
