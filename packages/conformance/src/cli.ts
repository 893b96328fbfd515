#!/usr/bin/env node
import { main } from "./program.js";

const interruption = new AbortController();
let askedAt: number | undefined;
/** npx passes Ctrl-C on, so it comes twice at once: only a later one counts as the second. */
const sameSignalMs = 1_000;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    const now = performance.now();
    // The calendars of the run stay, and `cleanup` deletes them.
    if (askedAt !== undefined && now - askedAt > sameSignalMs) process.exit(130);
    if (askedAt !== undefined) return;
    askedAt = now;
    process.stderr.write("\nInterrupted: deleting what was made. Once more to stop at once.\n");
    interruption.abort();
  });
}

// A closed pipe (`| head`) must not end a run that still has calendars to delete.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  env: process.env,
  signal: interruption.signal,
});
