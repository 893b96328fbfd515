import { parseArgs } from "node:util";

export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Ids, or prefixes of ids, of the jobs to run; all when empty. */
  readonly jobs: readonly string[];
  /** Servers to leave out. */
  readonly without: readonly string[];
  /** URL of another server to measure. */
  readonly against: string | undefined;
  /** Folder of another build of Kalends. */
  readonly previous: string | undefined;
  /** Folder for the generated data. */
  readonly data: string;
  /** Compares with the committed ratios; writes nothing. */
  readonly compare: boolean;
  /** Also writes the results of a partial run. */
  readonly write: boolean;
  /** Runs on a PostgreSQL server started for this run. */
  readonly postgres: boolean;
}

export const usage = `pnpm bench [options]
  --rounds N        rounds per server and job (default 3)
  --seconds N       length of a round in seconds (default 5)
  --jobs J1,J3      run only these jobs (J9 is memory, J10 startup)
  --without NAMES   leave out servers: bare, express, tutorial
  --against URL     also measure this server, which has the token and data of the benchmark
  --previous DIST   also measure another build, such as a copy of dist/ of the release before
  --data FOLDER     folder for the generated data (default node_modules/.cache/bench)
  --postgres        run J1, J3 and J8 on a PostgreSQL server started for this run
  --compare         report ratios that fell since the committed results; write nothing, never fail
  --write           write bench/RESULTS.md, bench/results.json and the tables of the documents also after a partial run`;

/** Parses the command line. @throws TypeError for an unknown option or an invalid number */
export function readOptions(args: readonly string[], defaultData: string): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      jobs: { type: "string", default: "" },
      without: { type: "string", default: "" },
      against: { type: "string" },
      previous: { type: "string" },
      data: { type: "string", default: defaultData },
      compare: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      postgres: { type: "boolean", default: false },
    },
  });
  return {
    ...values,
    rounds: count("--rounds", values.rounds),
    seconds: count("--seconds", values.seconds),
    jobs: names(values.jobs),
    without: names(values.without),
    against: values.against,
    previous: values.previous,
  };
}

function count(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new TypeError(`${name} must be a whole number from 1`);
  return Number(text);
}

function names(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}
