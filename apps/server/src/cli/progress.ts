import { SingleBar } from "cli-progress";

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
