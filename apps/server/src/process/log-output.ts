import { writev, writevSync, constants, openSync } from "node:fs";
import { codeOf } from "../db/error-code.js";
import { Socket } from "node:net";

/** Takes log lines and writes them later. Never throws and never blocks: lines that cannot be written are counted. */
export interface LogOutput {
  write(lines: string): void;
  /** Starts to write the buffered lines. */
  flush(): void;
  /** Writes all buffered lines that it can within 300 ms, before the process exits. */
  flushSync(): void;
}

/** Lines are buffered up to this size: a write for each would cost as much as the response to a poll. */
const pieceBytes = 8 * 1024;
const gatherMs = 1_000;

/** Most buffers of one write. */
const mostPieces = 64;

/** Memory for waiting lines, in bytes. When it is full, lines are dropped until half of it has been written. */
const waitingLimitBytes = 1024 * 1024;

/** Pauses before retries of a failed write, in ms: from the first, doubled each time, up to the last. */
const retryMs = { first: 10, last: 1_000 } as const;

/** How long the exit waits for a slow reader, and how often it retries, in ms. */
const exitLimitMs = 300;
const exitRetryMs = 10;

/**
 * Opens an output to a non-blocking descriptor. `reportLost` logs the number of dropped lines, once lines are accepted again.
 */
export function openLogOutput(fd: number, reportLost: (lines: number) => void): LogOutput {
  const queue = createQueue(reportLost);
  let inFlight = 0; // pieces
  let retry: NodeJS.Timeout | undefined;
  let delayMs: number = retryMs.first;

  function writeNext(): void {
    if (inFlight > 0 || retry !== undefined) return;
    const pieces = queue.next(0);
    if (pieces.length === 0) return;
    inFlight = pieces.length;
    writev(fd, pieces, (error, bytes) => {
      inFlight = 0;
      if (error !== null) {
        retryLater();
        return;
      }
      delayMs = retryMs.first;
      queue.remove(0, bytes);
      writeNext();
    });
  }

  function retryLater(): void {
    retry = setTimeout(() => {
      retry = undefined;
      writeNext();
    }, delayMs).unref();
    delayMs = Math.min(delayMs * 2, retryMs.last);
  }

  function flush(): void {
    queue.pack();
    writeNext();
  }

  setInterval(flush, gatherMs).unref();
  return {
    write: (lines) => {
      if (queue.add(lines) >= pieceBytes) flush();
    },
    flush,
    // A write in flight still completes, but cannot be awaited here.
    flushSync: () => writeUntil(performance.now() + exitLimitMs, fd, queue, inFlight),
  };
}

function writeUntil(endsAt: number, fd: number, queue: Queue, first: number): void {
  for (;;) {
    queue.pack();
    const pieces = queue.next(first);
    if (pieces.length === 0) return;
    try {
      queue.remove(first, writevSync(fd, pieces));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN" || performance.now() > endsAt) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitRetryMs);
    }
  }
}

interface Queue {
  /** Buffers whole lines, or counts them as lost. Returns the size of the current buffer. */
  add(lines: string): number;
  /** Completes the current buffer. */
  pack(): void;
  /** Returns the next buffers to write, from the index `first` on. */
  next(first: number): Buffer[];
  /** Removes written bytes. */
  remove(first: number, bytes: number): void;
}

function createQueue(reportLost: (lines: number) => void): Queue {
  const pieces: Buffer[] = [];
  let bytesInPieces = 0;
  let gathered = "";
  let lost = 0;
  return {
    add: (lines) => {
      if (lost > 0 || bytesInPieces + gathered.length > waitingLimitBytes)
        lost += lines.split("\n").length - 1;
      else gathered += lines;
      return gathered.length;
    },
    pack: () => {
      if (gathered === "") return;
      const piece = Buffer.from(gathered);
      gathered = "";
      pieces.push(piece);
      bytesInPieces += piece.length;
    },
    next: (first) => pieces.slice(first, first + mostPieces),
    remove: (first, bytes) => {
      bytesInPieces -= bytes;
      let rest = bytes;
      for (let piece = pieces[first]; piece !== undefined && rest > 0; piece = pieces[first]) {
        if (rest < piece.length) pieces[first] = piece.subarray(rest);
        else pieces.splice(first, 1);
        rest -= Math.min(rest, piece.length);
      }
      if (lost === 0 || bytesInPieces > waitingLimitBytes / 2) return;
      const count = lost;
      lost = 0;
      reportLost(count);
    },
  };
}

/**
 * Returns a non-blocking descriptor of stdout: a write that blocks on a stalled reader would delay the exit of the process.
 * Processes that share a descriptor share its mode, so stdout is opened again where the system can do that.
 */
export function openStdout(): number {
  // The first use makes a pipe or a socket non-blocking. A failed console.log must not end the process.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  // A reopened file would be overwritten from its beginning. Not by fstatSync: after it, realpathSync of Node 20 fails on a
  // pipe, and `import` takes a symbolic link for its target.
  if (!(process.stdout instanceof Socket)) return 1;
  try {
    return openSync("/dev/stdout", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 1; // a socket, or a pipe of another user
  }
}

/** Prints whole lines through the output of the log, so that they do not mix with its lines. */
export function printLines(lines: string, output: LogOutput): void {
  output.write(lines);
  output.flush();
}
