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
import { fromHere, ownDist, startKalends } from "./servers.js";

/** A database for one server. */
export interface Copy {
  readonly url: string;
  remove(): Promise<void>;
}

export type Kind = "kalends" | "tutorial";

/** Creates databases: filled once, then copied for each server. */
export interface Store {
  readonly name: "SQLite" | "PostgreSQL";
  /** @param dist a build of Kalends, whose schema the database has; the one that is measured unless given */
  copy(kind: Kind, size: Size, dist?: string): Promise<Copy>;
  close(): Promise<void>;
}

/** Where the data is kept, unless an option names another folder. */
export const dataFolder = fromHere("../node_modules/.cache/bench");

/** Increment when the rows change. */
const version = 4;

/** Returns the start of the month in Unix seconds. The rows are centred on it and generated again each month. */
export function dataTime(): number {
  const today = new Date();
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth()) / 1000;
}

/** Returns a database name with a hash of everything that determines its contents, such as the build. */
export function nameOf(kind: Kind, size: Size, dist: string): string {
  const hash = createHash("sha256").update(`${version} ${dataTime()}`);
  const folder = dist === ownDist ? fromHere("../src/db") : dist;
  const files =
    kind === "kalends" ? readdirSync(folder).filter((file) => /^schema\.ts$|\.js$/.test(file)) : [];
  for (const file of files) hash.update(readFileSync(join(folder, file)));
  return `${kind}_${size}_${hash.digest("hex").slice(0, 12)}`;
}

/** Fills a new database, then runs the build's server until its background jobs are done. */
export async function fillDatabase(url: string, kind: Kind, size: Size, dist: string): Promise<void> {
  console.error(`Generating data (${kind}, ${size}) ...`);
  if (kind === "tutorial") return fillTutorial(url, size, dataTime());
  await fillKalends(url, size, dataTime(), dist);
  const server = await startKalends(url, dist);
  for (let idle = 0; idle < idleSeconds;) {
    const before = server.cpuMicros();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    idle = server.cpuMicros() - before > idleMicros ? 0 : idle + 1;
  }
  return server.stop();
}

/** A server that uses less CPU than this per second, for so many seconds, has finished its jobs. */
const idleMicros = 30_000;
const idleSeconds = 3;

/** Folder for generating data; in memory, because generating on a disk takes minutes. */
const fastFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Opens a store with files in `folder`; copies are temporary files, whose folder should be on a disk. */
export function sqliteStore(folder: string): Store {
  mkdirSync(folder, { recursive: true });
  return {
    name: "SQLite",
    copy: async (kind, size, dist = ownDist) => {
      const file = join(folder, `${nameOf(kind, size, dist)}.sqlite`);
      if (!existsSync(file)) {
        const temporary = mkdtempSync(join(fastFolder, "kalends-bench-"));
        const source = join(temporary, "data.sqlite");
        try {
          await fillDatabase(`sqlite:${source}`, kind, size, dist);
          copyFileSync(source, `${file}.${process.pid}`);
          renameSync(`${file}.${process.pid}`, file); // atomic
        } finally {
          rmSync(temporary, { recursive: true });
        }
      }
      const scratch = scratchFolder();
      copyFileSync(file, join(scratch, "data.sqlite"));
      return {
        url: `sqlite:${join(scratch, "data.sqlite")}`,
        remove: () => Promise.resolve(rmSync(scratch, { recursive: true })),
      };
    },
    close: () => Promise.resolve(),
  };
}
