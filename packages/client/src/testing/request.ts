import type { Faulty } from "./faults.js";
import { type Failure, Refusal } from "./errors.js";
import type { Received } from "./received.js";

export type Pair = readonly [name: string, value: string];

/** Largest body of a POST (rulings R1.6). */
export const maxBodyBytes = 1_048_576;
const maxPairs = 1_000;

function decode(text: string, faulty: Faulty): string {
  try {
    const once = decodeURIComponent(text.replaceAll("+", " "));
    return faulty("K26") && /%[0-9A-Fa-f]{2}/.test(once) ? decodeURIComponent(once) : once;
  } catch {
    throw new Refusal("encoding_invalid");
  }
}

/** Names and values of a query, decoded (rulings R1.4). An address holds no raw characters beyond ASCII. */
export function readQuery(text: string, faulty: Faulty): readonly Pair[] {
  if (/[^\x21-\x7e]/.test(text)) throw new Refusal("encoding_invalid");
  return readForm(text, faulty);
}

function readForm(text: string, faulty: Faulty): readonly Pair[] {
  const pieces = text.split("&").filter((piece) => piece !== "");
  if (pieces.length > maxPairs) throw new Refusal("too_many_parameters");
  return pieces.map((piece) => {
    const equals = piece.indexOf("=");
    if (equals < 0) return [decode(piece, faulty), ""];
    return [decode(piece.slice(0, equals), faulty), decode(piece.slice(equals + 1), faulty)];
  });
}

/**
 * Control characters are refused, except TAB, and line breaks in a description or an object (rulings R1.4). The error names the
 * parameters that the operation knows. What reads a file sees to its own.
 */
export function checkCharacters(
  known: readonly string[],
  pairs: readonly Pair[],
  { structured = [], file }: BodyForms = {},
): void {
  if (pairs.some((pair) => pair.some((text) => !text.isWellFormed()))) throw new Refusal("encoding_invalid");
  const names = pairs
    .filter(([name]) => name.replace(/\[.*$/s, "") !== file)
    .filter((pair) => hasControl(pair, structured))
    .map(([name]) => name);
  if (names.length === 0) return;
  const failures = [...new Set(names)].filter((name) => known.includes(name));
  throw new Refusal(
    "encoding_invalid",
    failures.map((parameter): Failure => ({ parameter, message: controlRule })),
  );
}

const controlRule = "must hold no control characters";

function hasControl([name, value]: Pair, structured: readonly string[]): boolean {
  const allowed = name === "description" || structured.includes(name) ? /[\t\r\n]/g : /\t/g;
  return /\p{Cc}/u.test(name.replaceAll("\t", "")) || /\p{Cc}/u.test(value.replace(allowed, ""));
}

/** At most 1,000 parameters in query and body together (rulings R1.6). */
export function checkTotal(pairs: readonly Pair[]): void {
  if (pairs.length > maxPairs) throw new Refusal("too_many_parameters");
}

const mostShown = 20;

/** The names that an operation does not know, for a header; `*` stands for those that are unfit for one (rulings R1.11). */
export function ignoredNames(known: readonly string[], pairs: readonly Pair[]): string {
  const unknown = pairs.map(([name]) => name).filter((name) => !known.includes(name.replace(/\[.*$/s, "")));
  const names = [...new Set(unknown.map((name) => (/^[\w.[\]-]{1,40}$/.test(name) ? name : "*")))];
  return [...names.slice(0, mostShown), ...(names.length > mostShown ? ["*"] : [])].join(", ");
}

/** What a body may be besides a form: JSON with other values than texts, and the one parameter that the body itself may be. */
interface BodyForms extends Structured {
  readonly file?: string;
}

/** The parameters in the body of a POST: a form, a JSON object, or `multipart/form-data` (rulings R1.1). */
export async function readBody(
  { headers, body }: Received,
  faulty: Faulty,
  accepted: BodyForms = {},
): Promise<readonly Pair[]> {
  const announced = Number(headers.get("content-length") ?? 0);
  const { file } = accepted;
  const isFile = file !== undefined && /^text\/calendar\b/i.test(headers.get("content-type") ?? "");
  if (file !== undefined && isFile) return [[file, utf8(body)]];
  if (announced > maxBodyBytes || body.length > maxBodyBytes) throw new Refusal("body_too_large");
  if (body.length === 0) return [];
  const contentType = headers.get("content-type") ?? "";
  const [type = "", ...options] = contentType.toLowerCase().split(/\s*;\s*/);
  const charset = options.find((option) => option.startsWith("charset="))?.replace(/["']/g, "");
  const isUtf8 = charset === undefined || /^charset=utf-?8$/.test(charset);
  if (!isUtf8 || headers.has("content-encoding")) throw new Refusal("media_type_unsupported");
  if (type === "application/x-www-form-urlencoded") return readForm(utf8(body), faulty);
  if (type === "application/json") return readJson(utf8(body), accepted);
  if (type === "multipart/form-data") return readMultipart(body, contentType);
  throw new Refusal("media_type_unsupported");
}

function utf8(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new Refusal("encoding_invalid");
  }
}

/** Parameters that a JSON body may give as objects, whose rule refuses lists, or as lists of texts (extensions.md X1.2). */
interface Structured {
  readonly structured?: readonly string[];
  readonly lists?: readonly string[];
}

/** A flat object of strings, integers and booleans, and of what may be more. */
function readJson(text: string, { structured = [], lists = [] }: Structured): readonly Pair[] {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal("body_invalid");
  const members: readonly (readonly [string, unknown])[] = Object.entries(value).map(([name, member]) =>
    lists.includes(name) && isTexts(member) ? [name, member.join()] : [name, member],
  );
  const objects = members.filter(([name, member]) => structured.includes(name) && isObject(member));
  const refused = members.filter((one) => !isScalar(one[1]) && !objects.includes(one)).map(([name]) => name);
  if (refused.length > 0) refuseFields(refused, "must be a string, an integer or a boolean");
  // JSON.parse keeps the last of two equal names. In a flat object only a name has a colon behind its quotes.
  const names = (text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []).length;
  if (objects.length === 0 && names !== members.length) throw new Refusal("body_invalid");
  return members.map(([name, member]) => [name, isObject(member) ? JSON.stringify(member) : String(member)]);
}

function isObject(member: unknown): boolean {
  return typeof member === "object" && member !== null;
}

function isTexts(member: unknown): member is readonly string[] {
  return Array.isArray(member) && member.every((one) => typeof one === "string" && !one.includes(","));
}

function isScalar(member: unknown): boolean {
  return typeof member === "string" || typeof member === "boolean" || Number.isSafeInteger(member);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("body_invalid");
  }
}

/** Fields alone: a file is refused by its name. The platform reads the form. */
async function readMultipart(body: Uint8Array, contentType: string): Promise<readonly Pair[]> {
  utf8(body);
  const pairs: Pair[] = [];
  const files: string[] = [];
  for (const [name, value] of await fieldsOf(body, contentType))
    if (typeof value === "string") pairs.push([name, value]);
    else files.push(name);
  if (files.length > 0) refuseFields(files, "must be a field, not a file");
  return pairs;
}

async function fieldsOf(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw new Refusal("body_invalid");
  }
}

function refuseFields(names: readonly string[], message: string): never {
  throw new Refusal(
    "body_invalid",
    names.map((parameter) => ({ parameter, message })),
  );
}
