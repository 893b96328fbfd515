import express, { type Request, type Response } from "express";
import { ApiError } from "./errors.js";
import { parseForm, type Pair } from "./query.js";

/** Largest body of a POST in bytes (rulings R1.6). */
export const maxBodyBytes = 1024 * 1024;

const readRaw = rawBody(maxBodyBytes);

/** Reads the bytes of a body into `req.body`. Once the client has gone, a request goes no further: no one gets an answer. */
export function rawBody(limitBytes: number): ReturnType<typeof express.raw> {
  const read = express.raw({ type: () => true, limit: limitBytes, inflate: false });
  return function readBytes(req, res, next) {
    read(req, res, (error?: unknown) => {
      if (!isAborted(error)) next(error);
    });
  };
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "request.aborted";
}

/** Reads the bytes of a body, for `bodyPairs`. */
export function readBody(req: Request, res: Response): Promise<void> {
  // The reader would first wait for all of it.
  if (Number(req.headers["content-length"]) > maxBodyBytes) throw new ApiError("body_too_large");
  return new Promise((resolve, reject) => {
    readRaw(req, res, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** What `readBody` has read, as pairs. An absent body has none. */
export function bodyPairs(req: Request): readonly Pair[] {
  const bytes: unknown = req.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return [];
  const [type, ...attributes] = (req.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = attributes.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw new ApiError("media_type_unsupported");
  const text = decodeUtf8(bytes);
  switch (type?.trim()) {
    case "application/x-www-form-urlencoded":
      return formPairs(text);
    case "application/json":
      return jsonPairs(text);
    default:
      throw new ApiError("media_type_unsupported");
  }
}

function formPairs(text: string): readonly Pair[] {
  const pairs = parseForm(text);
  if (pairs === undefined) throw new ApiError("encoding_invalid");
  return pairs;
}

/** A flat JSON object of strings. JSON.parse keeps the last of two equal names, so the strings are counted too. */
function jsonPairs(text: string): readonly Pair[] {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError("body_invalid");
  const pairs = Object.entries(value).map(([name, item]): Pair => {
    if (typeof item !== "string") throw new ApiError("body_invalid");
    if (!name.isWellFormed() || !item.isWellFormed()) throw new ApiError("encoding_invalid");
    return [name, item];
  });
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (strings.length !== pairs.length * 2) throw new ApiError("body_invalid");
  return pairs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("body_invalid");
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("encoding_invalid");
  }
}
