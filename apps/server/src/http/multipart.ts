import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { Operation } from "@kalends/spec";
import { ApiError } from "./errors.js";
import { bodyFailure, maxPairs, type Pair } from "./query-string.js";

const sliceBytes = 16 * 1024;

/**
 * Reads the fields of a `multipart/form-data` body (RFC 7578). What is not UTF-8 becomes U+FFFD.
 * @param file of which parameter it may be; one that is no text comes as base64
 * @throws ApiError which names any other part that is a file
 */
export function multipartPairs(
  bytes: Uint8Array,
  contentType: string,
  file?: Operation["file"],
): Promise<readonly Pair[]> {
  return new Promise((resolve, reject) => {
    const invalid = (): void => reject(new ApiError("body_invalid"));
    const parser = parserOf(contentType, bytes.length);
    if (parser === undefined) {
      invalid();
      return;
    }
    const parts = collectParts(parser, file, invalid);
    const state = { isOver: false };
    parser.on("partsLimit", () => {
      state.isOver = true;
      reject(new ApiError("too_many_parameters"));
    });
    parser.on("error", invalid);
    parser.on("finish", () => {
      const failure = failureOf(parts, countParts(bytes, contentType), file?.parameter);
      if (failure === undefined) resolve(parts.pairs);
      else reject(failure);
    });
    // In slices, since the parser would look for all further parts too, which takes longer than all the others.
    for (let start = 0; start < bytes.length && !state.isOver; start += sliceBytes)
      parser.write(bytes.subarray(start, start + sliceBytes));
    parser.end();
  });
}

/** What a body has. A name is undefined where a part has none. */
interface Parts {
  readonly pairs: readonly Pair[];
  /** Names of files that may not be. */
  readonly files: readonly string[];
  /** Names of those in a Content-Transfer-Encoding, which the parser does not decode (RFC 7578 4.7). */
  readonly encoded: readonly string[];
}

/** @param onCut called when the body ends within a file */
function collectParts(parser: BusboyInstance, file: Operation["file"], onCut: () => void): Parts {
  const pairs: Pair[] = [];
  const files: string[] = [];
  const encoded: string[] = [];
  const noteEncoding = (name: string, encoding: string): void => {
    if (!/^(?:7bit|8bit|binary)$/.test(encoding.trim())) encoded.push(name);
  };
  parser.on("field", (name, value, _isNameCut, _isValueCut, encoding) => {
    pairs.push([name, value]);
    noteEncoding(name, encoding);
  });
  parser.on("file", (name, stream, _filename, encoding) => {
    noteEncoding(name, encoding);
    const chunks: Buffer[] = [];
    stream.on("error", onCut).on("data", (chunk: Buffer) => chunks.push(chunk));
    const printed = file?.isBinary === true ? "base64" : "utf8";
    if (name === file?.parameter)
      stream.once("end", () => pairs.push([name, Buffer.concat(chunks).toString(printed)]));
    else files.push(name);
  });
  return { pairs, files, encoded };
}

/** @param count of all parts, with those that the parser skips since they are no field */
function failureOf({ pairs, files, encoded }: Parts, count: number, file?: string): ApiError | undefined {
  const hint = file === undefined ? "" : `; send the file under the name ${file}`;
  if (files.length > 0) return bodyFailure(files, () => `must be a field, not a file${hint}`);
  if (pairs.length < count || pairs.some(([name]) => typeof name !== "string"))
    return new ApiError("body_invalid", [], {}, noField);
  if (encoded.length === 0) return undefined;
  return bodyFailure(encoded, () => "must be sent without Content-Transfer-Encoding");
}

const noField =
  "Each part of a multipart body must have the header Content-Disposition: form-data with a name.";

/** Counts the parts before the closing delimiter. */
function countParts(bytes: Uint8Array, contentType: string): number {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const [, ...parts] = `\r\n${Buffer.from(bytes).toString("latin1")}`.split(`\r\n--${quoted ?? plain}`);
  return parts.findIndex((part) => part.startsWith("--"));
}

/** Undefined when the type names no boundary. Nothing is cut: no field is larger than the body. */
function parserOf(contentType: string, bodyBytes: number): BusboyInstance | undefined {
  const limits = { parts: maxPairs, fieldSize: bodyBytes, fieldNameSize: bodyBytes };
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits });
  } catch {
    return undefined;
  }
}
