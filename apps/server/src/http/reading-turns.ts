import type { Socket } from "node:net";

// A body in chunks of one byte has 11,000 of them in a read of 64 KiB, which keep the parser busy for 20 ms, and Node reads
// a connection up to 32 times before it serves the next.

/** Pieces of a body after which its connection waits for its turns: a body of 1 MiB in chunks of 1 KiB never does. */
const freePieces = 1_024;

/** Bytes that each further piece must have on average: a file that is sent line by line has more. */
const leastMeanBytes = 16;

/** Connections that wait, the first the longest. */
const waiting = new Set<Socket>();

/** The turns of a connection to be read, while a body arrives. */
export interface ReadingTurns {
  /**
   * Call it for each piece of the body. Of all connections whose bodies have many, one is read in each turn of the event loop.
   * Returns false when the pieces are too small: the work is in their number, and what the system holds of them would keep the
   * process busy long after the sender has gone. Nothing more is read from the connection then.
   */
  count(bytes: number): boolean;
  /** The body is over, or read by another. */
  end(): void;
}

export function createReadingTurns(socket: Socket): ReadingTurns {
  let [pieces, length, isRefused] = [0, 0, false];
  // Node resumes the socket whenever it hands a piece over.
  const stayPaused = (): void => {
    if (isRefused || waiting.has(socket)) socket.pause();
  };
  return {
    count: (bytes) => {
      pieces++;
      length += bytes;
      if (pieces < freePieces) return true;
      if (pieces === freePieces) socket.on("resume", stayPaused);
      isRefused ||= length < (pieces - freePieces) * leastMeanBytes;
      if (isRefused) waiting.delete(socket);
      else if (!waiting.has(socket)) {
        if (waiting.size === 0) setImmediate(readNext);
        waiting.add(socket);
      }
      socket.pause();
      return !isRefused;
    },
    end: () => {
      if (pieces < freePieces || isRefused) return;
      waiting.delete(socket);
      socket.off("resume", stayPaused).resume();
    },
  };
}

function readNext(): void {
  const [socket] = waiting;
  if (socket === undefined) return;
  waiting.delete(socket);
  socket.resume();
  if (waiting.size > 0) setImmediate(readNext);
}
