import express, { type Request, type Response } from "express";
import { ApiError } from "./errors.js";
import { multipartPairs } from "./multipart.js";
import { bodyFailure, maxPairs, type Pair, readForm } from "./query.js";

/** Largest body of a POST in bytes (rulings R1.6). */
export const maxBodyBytes = 1024 * 1024;

const readRaw = rawBody(maxBodyBytes);

/** Reads the bytes of a body into `req.body`. Once the client has gone, a request goes no further: no one gets an answer. */
export function rawBody(limitBytes: number): ReturnType<typeof express.raw> {
  const read = express.raw({ type: () => true, limit: limitBytes, inflate: false });
  return function readBytes(req, res, next) {
    if (req.destroyed) return;
    read(req, res, (error?: unknown) => {
      if (!isAborted(error)) next(error);
    });
  };
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "request.aborted";
}

/** Reads the body of a POST, as pairs. */
export async function readBody(req: Request, res: Response): Promise<readonly Pair[]> {
  // The reader would first wait for all of it.
  if (Number(req.headers["content-length"]) > maxBodyBytes) throw new ApiError("body_too_large");
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
  return bodyPairs(req);
}

/** The bytes in `req.body` as pairs. An absent body has none. */
export async function bodyPairs(req: Request): Promise<readonly Pair[]> {
  const bytes: unknown = req.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return [];
  const contentType = req.headers["content-type"] ?? "";
  const [type, ...attributes] = contentType.toLowerCase().split(";");
  const charset = attributes.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw new ApiError("media_type_unsupported");
  switch (type?.trim()) {
    case "application/x-www-form-urlencoded":
      return readForm(decodeUtf8(bytes));
    case "application/json":
      return jsonPairs(decodeUtf8(bytes));
    case "multipart/form-data": {
      const pairs = await multipartPairs(bytes, contentType);
      decodeUtf8(bytes); // the parser puts U+FFFD for what is not UTF-8
      return pairs;
    }
    default:
      throw new ApiError("media_type_unsupported");
  }
}

/** A flat JSON object. JSON.parse keeps the last of two equal names, so the strings are counted too. */
function jsonPairs(text: string): readonly Pair[] {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError("body_invalid");
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (members.length > maxPairs) throw new ApiError("too_many_parameters");
  const refused = members.filter(([, item]) => printed(item) === undefined).map(([name]) => name);
  if (refused.length > 0) throw bodyFailure(refused, "must be a string, an integer or a boolean");
  const pairs = members.map(([name, item]): Pair => [name, printed(item) ?? ""]);
  if (pairs.some((pair) => !pair.every((part) => part.isWellFormed())))
    throw new ApiError("encoding_invalid");
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const values = members.filter(([, item]) => typeof item === "string");
  if (strings.length !== pairs.length + values.length) throw new ApiError("body_invalid");
  return pairs;
}

/** A value as a form would have it; undefined when it is none that a parameter can have (rulings R1.1). */
function printed(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  return typeof item === "boolean" || Number.isSafeInteger(item) ? String(item) : undefined;
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
