import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { allOperations, type Operation } from "@kalends/spec";
import { ApiError } from "./errors.js";

// A body that is a file, such as a calendar: larger than other bodies, and only of a caller whose token was valid.

type File = NonNullable<Operation["file"]>;

const operations: readonly Operation[] = Object.values(allOperations);
const files: readonly File[] = operations.flatMap(({ file }) => (file === undefined ? [] : [file]));

/** Largest body of any operation, in bytes. */
export const maxFileBytes = Math.max(0, ...files.map(({ bytes }) => bytes));

/** Whether a body has the type of a file that some operation takes. */
export function mayBeFile(req: IncomingMessage): boolean {
  return files.some((file) => isFile(req, file));
}

/** Whether a body is the file of an operation, by its type. */
export function isFile({ headers }: IncomingMessage, { mediaType }: File): boolean {
  return headers["content-type"]?.toLowerCase().split(";")[0]?.trim() === mediaType;
}

/** Returns the error with what to send: a file sent as another type, such as the form that curl says by itself, is no form. */
export function withAdvice(error: unknown, { file }: Operation): unknown {
  if (file === undefined || !(error instanceof ApiError) || error.failures.length > 0) return error;
  const { code, failures, headers, message } = error;
  const advice = `Send a file as ${file.mediaType}, with the other parameters in the query.`;
  return new ApiError(code, failures, headers, `${message} ${advice}`);
}

/** The text of a file. One that folds its lines within a character is unfolded first. @throws ApiError when it is not UTF-8 */
export function fileText(bytes: Buffer, parameter: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  const joined = unfolded(bytes);
  if (isUtf8(joined)) return joined.toString();
  throw new ApiError("encoding_invalid", [{ parameter, message: "must be UTF-8" }]);
}

/** The bytes without line breaks that a blank follows (RFC 5545 3.1). */
function unfolded(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const at = byte === carriageReturn && bytes[index + 1] === lineFeed ? index + 1 : index;
    const next = bytes[at + 1];
    if (bytes[at] === lineFeed && (next === blank || next === tab)) index = at + 1;
    else kept[length++] = byte;
  }
  return kept.subarray(0, length);
}

const [tab, lineFeed, carriageReturn, blank] = [0x09, 0x0a, 0x0d, 0x20];
