import type { IncomingMessage } from "node:http";
import { piecesOf } from "./body-pieces.js";
import { ApiError } from "./errors.js";
import { budgets } from "./limits.js";
import { createReadingTurns } from "./reading-turns.js";

/** Largest body of a POST in bytes (rulings R1.6). */
export const maxBodyBytes: number = budgets.write.bytesIn;

export interface BodyLimits {
  /** Of this body. */
  readonly bytes: number;
  /** Whether the caller showed a valid token in the head of the request. */
  readonly isKnown: boolean;
  /** What a body that is too large is refused with. */
  readonly tooLarge?: "body_too_large" | "file_too_large";
}

/** Memory for the bodies of all unknown callers together, in bytes: each may send 1 MiB before its token is seen. */
const unknownLimitBytes = 64 * 1024 * 1024;

let unknownBytes = 0;

/**
 * Reads the bytes of a body, into one buffer. Never settles once the client has gone: no one gets an answer. @throws ApiError
 */
export function readBytes(req: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (req.destroyed) return;
    const refusal = refusalOf(req, limits);
    if (refusal !== undefined) {
      reject(refusal);
      return;
    }
    const body = createBody(limits);
    const turns = createReadingTurns(req);
    const end = (): void => {
      req.off("data", take).off("end", finish).off("close", end).off("error", end);
      body.release();
      turns.end();
    };
    const finish = (): void => {
      end();
      resolve(body.bytes());
    };
    const take = (piece: Buffer): void => {
      turns.take();
      const error = piecesOf(req).areTiny ? tooManyPieces(limits) : body.add(piece);
      if (error === undefined) return;
      end();
      reject(error);
    };
    req.on("data", take).once("end", finish).once("close", end).once("error", end);
  });
}

/** What is known from the head: the reader would first wait for all of the body. */
function refusalOf({ headers }: IncomingMessage, { bytes, tooLarge = "body_too_large" }: BodyLimits) {
  const { "content-encoding": encoding = "identity", "content-length": length = 0 } = headers;
  if (!/^(?:identity)?$/i.test(encoding)) return new ApiError("media_type_unsupported");
  return Number(length) > bytes ? new ApiError(tooLarge) : undefined;
}

function tooManyPieces({ tooLarge = "body_too_large" }: BodyLimits): ApiError {
  return new ApiError(tooLarge, [], {}, "The body comes in too many tiny chunks; send it in larger ones.");
}

function createBody(limits: BodyLimits) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  let counted = 0;

  /** Doubles the buffer, so that each byte is copied about twice at most. Returns whether there is memory for that. */
  function grow(leastBytes: number): boolean {
    const size = Math.min(limits.bytes, Math.max(leastBytes, 2 * buffer.length));
    const more = limits.isKnown ? 0 : size - counted;
    if (unknownBytes + more > unknownLimitBytes) return false;
    unknownBytes += more;
    counted += more;
    const larger = Buffer.allocUnsafe(size);
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    return true;
  }

  return {
    add: (piece: Buffer): ApiError | undefined => {
      const total = length + piece.length;
      if (total > limits.bytes) return new ApiError(limits.tooLarge ?? "body_too_large");
      if (total > buffer.length && !grow(total)) return new ApiError("overloaded");
      piece.copy(buffer, length);
      length = total;
      return undefined;
    },
    bytes: () => buffer.subarray(0, length),
    /** The memory is counted no longer. */
    release: () => {
      unknownBytes -= counted;
      counted = 0;
    },
  };
}
