import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Power cuts, simulated from a journal of all that a server wrote to its SQLite files and of each sync (write-journal.c). Before
// its sync each sector of 512 bytes may have reached the disk or not, in any order; after it, it is there. Not simulated: a disk
// that acknowledges a sync too early, sectors with bytes that were never written, and changes of the folder: new and removed files.

/** Compiles the library that writes the journal; undefined without a C compiler, or on another system than Linux. */
export function buildJournalLibrary(folder: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  const library = join(folder, "write-journal.so");
  const source = fileURLToPath(new URL("write-journal.c", import.meta.url));
  try {
    execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], { stdio: "pipe" });
    return library;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export interface Journal {
  /** How much has been written; a cut at this size has all that was done before. */
  readonly size: () => number;
  /** Reads what was written so far. */
  readonly read: () => readonly Entry[];
}

export function openJournal(path: string): Journal {
  return { size: () => statSync(path).size, read: () => parse(readFileSync(path)) };
}

/** Something that was done to a file. */
export interface Entry {
  readonly kind: "write" | "truncate" | "remove" | "sync";
  readonly file: number;
  /** Where in the journal it stands. */
  readonly position: number;
  /** Of a sync: the position from which on it shows nothing. */
  readonly offset: number;
  readonly length: number;
  readonly bytes: Buffer;
}

const kinds = ["write", "truncate", "remove", "sync"] as const;
const headBytes = 24;

function parse(journal: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  for (let position = 0; position + headBytes <= journal.length;) {
    const kind = kinds[journal.readUInt32LE(position)];
    if (kind === undefined) throw new Error(`no entry at ${position}`);
    const file = journal.readUInt32LE(position + 4);
    const offset = Number(journal.readBigUInt64LE(position + 8));
    const length = Number(journal.readBigUInt64LE(position + 16));
    const end = position + headBytes + (kind === "write" ? length : 0);
    entries.push({
      kind,
      file,
      position,
      offset,
      length,
      bytes: journal.subarray(position + headBytes, end),
    });
    position = end;
  }
  return entries;
}

/** What becomes of each sector that was written but not synced. */
export type Unsynced = "kept" | "lost" | "either";

/**
 * Writes the files that a power cut after the entries before `position` leaves.
 * @param syncs "ignored" as by a disk that lies
 */
export function writeImage(options: {
  readonly entries: readonly Entry[];
  readonly position: number;
  readonly unsynced: Unsynced;
  readonly databaseFile: string;
  readonly syncs?: "honoured" | "ignored";
}): void {
  const { entries, position, unsynced, databaseFile, syncs = "honoured" } = options;
  for (const [index, suffix] of ["", "-wal", "-journal"].entries()) {
    const done = entries.filter((entry) => entry.position < position && entry.file === index + 1);
    const synced = done.findLast(({ kind }) => kind === "sync" && syncs === "honoured")?.offset ?? 0;
    const file = emptyFile(Math.max(0, ...done.map(endOf)));
    for (const entry of done) apply(file, entry, entry.position < synced ? "kept" : unsynced);
    if (file.exists) writeFileSync(`${databaseFile}${suffix}`, file.bytes.subarray(0, file.length));
  }
}

interface File {
  /** As many as it ever has; those that were never written are zero. */
  readonly bytes: Buffer;
  length: number;
  exists: boolean;
}

function emptyFile(mostBytes: number): File {
  return { bytes: Buffer.alloc(mostBytes), length: 0, exists: false };
}

function endOf({ kind, offset, length }: Entry): number {
  return kind === "write" ? offset + length : length;
}

const sectorBytes = 512;

function apply(file: File, { kind, offset, length, bytes }: Entry, how: Unsynced): void {
  if (kind === "sync") return;
  const isKept = (): boolean => how === "kept" || (how === "either" && randomInt(2) === 1);
  if (kind !== "write") {
    if (kind === "truncate" && !isKept()) return;
    file.bytes.fill(0, length);
    file.length = length;
    file.exists = kind === "truncate";
    return;
  }
  for (let from = 0; from < bytes.length;) {
    const end = Math.min(bytes.length, from + sectorBytes - ((offset + from) % sectorBytes));
    if (isKept()) {
      bytes.copy(file.bytes, offset + from, from, end);
      file.length = Math.max(file.length, offset + end);
      file.exists = true;
    }
    from = end;
  }
}
