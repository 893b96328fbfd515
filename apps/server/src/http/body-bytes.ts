import type { IncomingMessage, ServerResponse } from "node:http";
import type { Owner } from "../db/limiter.js";
import { ApiError } from "./errors.js";
import { bodies } from "./quota.js";

export interface BodyOptions {
  /** Of this body. */
  readonly bytes: number;
  /** Undefined for a caller who has shown no valid token. */
  readonly owner: Owner | undefined;
  /** What a body that is too large is refused with. */
  readonly tooLarge?: "body_too_large" | "file_too_large";
  /** What is said of one that is too large, where the limit is not that of the error's own sentence. */
  readonly sentence?: string | undefined;
}

/** A request of our own server (request-classes.ts). */
interface Counted {
  /** Whether its body came in so tiny pieces that the rest is dropped (rulings R6.3). */
  readonly isTiny?: boolean;
}

/** Reads the bytes of a body, which count until the response is closed. Never settles once the client has gone. @throws ApiError */
export function readBytes(
  req: IncomingMessage & Counted,
  res: ServerResponse,
  { bytes: most, owner = "unknown", tooLarge = "body_too_large", sentence }: BodyOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (req.destroyed) return;
    const { "content-encoding": encoding = "identity", "content-length": announced = 0 } = req.headers;
    if (!/^(?:identity)?$/i.test(encoding)) throw new ApiError("media_type_unsupported");
    if (Number(announced) > most) throw new ApiError(tooLarge, [], {}, sentence);
    // What a known caller announces counts at once, so that what there is no room for is refused unread. A stranger could take all room so.
    let counted = owner === "unknown" ? 0 : Number(announced);
    bodies.add(owner, counted);
    const pieces: Buffer[] = [];
    let length = 0;
    const take = (): void => {
      try {
        if (req.isTiny === true) throw new ApiError(tooLarge, [], {}, inTinyChunks);
        for (let piece: Buffer | null; (piece = req.read()) !== null;) {
          if (length + piece.length > most) throw new ApiError(tooLarge, [], {}, sentence);
          length += piece.length;
          pieces.push(piece);
          if (length <= counted) continue;
          bodies.add(owner, length - counted);
          counted = length;
        }
      } catch (error) {
        req.off("readable", take).off("end", finish);
        bodies.remove(owner, counted);
        pieces.length = length = counted = 0;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const finish = (): void => resolve(Buffer.concat(pieces, length));
    // All that one read of the socket has brought comes as one piece, which a listener to "data" would not get.
    req.on("readable", take).once("end", finish);
    res.once("close", () => bodies.remove(owner, counted));
  });
}

const inTinyChunks = "The body comes in too many tiny chunks; send it in larger ones.";

/** Whether a part of the body was not read, so that the connection cannot serve another request. */
export function isUnread(req: IncomingMessage & Counted): boolean {
  return !req.complete || req.isTiny === true;
}
