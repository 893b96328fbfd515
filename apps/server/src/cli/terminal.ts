import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SingleBar } from "cli-progress";
import { codeOf } from "../db/error-code.js";

/** Prints a text to stdout. A reader that closed the pipe, as `head` does, is no failure: console.log ignores it. */
export function print(text: string): void {
  console.log(text.replace(/\n$/, ""));
}

/** Prints a long text piece by piece, as fast as it is read, and ends quietly when the reader closes the pipe. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<undefined> {
  await pipeline(Readable.from(pieces), process.stdout, { end: false }).catch((error: unknown) => {
    if (codeOf(error) !== "EPIPE") throw error;
  });
}

/** A number with its noun, such as "1 account" or "2 accounts". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Asks on stderr and reads the answer from stdin, so that stdout has only the report. @throws Error unless it is "yes" */
export async function confirm(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    const answer = await Promise.race([terminal.question(`${question}\nType yes to go on: `), ended]);
    if (answer.trim() !== "yes") throw new Error("Nothing was changed. Without a terminal, give --yes.");
  } finally {
    terminal.close();
  }
}

export interface ProgressDisplay {
  /** Reports that so many more rows were processed. */
  readonly add: (step: string, table: string, rows: number) => void;
  readonly end: () => void;
}

/** Shows progress on stderr: a bar on a terminal, otherwise one line for each table and each 10 % of `total` rows. */
export function showProgress(total: number): ProgressDisplay {
  return process.stderr.isTTY ? showBar(total) : writeLines(total);
}

function showBar(total: number): ProgressDisplay {
  const bar = new SingleBar({
    stream: process.stderr,
    format: "{what} [{bar}] {percentage} % | {value} of {total} rows | {eta_formatted} left",
    hideCursor: true,
  });
  bar.start(total, 0, { what: "start" });
  let done = 0;
  return {
    add: (step, table, rows) => {
      done += rows;
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done, { what: `${step} ${table}`.padEnd(20) });
    },
    end: () => bar.stop(),
  };
}

function writeLines(total: number): ProgressDisplay {
  let [done, tenths, last] = [0, 0, ""];
  return {
    add: (step, table, rows) => {
      done += rows;
      const what = `${step} ${table}`;
      const tenth = Math.floor((10 * done) / Math.max(1, total));
      if (what === last && tenth === tenths) return;
      [tenths, last] = [tenth, what];
      console.error(`${what}: ${done} of ${Math.max(total, done)} rows`);
    },
    end: () => undefined,
  };
}
