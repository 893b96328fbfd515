import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";

/*
 * Whether anything was committed, without asking SQLite: a query takes a thread of libuv's, this takes one read of 96 bytes
 * from the page cache, about 2 us. Measured on the feeds' 304: twice as many answers, four times as many on a busy machine.
 */

/** The header of the WAL index, which stands there twice (sqlite.org/walformat.html, 2.1). */
const headerBytes = 48;

export interface CommitStamp {
  /** A text that every commit of every process changes; undefined when that cannot be told right now. */
  read(): string | undefined;
  /** Call it when the connections of this opening are closed. */
  close(): void;
}

/**
 * Whether exactly one transaction was committed between two stamps: the header counts them. What is done to the file beside,
 * such as a checkpoint, is none.
 */
export function isNextCommit(before: string, after: string): boolean {
  return commitCount(after) === (commitCount(before) + 1) % 2 ** 32;
}

/** iChange, the third number of the header, whose bytes stand in the order of this machine. */
function commitCount(stamp: string): number {
  const [, , count = NaN] = new Uint32Array(Uint8Array.from(Buffer.from(stamp, "latin1")).buffer);
  return count;
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
export function openCommitStamp(databasePath: string): CommitStamp {
  const path = `${resolve(databasePath)}-shm`;
  const file = files.get(path) ?? { users: 0, descriptor: undefined };
  files.set(path, file);
  file.users++;
  const buffer = Buffer.alloc(2 * headerBytes);
  const last = { bytes: Buffer.alloc(buffer.length, 1), text: "" };
  return {
    read: () => {
      try {
        file.descriptor ??= openSync(path, "r");
        if (readSync(file.descriptor, buffer, 0, buffer.length, 0) < buffer.length) return undefined;
      } catch {
        return undefined; // not there, or not to be read, such as on another operating system: then SQLite is asked
      }
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
