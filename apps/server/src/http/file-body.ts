import type { IncomingMessage } from "node:http";
import { operations, type Operation } from "@kalends/spec";
import type { BodyOptions } from "./body-bytes.js";
import { ApiError } from "./errors.js";
import { largestBody } from "./limits.js";

// A body that is a file, such as a calendar: larger than other bodies, and only of a caller whose token was valid.

type File = NonNullable<Operation["file"]>;

const all: readonly Operation[] = Object.values(operations);
const files: readonly File[] = all.flatMap(({ file }) => (file === undefined ? [] : [file]));

/** Whether a body has the type of a file that some operation takes. */
export function mayBeFile(req: IncomingMessage): boolean {
  return files.some((file) => isFile(req, file));
}

/** Whether a body is the file of an operation, by its type. */
export function isFile({ headers }: IncomingMessage, { mediaType, otherTypes = [] }: File): boolean {
  const type = typeOf(headers["content-type"]);
  return type === mediaType || otherTypes.some((other) => other === type);
}

function typeOf(contentType = ""): string | undefined {
  return contentType.toLowerCase().split(";")[0]?.trim();
}

/** Returns how large a body may be that is not the file itself: of a form that has one which is no text, as large as that. */
export function formLimit(
  { headers }: IncomingMessage,
  { file }: Operation,
): Pick<BodyOptions, "bytes" | "tooLarge"> {
  const isForm = typeOf(headers["content-type"]) === "multipart/form-data";
  if (file?.isBinary !== true || !isForm) return { bytes: largestBody.ofOperation };
  return { bytes: file.bytes + largestBody.ofStranger, tooLarge: "file_too_large" };
}

/** Returns the error with what to send: a file sent as another type, such as the form that curl says by itself, is no form. */
export function withAdvice(error: unknown, { file }: Operation): unknown {
  if (file === undefined || !(error instanceof ApiError) || error.failures.length > 0) return error;
  const { code, failures, headers, message } = error;
  const advice = `Send a file as ${[file.mediaType, ...(file.otherTypes ?? [])].join(" or ")}, with the other parameters in the query.`;
  return new ApiError(code, failures, headers, `${message} ${advice}`);
}
