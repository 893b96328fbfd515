import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { freePieces, piecesOf } from "./body-pieces.js";

// A body in chunks of one byte keeps the parser busy for 20 ms with each read of 64 KiB, and Node reads a connection up to 32
// times before it serves the next.

/** Connections that wait, the first the longest. */
const waiting = new Set<Socket>();

/** The turns of a connection to be read, while a body arrives. */
export interface ReadingTurns {
  /**
   * Call it for each piece of the body. Of all connections whose bodies have many, one is read in each turn of the event loop;
   * none is where they are tiny (body-pieces.ts).
   */
  take(): void;
  /** The body is over, or read by another. */
  end(): void;
}

export function createReadingTurns(req: IncomingMessage): ReadingTurns {
  const { socket } = req;
  let takesTurns = false;
  // Node resumes the socket whenever it hands a piece over.
  const stayPaused = (): void => {
    if (piecesOf(req).areTiny || waiting.has(socket)) socket.pause();
  };
  return {
    take: () => {
      const { count, areTiny } = piecesOf(req);
      if (count < freePieces || waiting.has(socket)) return;
      if (!takesTurns) socket.on("resume", stayPaused);
      takesTurns = true;
      if (!areTiny) {
        if (waiting.size === 0) setImmediate(readNext);
        waiting.add(socket);
      }
      socket.pause();
    },
    end: () => {
      if (!takesTurns || piecesOf(req).areTiny) return;
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
