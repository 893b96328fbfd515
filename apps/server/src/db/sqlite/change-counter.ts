import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";

// Detects commits without a query, by one read of 96 bytes from the page cache (docs/decisions/0009).

/** The header of the WAL index, which stands there twice (sqlite.org/walformat.html, 2.1). */
const headerBytes = 48;

export interface ChangeCounter {
  /** Returns a text that every commit of every process changes; undefined when it cannot be read right now. */
  read(): string | undefined;
  /** Call it after the connections of this opening are closed. */
  close(): void;
}

/**
 * The files open in this process. Closing any descriptor of a file drops all locks that the process holds on it (POSIX
 * fcntl), SQLite's too: so a file is opened once, and closed with its last user.
 */
const files = new Map<string, { users: number; descriptor: number | undefined }>();

/**
 * Reads the WAL index of a database that this process holds open in WAL mode. A writer changes its header, with a count of
 * the transactions in it, before its commit returns.
 */
export function openChangeCounter(databasePath: string): ChangeCounter {
  const path = `${resolve(databasePath)}-shm`;
  const file = files.get(path) ?? { users: 0, descriptor: undefined };
  files.set(path, file);
  file.users++;
  const buffer = Buffer.alloc(2 * headerBytes);
  const last = { bytes: Buffer.alloc(buffer.length, 1), text: "" };
  /** Whether the headers could be read: the file may not be there, or not to be read, such as on another operating system. */
  const readHeaders = (): boolean => {
    try {
      file.descriptor ??= openSync(path, "r");
      return readSync(file.descriptor, buffer, 0, buffer.length, 0) === buffer.length;
    } catch {
      return false;
    }
  };
  return {
    read: () => {
      if (!readHeaders()) return undefined; // then a query is needed
      if (buffer.equals(last.bytes)) return last.text;
      const [first, second] = [buffer.subarray(0, headerBytes), buffer.subarray(headerBytes)];
      if (!first.equals(second)) return undefined; // in the middle of a commit they differ
      buffer.copy(last.bytes);
      last.text = first.toString("latin1");
      return last.text;
    },
    close: () => {
      if (--file.users > 0) return;
      files.delete(path);
      if (file.descriptor !== undefined) closeSync(file.descriptor);
    },
  };
}
