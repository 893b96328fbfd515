import { readFileSync } from "node:fs";
import sqlite3 from "sqlite3";

/** Whether the files of a SQLite database have a text somewhere, once the write-ahead log is copied into the file. */
export async function hasBytes(file: string, text: string): Promise<boolean> {
  const other = new sqlite3.Database(file);
  await new Promise((resolve) => other.exec("PRAGMA wal_checkpoint(TRUNCATE)", resolve));
  await new Promise((resolve) => other.close(resolve));
  const files = ["", "-wal"].map((end) => readFileSync(`${file}${end}`));
  return files.some((bytes) => bytes.includes(text));
}
