import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillKalends, fillTutorial, type Size } from "./data.js";
import { scratchFolder } from "./scratch.js";
import { fromHere, startKalends } from "./servers.js";

/** A database of its own for one server. */
export interface Copy {
  readonly url: string;
  remove(): Promise<void>;
}

export type Kind = "kalends" | "tutorial";

/** Where the databases come from: made once, then copied for every server that may write. */
export interface Store {
  readonly name: "SQLite" | "PostgreSQL";
  copy(kind: Kind, size: Size): Promise<Copy>;
  close(): Promise<void>;
}

/** Raise it when the rows change. */
const version = 2;

/** Rows lie round the start of this month, so that they are made anew each month and `upcoming=now` stays in the middle. */
export function dataTime(): number {
  const today = new Date();
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth()) / 1000;
}

/** Names a database by all that decides what is in it: for ours also the migrations. */
export function nameOf(kind: Kind, size: Size): string {
  const hash = createHash("sha256").update(`${version} ${dataTime()}`);
  if (kind === "kalends") {
    const folder = fromHere("../src/db/migrations");
    for (const file of readdirSync(folder)) hash.update(readFileSync(join(folder, file)));
  }
  return `${kind}_${size}_${hash.digest("hex").slice(0, 12)}`;
}

/** Fills a database that is not there yet, and lets the server migrate it and do what it does in the background after that. */
export async function make(url: string, kind: Kind, size: Size): Promise<void> {
  console.error(`Making the data (${kind}, ${size}) ...`);
  if (kind === "tutorial") return fillTutorial(url, size, dataTime());
  await fillKalends(url, size, dataTime());
  const server = await startKalends(url);
  for (let calm = 0; calm < calmSeconds;) {
    const before = server.cpuMicros();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    calm = server.cpuMicros() - before > calmMicros ? 0 : calm + 1;
  }
  return server.stop();
}

/** A server that takes less than this of each second for so many seconds has nothing left to do. */
const calmMicros = 30_000;
const calmSeconds = 3;

/** Files below `folder`; the copies are in the folder for temporary files, so that should be on a disk. */
/** Where data is made: a million events take minutes where each of the server's writes waits for a disk. */
const quickFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export function sqliteStore(folder: string): Store {
  mkdirSync(folder, { recursive: true });
  return {
    name: "SQLite",
    copy: async (kind, size) => {
      const file = join(folder, `${nameOf(kind, size)}.sqlite`);
      if (!existsSync(file)) {
        const place = mkdtempSync(join(quickFolder, "kalends-bench-"));
        const made = join(place, "data.sqlite");
        try {
          await make(`sqlite:${made}`, kind, size);
          copyFileSync(made, `${file}.${process.pid}`);
          renameSync(`${file}.${process.pid}`, file); // whole, or not there
        } finally {
          rmSync(place, { recursive: true });
        }
      }
      const place = scratchFolder();
      copyFileSync(file, join(place, "data.sqlite"));
      return {
        url: `sqlite:${join(place, "data.sqlite")}`,
        remove: () => Promise.resolve(rmSync(place, { recursive: true })),
      };
    },
    close: () => Promise.resolve(),
  };
}
