import { SingleBar } from "cli-progress";

export interface ProgressDisplay {
  /** Tells that so many more rows have passed. */
  readonly pass: (step: string, table: string, rows: number) => void;
  readonly end: () => void;
}

/** Shows on stderr how far it is: a bar on a terminal, else a line for each table and each tenth. */
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
  let passed = 0;
  return {
    pass: (step, table, rows) => {
      passed += rows;
      if (passed > bar.getTotal()) bar.setTotal(passed);
      bar.update(passed, { what: `${step} ${table}`.padEnd(20) });
    },
    end: () => bar.stop(),
  };
}

function writeLines(total: number): ProgressDisplay {
  let [passed, tenths, last] = [0, 0, ""];
  return {
    pass: (step, table, rows) => {
      passed += rows;
      const what = `${step} ${table}`;
      const tenth = Math.floor((10 * passed) / Math.max(1, total));
      if (what === last && tenth === tenths) return;
      [tenths, last] = [tenth, what];
      console.error(`${what}: ${passed} of ${Math.max(total, passed)} rows`);
    },
    end: () => undefined,
  };
}
