import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fillKalends, fillTutorial, type Size } from "./data.js";
import { scratchFolder } from "./scratch.js";
import { startKalends } from "./servers.js";

/** A database of its own for one server. */
export interface Copy {
  readonly url: string;
  remove(): Promise<void>;
}

export type Kind = "kalends" | "tutorial";

/** Where the databases come from: made once, then copied for every server that may write. */
export interface Store {
  readonly name: "SQLite" | "PostgreSQL";
  copy(kind: Kind, size: Size, dist: string): Promise<Copy>;
  close(): Promise<void>;
}

/** Raise it when the rows change. */
const version = 1;

/** Rows lie round the start of this month, so that they are made anew each month and `upcoming=now` stays in the middle. */
export function dataTime(): number {
  const today = new Date();
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth()) / 1000;
}

/** Names a database by all that decides what is in it: for ours also the migrations of the build under test. */
export function nameOf(kind: Kind, size: Size, dist: string): string {
  const hash = createHash("sha256").update(`${version} ${dataTime()}`);
  if (kind === "kalends") {
    const folder = join(dist, "db/migrations");
    for (const file of readdirSync(folder)) hash.update(readFileSync(join(folder, file)));
  }
  return `${kind}_${size}_${hash.digest("hex").slice(0, 12)}`;
}

/** Fills a database that is not there yet and lets the server migrate it. */
export async function make(url: string, kind: Kind, size: Size, dist: string): Promise<void> {
  console.error(`Making the data (${kind}, ${size}) ...`);
  if (kind === "tutorial") return fillTutorial(url, size, dataTime());
  await fillKalends(url, size, dataTime());
  const server = await startKalends(url, dist);
  return server.stop();
}

/** Files below `folder`; the copies are in the folder for temporary files, so that should be on a disk. */
export function sqliteStore(folder: string): Store {
  mkdirSync(folder, { recursive: true });
  return {
    name: "SQLite",
    copy: async (kind, size, dist) => {
      const file = join(folder, `${nameOf(kind, size, dist)}.sqlite`);
      if (!existsSync(file)) {
        const unfinished = `${file}.new`;
        for (const rest of ["", "-wal", "-shm"]) rmSync(unfinished + rest, { force: true });
        await make(`sqlite:${unfinished}`, kind, size, dist);
        renameSync(unfinished, file);
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
