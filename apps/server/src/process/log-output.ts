import { writev, writevSync } from "node:fs";
import { codeOf } from "../db/error-code.js";

/** Takes log lines and writes them later. Never throws and never blocks: lines that cannot be written are counted. */
export interface LogOutput {
  /** Takes one or more whole lines. */
  write(lines: string): void;
  /** Starts to write what has been gathered. */
  flush(): void;
  /** Writes all that waits, as far as it can within 300 ms, before the process exits. */
  flushSync(): void;
}

/** Lines are gathered into pieces of this size: a write for each would cost a poll as much as its answer. */
const pieceBytes = 8 * 1024;
const gatherMs = 1_000;

/** Pieces that are written at once. */
const mostPieces = 64;

/** Memory for lines that wait, in bytes. Once it is full, lines are lost until half of it has been written. */
const waitingLimitBytes = 1024 * 1024;

/** A failed write is retried after the first of these times, in ms, then after twice the time, up to the last. */
const retryMs = { first: 10, last: 1_000 } as const;

/** How long the end of the process waits for a reader that is slow, and how often it retries, in ms. */
const exitLimitMs = 300;
const exitRetryMs = 10;

/** Opens an output to a descriptor whose writes do not block. `reportLost` logs how many lines were lost, once that is over. */
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
    // What is in flight still completes, but cannot be awaited here.
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
  /** Takes whole lines, or counts them as lost. Returns how much is gathered. */
  add(lines: string): number;
  /** Makes a piece of what is gathered. */
  pack(): void;
  /** Returns the next pieces to be written, from the index `first` on. */
  next(first: number): Buffer[];
  /** Removes what was written of them. */
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
