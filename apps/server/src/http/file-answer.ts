import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as rest } from "node:timers/promises";
import { codeOf } from "../db/error-code.js";
import { recordOf } from "./access-log.js";

/** A file that is made while it is sent, piece by piece: whatever its size, only some pieces are in memory. */
export class FileAnswer {
  /** Its name without the extension: any text. */
  readonly name: string;
  readonly type: "text/calendar" | "text/csv";
  readonly pieces: AsyncIterable<string>;

  constructor(name: string, type: FileAnswer["type"], pieces: AsyncIterable<string>) {
    this.name = name;
    this.type = type;
    this.pieces = pieces;
  }
}

/**
 * Sends a file. What fails before its first piece is thrown while another answer can be sent still; after that the connection is
 * destroyed, so that no one takes a part for the whole. `headers` are the raw headers of the response besides its own.
 */
export async function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  { name, type, pieces }: FileAnswer,
  headers: readonly string[],
): Promise<void> {
  const iterator = paced(pieces);
  const first = await iterator.next();
  const own = ["Content-Type", `${type}; charset=utf-8`, "Content-Disposition", attachment(name, type)];
  const exposed = ["Access-Control-Expose-Headers", "Content-Disposition"]; // beside those of every answer
  res.writeHead(200, [...headers, ...own, ...exposed, "Cache-Control", "no-store"]);
  if (req.method === "HEAD" || first.done === true) {
    await iterator.return(undefined);
    res.end();
    return;
  }
  const record = recordOf(res);
  record.bytes = 0;
  const sent = Readable.from(counted(first.value, iterator, record), { highWaterMark: 1 });
  await pipeline(sent, res).catch((error: unknown) => {
    if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** Yields the pieces. Between two it rests for as long as the one before has taken, so that others have half of the processor. */
async function* paced(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let began = performance.now();
  for await (const piece of pieces) {
    const took = performance.now() - began;
    yield piece;
    await rest(Math.min(took, mostRestMs));
    began = performance.now();
  }
}

/** A piece may have waited for its turn, which has kept no one from theirs. */
const mostRestMs = 50;

async function* counted(first: string, others: AsyncIterable<string>, record: { bytes?: number }) {
  const bytesOf = (piece: string): Buffer => {
    const bytes = Buffer.from(piece);
    record.bytes = (record.bytes ?? 0) + bytes.length;
    return bytes;
  };
  yield bytesOf(first);
  for await (const piece of others) yield bytesOf(piece);
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
