import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { operations } from "@kalends/spec";
import { type FileText, fileText } from "../http/file-text.js";
import { requireThere } from "./database.js";

/** Reads a calendar file, or the standard input for "-". @throws Error when it is not there or too large */
export async function readText(file: string): Promise<FileText> {
  const source = file === "-" ? process.stdin : await openedFile(file);
  const { bytes: most } = operations.importCalendar.file;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    const bytes: Buffer = piece;
    length += bytes.length;
    if (length > most) throw new Error(`The file is larger than ${most / 1_000_000} MB; split it.`);
    pieces.push(bytes);
  }
  return fileText(Buffer.concat(pieces));
}

async function openedFile(file: string): Promise<Readable> {
  requireThere(file, `The file ${file} does not exist.`);
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder: name a file in it.`);
  return createReadStream(file);
}
