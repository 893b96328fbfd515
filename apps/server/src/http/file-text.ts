import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { ApiError } from "./errors.js";

export interface FileText {
  readonly text: string;
  /** "UTF-8", "UTF-16", "Windows-1252", or what the Encoding Standard calls another one. */
  readonly encoding: string;
}

/**
 * Returns the text of a file: UTF-8 or UTF-16 where it is that, else what its charset says, else Windows-1252, as programs of Windows save
 * what they call ANSI. One that folds its lines within a character is unfolded first. What is no character is U+FFFD.
 * @param contentType what was said of it
 * @throws ApiError when its charset is not known, or it says none and is none of these
 */
export function fileText(bytes: Buffer, contentType = ""): FileText {
  const inUtf16 = utf16Text(bytes);
  if (inUtf16 !== undefined) return { text: inUtf16, encoding: "UTF-16" };
  const [, charset] = /;\s*charset=["']?([^\s"';]+)/i.exec(contentType) ?? [];
  const decoder = charset === undefined ? undefined : decoderOf(charset);
  const isEscaped = decoder?.encoding === "iso-2022-jp" && bytes.includes(escape); // in bytes of ASCII
  if (isUtf8(bytes) && !isEscaped) return { text: bytes.toString(), encoding: "UTF-8" };
  const joined = unfolded(bytes);
  if (decoder?.encoding === "utf-8" || (isUtf8(joined) && !isEscaped))
    return { text: joined.toString(), encoding: "UTF-8" };
  if (decoder !== undefined && decoder.encoding !== "windows-1252")
    return { text: decoder.decode(joined), encoding: decoder.encoding };
  const latin = joined.toString("latin1");
  if (isMostlyUtf8(joined)) return { text: joined.toString(), encoding: "UTF-8" };
  if (charset !== undefined && decoder === undefined)
    throw refused("The file is not UTF-8, and the charset that was named is not known");
  if (charset === undefined && undefinedBytes.test(latin))
    throw refused("The file is neither UTF-8 nor Windows-1252, and no charset was named");
  return { text: windowsText(joined), encoding: "Windows-1252" };
}

function refused(what: string): ApiError {
  return new ApiError("encoding_invalid", [], {}, `${what}. Save it as UTF-8.`);
}

/** Returns the decoder of a charset by its names in the Encoding Standard; undefined when none has this name. */
function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** Undefined where it is not UTF-16: with its mark, or with the first letter of BEGIN:VCALENDAR. */
function utf16Text(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  const isLowFirst = (first === 0xff && second === 0xfe) || (first === 0x42 && second === 0);
  const isHighFirst = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x42);
  if (!isLowFirst && !isHighFirst) return undefined;
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = (isLowFirst ? whole : Buffer.from(whole).swap16()).toString("utf16le");
  return text.replace(/^\ufeff/, "").toWellFormed();
}

/** Bytes that Windows-1252 lacks. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/;

/** What Windows-1252 has for 0x80 to 0x9F. */
const windowsSigns = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ";

/**
 * Whether bytes that are not UTF-8 were meant to be. A character of UTF-8 may also be a letter and signs of Windows-1252, as in Spaß“ and
 * in Liberté before a no-break space and »: the majority decides. What is left of a broken character counts once.
 */
function isMostlyUtf8(bytes: Buffer): boolean {
  let [whole, others] = [0, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    const expected = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    let found = 0;
    while (found < expected && ((bytes[index + found + 1] ?? 0) & 0xc0) === 0x80) found++;
    index += found;
    if (expected > 0 && found === expected) whole++;
    else others++;
  }
  return whole > 0 && whole >= others;
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

/** The bytes without line breaks that a blank follows (RFC 5545 3.1), however many CR are before the LF. */
function unfolded(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length;) {
    let at = index;
    while (bytes[at] === carriageReturn) at++;
    const next = bytes[at + 1];
    const isFold = bytes[at] === lineFeed && (next === blank || next === tab);
    const end = isFold ? at + 2 : Math.max(at, index + 1);
    for (; index < end; index++) if (!isFold) kept[length++] = bytes[index] ?? 0;
  }
  return kept.subarray(0, length);
}

const [tab, lineFeed, carriageReturn, escape, blank] = [0x09, 0x0a, 0x0d, 0x1b, 0x20];
