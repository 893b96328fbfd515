import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { ApiError } from "./errors.js";
import { bodyFailure, maxPairs, type Pair } from "./query.js";

const sliceBytes = 16 * 1024;

/**
 * Reads the fields of a `multipart/form-data` body (RFC 7578). What is not UTF-8 becomes U+FFFD.
 * @param file the parameter that may be a file
 * @throws ApiError which names any other part that is a file
 */
export function multipartPairs(
  bytes: Uint8Array,
  contentType: string,
  file?: string,
): Promise<readonly Pair[]> {
  return new Promise((resolve, reject) => {
    const invalid = (): void => reject(new ApiError("body_invalid"));
    const parser = parserOf(contentType, bytes.length);
    if (parser === undefined) {
      invalid();
      return;
    }
    const pairs: Pair[] = [];
    const files: string[] = [];
    parser.on("field", (name, value) => pairs.push([name, value]));
    parser.on("file", (name, stream) => {
      const chunks: Buffer[] = [];
      stream.on("error", invalid).on("data", (chunk: Buffer) => chunks.push(chunk));
      if (name === file) stream.once("end", () => pairs.push([name, Buffer.concat(chunks).toString()]));
      else files.push(name);
    });
    const state = { isOver: false };
    parser.on("partsLimit", () => {
      state.isOver = true;
      reject(new ApiError("too_many_parameters"));
    });
    parser.on("error", invalid);
    parser.on("finish", () => {
      if (files.length > 0) reject(bodyFailure(files, () => "must be a field, not a file"));
      else if (pairs.some(([name]) => typeof name !== "string")) invalid();
      else resolve(pairs);
    });
    // In slices, since the parser would look for all further parts too, which takes longer than all the others.
    for (let start = 0; start < bytes.length && !state.isOver; start += sliceBytes)
      parser.write(bytes.subarray(start, start + sliceBytes));
    parser.end();
  });
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
