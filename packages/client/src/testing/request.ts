import type { IncomingMessage } from "node:http";
import type { Faulty } from "./faults.js";
import { type Failure, Refusal } from "./errors.js";

export type Pair = readonly [name: string, value: string];

const maxBodyBytes = 1_048_576;

function decode(text: string, faulty: Faulty): string {
  try {
    const once = decodeURIComponent(text.replaceAll("+", " "));
    return faulty("K26") && /%[0-9A-Fa-f]{2}/.test(once) ? decodeURIComponent(once) : once;
  } catch {
    throw new Refusal("encoding_invalid");
  }
}

/** Names and values of a query or a form, decoded (rulings R1.4). */
export function readPairs(text: string, faulty: Faulty): readonly Pair[] {
  if (/[^\x21-\x7e]/.test(text)) throw new Refusal("encoding_invalid");
  return text
    .split("&")
    .filter((piece) => piece !== "")
    .map((piece) => {
      const equals = piece.indexOf("=");
      if (equals < 0) return [decode(piece, faulty), ""];
      return [decode(piece.slice(0, equals), faulty), decode(piece.slice(equals + 1), faulty)];
    });
}

/** Control characters are refused, but for TAB, and for line breaks in a description (rulings R1.4). */
export function checkCharacters(pairs: readonly Pair[]): void {
  const failures: Failure[] = [];
  for (const [name, value] of pairs) {
    const allowed = name === "description" ? /[\t\r\n]/g : /\t/g;
    if (/\p{Cc}/u.test(name) || !value.isWellFormed()) throw new Refusal("encoding_invalid");
    if (/\p{Cc}/u.test(value.replace(allowed, "")))
      failures.push({ parameter: name, message: "must hold no control characters" });
  }
  if (failures.length > 0) throw new Refusal("encoding_invalid", failures);
}

/** The parameters in the body of a POST: a form, or a JSON object of strings (rulings R1.1). */
export async function readBody(request: IncomingMessage, faulty: Faulty): Promise<readonly Pair[]> {
  const body = await bytesOf(request);
  if (body.length === 0) return [];
  const [type = "", ...options] = (request.headers["content-type"] ?? "").toLowerCase().split(/\s*;\s*/);
  const charset = options.find((option) => option.startsWith("charset="))?.replace(/["']/g, "");
  const isUtf8 = charset === undefined || charset === "charset=utf-8";
  if (!isUtf8 || request.headers["content-encoding"] !== undefined)
    throw new Refusal("media_type_unsupported");
  if (type === "application/x-www-form-urlencoded") return readPairs(body.toString("latin1"), faulty);
  if (type === "application/json") return readJson(body);
  throw new Refusal("media_type_unsupported");
}

function readJson(body: Buffer): readonly Pair[] {
  const value = parsed(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal("body_invalid");
  return Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "string") throw new Refusal("body_invalid");
    return [name, member];
  });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("body_invalid");
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw new Refusal("body_too_large");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxBodyBytes) throw new Refusal("body_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
