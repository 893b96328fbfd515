import { parseArgs } from "node:util";

export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Which jobs, by the beginning of their id; none: all. */
  readonly jobs: readonly string[];
  /** Who does not take part. */
  readonly without: readonly string[];
  /** Address of another server, sent the same requests. */
  readonly against: string | undefined;
  /** Folder of another build of our server. */
  readonly baseline: string | undefined;
  /** Folder of the data. */
  readonly data: string;
  /** Compares with the committed ratios and writes nothing. */
  readonly compare: boolean;
  /** Writes the results of a run that is not a whole one too. */
  readonly write: boolean;
  /** Runs on PostgreSQL: one that it starts itself. */
  readonly postgres: boolean;
}

export const usage = `pnpm bench [options]
  --rounds N        rounds of each server and job (3)
  --seconds N       length of a round (5)
  --jobs J1,J3      these jobs only (J9 is memory, J10 the start)
  --without NAMES   leave out bare, express, tutorial
  --against URL     another server too, with the token and the data of this benchmark
  --baseline DIST   another build of our server with the same migrations, such as a copy of dist/
  --data FOLDER     where the data is kept (node_modules/.cache/bench)
  --postgres        J1, J3 and J8 on PostgreSQL, which it starts
  --compare         tell which ratios fell since the committed results; write nothing, never fail
  --write           write bench/RESULTS.md and bench/results.json even when not all was run at full length`;

/** @throws TypeError for an unknown option or a number that is none */
export function readOptions(args: readonly string[], defaultData: string): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      jobs: { type: "string", default: "" },
      without: { type: "string", default: "" },
      against: { type: "string" },
      baseline: { type: "string" },
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
    baseline: values.baseline,
  };
}

function count(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new TypeError(`${name} must be a whole number from 1`);
  return Number(text);
}

function names(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}
