export { cleanup, type CleanupOptions, coverage, listChecks, run, type RunHooks } from "./run.js";
export type { CoverageLine } from "./coverage.js";
export type {
  CheckInfo,
  CheckResult,
  Counts,
  Exchange,
  ExitCode,
  Level,
  Report,
  RunOptions,
  Status,
  Verdict,
} from "./types.js";
