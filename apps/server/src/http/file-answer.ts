import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../db/error-code.js";
import type { Owner } from "../db/limiter.js";
import { recordOf } from "./access-log.js";
import { sentFileBytes } from "./limits.js";
import { heavy } from "./quota.js";

/** A file that is made while it is sent, piece by piece: whatever its size, only some pieces are in memory. */
export class FileAnswer {
  /** Its name without the extension: any text. */
  readonly name: string;
  readonly type: "text/calendar" | "text/csv";
  readonly pieces: AsyncIterable<string>;
  /** What it is counted as while it is sent, in bytes. */
  readonly length = sentFileBytes;

  constructor(name: string, type: FileAnswer["type"], pieces: AsyncIterable<string>) {
    this.name = name;
    this.type = type;
    this.pieces = pieces;
  }
}

/** How long a piece waits where too much waits already, in ms. */
const retryMs = 100;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly headers: readonly string[];
}

/**
 * Sends a file, each piece of which is made when the limiter has room. What fails before the first is thrown while another answer can be
 * sent still; after that the connection is destroyed, so that no one takes a part for the whole. For room later ones wait as long as the
 * connection does. `headers` are raw headers.
 */
export async function sendFile(
  { req, res, headers }: Exchange,
  { name, type, pieces }: FileAnswer,
  owner: Owner,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await pieceOf(iterator, owner, () => false);
  const next = () => pieceOf(iterator, owner, () => !res.closed);
  const own = ["Content-Type", `${type}; charset=utf-8`, "Content-Disposition", attachment(name, type)];
  const exposed = ["Access-Control-Expose-Headers", "Content-Disposition"]; // beside those of every answer
  res.writeHead(200, [...headers, ...own, ...exposed, "Cache-Control", "no-store"]);
  if (req.method === "HEAD" || first.done === true) {
    await iterator.return?.();
    res.end();
    return;
  }
  const record = recordOf(res);
  record.bytes = 0;
  async function* counted() {
    try {
      for (let piece = first; piece.done !== true; piece = await next()) {
        const bytes = Buffer.from(piece.value);
        record.bytes = (record.bytes ?? 0) + bytes.length;
        yield bytes;
      }
    } finally {
      await iterator.return?.();
    }
  }
  await pipeline(Readable.from(counted(), { highWaterMark: 1 }), res).catch((error: unknown) => {
    if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/**
 * Makes the next piece when there is room, for which it waits again and again while `mayWait`. What fails once it has begun is thrown: the
 * iterator is over then, and would say of a part that it is the whole.
 */
async function pieceOf(
  iterator: AsyncIterator<string>,
  owner: Owner,
  mayWait: () => boolean,
): Promise<IteratorResult<string>> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return iterator.next();
  };
  for (;;)
    try {
      return await heavy.run(owner, begin);
    } catch (error) {
      if (hasBegun || !mayWait()) throw error;
      await delay(retryMs);
    }
}

const extensions = { "text/calendar": "ics", "text/csv": "csv" } as const;

/** Characters of a name that are kept: some file systems have 255 bytes for it. */
const mostCharacters = 60;

/** What hides, or what a file system or RFC 6266 reserves. */
const unsafe = /[\p{C}\p{Z}"*/:<>?\\|%]+/gu;

/** Returns the value of Content-Disposition (RFC 6266): the name in ASCII, and in UTF-8 as RFC 8187 writes it. */
export function attachment(text: string, type: FileAnswer["type"]): string {
  const plain = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(unsafe, " ")
    .replace(/^[. ]+/, "");
  const name = `${Array.from(plain).slice(0, mostCharacters).join("").trim() || "calendar"}.${extensions[type]}`;
  const ascii = name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^ -~]+/g, "_")
    .replaceAll(unsafe, " "); // again: some letters are made of these
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"${ascii === name ? "" : `; filename*=UTF-8''${encoded}`}`;
}
