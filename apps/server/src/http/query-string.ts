import type { Operation } from "@kalends/spec";
import { ApiError } from "./errors.js";

/** Name and value of a parameter, in the order sent. */
export type Pair = readonly [name: string, value: string];

/** Most parameters of a request (rulings R1.4). */
export const maxPairs = 1_000;

/**
 * Parses a query string or a form, strictly (WHATWG URL 5.1 without its leniency). Express's parser drops what is past the
 * thousandth pair and turns bad UTF-8 into U+FFFD. Returns every pair, undefined when one is not valid percent-encoded
 * UTF-8, or "too many": what follows is not read, so that a long text of short pairs costs little.
 */
export function parseForm(text: string): readonly Pair[] | "too many" | undefined {
  const pairs: Pair[] = [];
  for (let start = 0; start < text.length;) {
    const mark = text.indexOf("&", start);
    const end = mark === -1 ? text.length : mark;
    const part = text.slice(start, end);
    start = end + 1;
    if (part === "") continue;
    if (pairs.length === maxPairs) return "too many";
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

/** Writes pairs as a query string that `parseForm` reads back. */
export function printForm(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(withBlanks(text));
    // Raw bytes past ASCII, which a URL must not hold, arrive as single UTF-16 units; a lone one is not text.
    return decoded.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** A plus sign is a blank. A long text is changed by its bytes: `replaceAll` would take 100 ms for a body of plus signs. */
function withBlanks(text: string): string {
  if (text.length < 1_024) return text.replaceAll("+", " ");
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === plus) bytes[index] = blank;
  return bytes.toString();
}

const [plus, blank] = [0x2b, 0x20] as const;

/** The pairs of a query string or a form. @throws ApiError when one is not UTF-8, or there are too many (rulings R1.4) */
export function readForm(text: string): readonly Pair[] {
  const pairs = parseForm(text);
  if (pairs === "too many") throw new ApiError("too_many_parameters");
  if (pairs === undefined) throw new ApiError("encoding_invalid");
  return pairs;
}

/** An error that names the fields of a body which are not accepted: the first of them, where the name is fit to be shown. */
export function bodyFailure(names: readonly string[], ruleOf: (name: string) => string): ApiError {
  const shown = [...new Set(names)].filter(isShowable).slice(0, mostShown);
  const failureOf = (parameter: string) =>
    ({ parameter, message: ruleOf(parameter), code: "malformed" }) as const;
  return new ApiError("body_invalid", shown.map(failureOf));
}

/** Whether an operation has a parameter of this name, brackets aside. */
export function isParameter(op: Operation, name: string): boolean {
  const plain = plainName(name);
  return Object.hasOwn(op.params.shape, plain) || (plain === "token" && op.auth === "token");
}

/** The parameter that a name such as `title[]` or `title[0]` is meant for. */
export function plainName(name: string): string {
  return name.replace(/\[.*$/s, "");
}

/** Names of parameters come from outside: a long one may be a token in the wrong place. */
export function isShowable(name: string): boolean {
  return /^[\w.[\]-]{1,40}$/.test(name);
}

/** How many names that came from outside a response shows. */
export const mostShown = 20;
