import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { LogOutput } from "./log-output.js";

/**
 * Returns a descriptor of stdout whose writes do not block when a reader stalls: a blocked write would hold up the exit of the
 * process. Processes that share a descriptor share its mode too, so it is opened again where the system can do that.
 */
export function openStdout(): number {
  // The first use makes a pipe or a socket non-blocking. A console.log that fails must not end the process.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  // A file opened again would be written from its beginning. Not by fstatSync: after that of a pipe, realpathSync of Node 20
  // breaks off, and `import` takes a symbolic link for its target.
  if (!(process.stdout instanceof Socket)) return 1;
  try {
    return openSync("/dev/stdout", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 1; // a socket, or a pipe of another user
  }
}

/** Prints whole lines, at once, to where a log goes: its lines and these do not stand within one another. */
export function printLines(lines: string, output: LogOutput): void {
  output.write(lines);
  output.flush();
}
