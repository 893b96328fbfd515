import { isUtf8 } from "node:buffer";
import { ApiError } from "./errors.js";

export interface FileText {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "Windows-1252";
}

/**
 * Returns the text of a file: UTF-8, UTF-16 with its mark, else Windows-1252, as programs of Windows save what they call ANSI. One that
 * folds its lines within a character is unfolded first.
 * @param contentType what was said of it; where that names UTF-8 it is nothing else
 * @throws ApiError when it is none of these
 */
export function fileText(bytes: Buffer, contentType = ""): FileText {
  if (isUtf8(bytes)) return { text: bytes.toString(), encoding: "UTF-8" };
  const refused = (what: string): ApiError =>
    new ApiError("encoding_invalid", [], {}, `${what}. Save it as UTF-8.`);
  if (hasMark(bytes, 0xff, 0xfe) || hasMark(bytes, 0xfe, 0xff)) {
    const text = utf16Text(bytes);
    if (text === undefined) throw refused("The file is UTF-16 with damaged characters");
    return { text, encoding: "UTF-16" };
  }
  const joined = unfolded(bytes);
  if (isUtf8(joined)) return { text: joined.toString(), encoding: "UTF-8" };
  const [, charset] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  if (charset !== undefined && !mayBeWindows.test(charset))
    throw refused("The file is not UTF-8, and its Content-Type names another charset than Windows-1252");
  const latin = joined.toString("latin1");
  if (surelyUtf8.test(latin) || isMostlyUtf8(joined))
    throw refused("The file is UTF-8 with damaged characters");
  if (undefinedBytes.test(latin)) throw refused("The file is neither UTF-8 nor Windows-1252");
  return { text: windowsText(joined), encoding: "Windows-1252" };
}

function hasMark(bytes: Buffer, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
}

/** Undefined where it ends within a character, or has half of one. */
function utf16Text(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const text = (bytes[0] === 0xff ? bytes : Buffer.from(bytes).swap16()).toString("utf16le", 2);
  return text.isWellFormed() ? text : undefined;
}

/** What servers call Windows-1252, or a part of it (WHATWG Encoding 4.2). */
const mayBeWindows = /^(?:windows-1252|cp1252|iso-8859-1|latin1|us-ascii)$/i;

/** Bytes that Windows-1252 lacks. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/;

/** What Windows-1252 has for 0x80 to 0x9F; at the bytes that it lacks a blank. */
const windowsSigns = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Characters of UTF-8 that Windows-1252 would show as Â, Ã or a letter before two signs, which no one writes. */
const surelyUtf8 = /[\xc2\xc3][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/**
 * Whether bytes that are not UTF-8 were meant to be. What UTF-8 has for Greek and Cyrillic may also be a letter and a sign of
 * Windows-1252, as in Spaß“: there the majority decides.
 */
function isMostlyUtf8(bytes: Buffer): boolean {
  let [pairs, others] = [0, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    const next = bytes[index + 1] ?? 0;
    const isPair = byte >= 0xc4 && byte <= 0xdf && next >= 0x80 && next <= 0xbf;
    if (isPair) index++;
    if (isPair) pairs++;
    else others++;
  }
  return pairs > 0 && pairs >= others;
}

/** Not by TextDecoder: some releases of Node read Windows-1252 as ISO-8859-1. */
function windowsText(bytes: Buffer): string {
  const units = Buffer.allocUnsafe(2 * bytes.length);
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const unit = byte >= 0x80 && byte < 0xa0 ? windowsSigns.charCodeAt(byte - 0x80) : byte;
    units[2 * index] = unit % 256;
    units[2 * index + 1] = Math.floor(unit / 256);
  }
  return units.toString("utf16le");
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
