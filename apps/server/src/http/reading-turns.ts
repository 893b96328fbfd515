import type { Socket } from "node:net";

// A body in chunks of one byte has 11,000 of them in a read of 64 KiB, which keep the parser busy for 20 ms, and Node reads
// a connection up to 32 times before it serves the next.

/** Pieces of a body after which its connection waits for its turns: a body of 1 MiB in chunks of 1 KiB never does. */
const freePieces = 1_024;

/** Connections that wait, the first the longest. */
const waiting = new Set<Socket>();

/** The turns of a connection to be read, while a body arrives. */
export interface ReadingTurns {
  /** Call it for each piece of the body. Of all connections whose bodies have many, one is read in each turn of the event loop. */
  count(): void;
  /** The body is over. */
  end(): void;
}

export function createReadingTurns(socket: Socket): ReadingTurns {
  let pieces = 0;
  // Node resumes the socket whenever it hands a piece over.
  const stayPaused = (): void => {
    if (waiting.has(socket)) socket.pause();
  };
  return {
    count: () => {
      pieces++;
      if (pieces < freePieces || waiting.has(socket)) return;
      if (pieces === freePieces) socket.on("resume", stayPaused);
      if (waiting.size === 0) setImmediate(readNext);
      waiting.add(socket);
      socket.pause();
    },
    end: () => {
      if (pieces < freePieces) return;
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
