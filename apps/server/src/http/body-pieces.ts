import type { IncomingMessage } from "node:http";

// The parser of Node hands a body over in the pieces that its sender has made: 11,000 of one byte in a read of 64 KiB. Each takes
// 2 us, and 250 bytes of memory while no one reads it, such as while the token is looked up.

/** Pieces of a body that may be tiny: a body of 1 MiB in chunks of 1 KiB has no more. */
export const freePieces = 1_024;

/** Bytes that each further piece must have on average: a file that is sent line by line has more. */
const leastMeanBytes = 16;

/** The pieces of a body, of which whoever reads the body needs to know how many there are and how large. */
export interface Pieces {
  readonly count: number;
  /**
   * Whether they are so tiny that nothing more is read: what the system holds of them would keep the process busy long after the
   * sender has gone. The last one that a reader gets is the one that decided it.
   */
  readonly areTiny: boolean;
}

/** The pieces of a body as they arrive. Those that wait for a reader are held as one: objects would take 250 times their memory. */
export interface ArrivingPieces extends Pieces {
  /**
   * Counts a piece. Returns whether it goes to the stream at once; others are held, or dropped once they are tiny.
   * @param isAwaited whether the stream has a reader for it, or is empty
   */
  add(piece: Buffer, isAwaited: boolean): boolean;
  /** Returns what is held; undefined when nothing is. The stream asks for a piece, and for no other before it has that. */
  ask(): Buffer | undefined;
}

export function createPieces(): ArrivingPieces {
  let [count, bytes, areTiny, isAsked] = [0, 0, false, false];
  let held = Buffer.alloc(0);
  let heldBytes = 0;

  function hold(piece: Buffer): void {
    const total = heldBytes + piece.length;
    if (total > held.length) held = Buffer.concat([held], Math.max(2 * held.length, total, 4_096));
    piece.copy(held, heldBytes);
    heldBytes = total;
  }

  return {
    get count() {
      return count;
    },
    get areTiny() {
      return areTiny;
    },
    add: (piece, isAwaited) => {
      if (areTiny) return false;
      count++;
      bytes += piece.length;
      areTiny = bytes < (count - freePieces) * leastMeanBytes;
      const passes = heldBytes === 0 && (isAwaited || isAsked);
      if (passes) isAsked = false;
      else hold(piece);
      return passes;
    },
    ask: () => {
      isAsked = heldBytes === 0;
      if (isAsked) return undefined;
      const all = held.subarray(0, heldBytes);
      [held, heldBytes] = [Buffer.alloc(0), 0];
      return all;
    },
  };
}

/** A request of our own server. Without a body it has no property more than one of Node. */
export interface Counted {
  readonly pieces?: Pieces;
}

/** Whether a part of the body was not read, so that the connection cannot serve another request. */
export function isUnread(req: IncomingMessage): boolean {
  return !req.complete || piecesOf(req).areTiny;
}

const none: Pieces = { count: 0, areTiny: false };

/** What has arrived of the body of a request; only the requests of our own server count it. */
export function piecesOf(req: IncomingMessage & Counted): Pieces {
  return req.pieces ?? none;
}
