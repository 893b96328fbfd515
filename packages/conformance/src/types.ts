/** How much a check counts: only a required one can make a server fail. */
export type Level = "required" | "recommended" | "observed";
export type Status = "passed" | "failed" | "skipped" | "broken" | "observed";
export type Verdict =
  | "conforms"
  | "fails"
  | "incomplete"
  | "wrong-usage"
  | "nothing-judged"
  | "down"
  | "unreachable"
  | "leftovers"
  | "broken"
  | "interrupted";
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130;

export interface RunOptions {
  /** `{base_url}` of the contract: what stands before `/api/v1`. */
  readonly baseUrl: string;
  /** Token of an account; the run makes calendars in it and deletes them. */
  readonly token: string;
  /** Token of a second account, for the checks that one account cannot touch another's data. */
  readonly otherToken?: string;
  /** Id of a calendar of the first account with active, inactive and blocked subscribers. */
  readonly subscribersCalendar?: string;
  /** Parts to judge; all of the contract when absent, without `extensions`. */
  readonly profiles?: readonly string[];
  /** Ids of checks to run, as globs such as `events.save.*`. */
  readonly only?: readonly string[];
  /** Ids of checks to leave out, as globs. */
  readonly skip?: readonly string[];
  /** Runs the required checks alone. */
  readonly required?: boolean;
  /** Sends no create, save or delete at all. */
  readonly readOnly?: boolean;
  /** Longest wait for one answer, in milliseconds. Default 10 000. */
  readonly timeoutMs?: number;
  /** Seed of the random texts. */
  readonly seed?: number;
  /** Checks that run at the same time. Default 8. */
  readonly concurrency?: number;
  /** A recommendation that is not met makes the verdict `fails`, too. */
  readonly strict?: boolean;
  /** A check that was chosen and did not run makes the verdict `incomplete`. */
  readonly requireComplete?: boolean;
  /** Baseline: id → reason. These checks may fail; when one passes, the verdict is `fails`, so that the list stays true. */
  readonly knownFailures?: Readonly<Record<string, string>>;
  /** Ends the run early; what it made is deleted first. */
  readonly signal?: AbortSignal;
}

export interface CheckInfo {
  /** Stable and dotted, such as "events.create.end-defaults-to-one-hour". */
  readonly id: string;
  readonly level: Level;
  /** Address of the clause, such as "docs/contract.md#4.6" or "docs/rulings.md#r4.2". */
  readonly clause: string;
  /** The clause in short. */
  readonly sentence: string;
  readonly profile: string;
  /** The guarantee. */
  readonly title: string;
}

/** One request and its answer. Tokens are replaced by `***`. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 4 000 characters. */
  readonly body: string;
  readonly durationMs: number;
  /** Why no answer came. */
  readonly error?: string;
  /** The request as a command line. */
  readonly curl: string;
}

export interface CheckResult extends CheckInfo {
  readonly status: Status;
  /** Why it failed or broke, or what was observed. */
  readonly message?: string;
  /** Why it was skipped. */
  readonly reason?: string;
  /** Cause that other failures share, such as "createCalendar: no such path". */
  readonly cause?: string;
  /** Why the failure is accepted: the reason in the list of known failures. */
  readonly known?: string;
  /** It passed, but is listed as a known failure; its status is `failed`. */
  readonly unexpected?: boolean;
  readonly durationMs: number;
  /** Requests and responses, only of checks that failed or broke. */
  readonly exchanges: readonly Exchange[];
}

export interface Counts {
  readonly passed: number;
  /** Without known failures. */
  readonly failed: number;
  /** Failures that the list of known failures accepts. */
  readonly known: number;
  readonly skipped: number;
  readonly broken: number;
  readonly observed: number;
}

export interface Report {
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  /** One line: the verdict, and how many checks passed, failed and were not tested. */
  readonly summary: string;
  readonly counts: Readonly<Record<Level, Counts>>;
  readonly results: readonly CheckResult[];
  /** How many checks there are; `results` has fewer when only a part was chosen. */
  readonly checks: number;
  /** Whether a recommendation that is not met is a failure. */
  readonly strict: boolean;
  readonly baseUrl: string;
  /** In the title of everything the run made. */
  readonly runId: string;
  readonly seed: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Ids of calendars that the run made and could not delete. */
  readonly leftovers: readonly string[];
}
