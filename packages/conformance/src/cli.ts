#!/usr/bin/env node
import { main } from "./program.js";

const interruption = new AbortController();
let askedAt: number | undefined;
/** npx passes Ctrl-C on, so that it comes twice at once; the second time is meant only later. */
const sameSignalMs = 1_000;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    const now = performance.now();
    // What was made stays then, and `cleanup` deletes it.
    if (askedAt !== undefined && now - askedAt > sameSignalMs) process.exit(130);
    if (askedAt !== undefined) return;
    askedAt = now;
    process.stderr.write("\nInterrupted: deleting what was made. Once more to stop at once.\n");
    interruption.abort();
  });
}

// A reader that goes away (`| head`) must not end a run that still has things to delete.
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
