import type { IncomingMessage } from "node:http";

// The parser of Node hands a body over in the pieces that its sender has made: 11,000 of one byte in a read of 64 KiB. Each takes
// 2 us, and 250 bytes of memory while no one reads it, such as while the token is looked up.

/** Pieces of a body that may be tiny: a body of 1 MiB in chunks of 1 KiB has no more. */
export const freePieces = 1_024;

/** Bytes that each further piece must have on average: a file that is sent line by line has more. */
const leastMeanBytes = 16;

/** What has arrived of the body of a request. */
export interface Arriving {
  readonly pieces: number;
  readonly bytes: number;
  /**
   * Whether it comes in pieces so tiny that nothing more is read: what the system holds of them would keep the process busy long
   * after the sender has gone. The last piece that whoever reads it gets is the one that decided it.
   */
  readonly isTiny: boolean;
}

/** Counts a piece of so many bytes. */
export function countPiece(
  body: { -readonly [Name in keyof Arriving]: Arriving[Name] },
  bytes: number,
): void {
  body.pieces++;
  body.bytes += bytes;
  body.isTiny = body.bytes < (body.pieces - freePieces) * leastMeanBytes;
}

/** What has arrived of the body of a request; only the requests of our own server count it. */
export function arrivingOf(req: IncomingMessage): Arriving {
  return isCounted(req) ? req : { pieces: 0, bytes: 0, isTiny: false };
}

function isCounted(req: IncomingMessage): req is IncomingMessage & Arriving {
  return "isTiny" in req;
}

/** Pieces that wait for their reader, as one: an array of them would take 250 times their memory. */
export interface Hold {
  add(piece: Buffer): void;
  bytes(): Buffer;
}

export function createHold(): Hold {
  let held = Buffer.alloc(0);
  let length = 0;
  return {
    add: (piece) => {
      const total = length + piece.length;
      if (total > held.length) held = Buffer.concat([held], Math.max(2 * held.length, total, 4_096));
      piece.copy(held, length);
      length = total;
    },
    bytes: () => held.subarray(0, length),
  };
}
