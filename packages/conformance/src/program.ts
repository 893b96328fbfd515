import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import { knownFailuresOf } from "./engine/baseline.js";
import * as parse from "./arguments.js";
import { exitCodes } from "./engine/verdict.js";
import { isBad } from "./report/causes.js";
import { consoleEnd, consolePrinter } from "./report/console.js";
import { type ReportFile, writeReports } from "./report/files.js";
import { annotations, markdown } from "./report/github.js";
import { cleanup, coverage, listChecks, run } from "./run.js";
import type { CheckResult, Report, RunOptions } from "./types.js";

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const usage = 2;
const suiteBroke = 5;

type TargetFlags = Pick<RunOptions, "baseUrl" | "token" | "otherToken" | "timeoutMs">;

interface RunFlags extends Omit<RunOptions, "signal" | "profiles"> {
  readonly profile?: readonly string[];
  readonly report?: readonly ReportFile[];
  readonly writeKnownFailures?: string;
  readonly quiet?: boolean;
}

/** The command line; returns the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  const exit = (exitCode: number): void => {
    code = exitCode;
  };
  const program = new Command("kalends-conformance")
    .description("Judges any server by the contract of the calendar service, over HTTP alone.")
    .version(version())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  addRun(program, terminal, exit);
  addOthers(program, terminal, exit);

  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    terminal.err(messageOf(error));
    return suiteBroke;
  }
}

function addRun(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  withTarget(program.command("run").description("judge a server"), terminal)
    .option("--subscribers-calendar <id>", "a calendar with active, inactive and blocked subscribers")
    .option("--profile <names>", `parts to judge: ${parse.profiles().join(", ")}`, parse.profileNames)
    .option("--only <ids>", "checks to run, with * for anything", parse.commas)
    .option("--skip <ids>", "checks to leave out, with * for anything", parse.commas)
    .option("--required", "run the required checks alone")
    .option("--read-only", "send no create, save or delete")
    .option("--report <files>", "junit=FILE,json=FILE,markdown=FILE", parse.reportFiles)
    .option("--known-failures <file>", "a JSON object of check ids and reasons", parse.knownFailures)
    .option("--write-known-failures <file>", "write such a file of what fails now")
    .option("--seed <number>", "repeat the random texts of a run", parse.seed)
    .option("--concurrency <number>", "checks at the same time", parse.positiveNumber)
    .option("--strict", "a recommendation that is not met fails, too")
    .option("--require-complete", "a check that was chosen and does not run fails the run")
    .option("--quiet", "print what failed, and the verdict")
    .action(async (flags: RunFlags) => exit(await judge(flags, terminal)));
}

function addOthers(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  program
    .command("list")
    .description("print the checks")
    .action(() => {
      for (const { id, level, profile, clause, title } of listChecks())
        terminal.out(`${id}  [${level}, ${profile}, ${clause}]  ${title}`);
    });
  program
    .command("coverage")
    .description("print which checks hold each sentence of the contract")
    .action(() => exit(printCoverage(terminal)));
  const words = "delete what earlier runs left behind, such as one that was killed";
  withTarget(program.command("cleanup").description(words), terminal)
    .option("--run <id>", "only what this run made", parse.runId)
    .option("--older-than <minutes>", "only what is older", parse.wholeNumber)
    .action(async (flags: TargetFlags & { readonly run?: string; readonly olderThan?: number }) =>
      exit(await clean(flags, terminal)),
    );
}

/** The options that name a server; the environment stands for them. */
function withTarget(command: Command, { env }: Terminal): Command {
  const add = (flags: string, description: string, name: string, mandatory: boolean): Command => {
    const option = new Option(flags, description);
    if (name === "KALENDS_BASE_URL") option.argParser(parse.address);
    const value = env[name] ?? "";
    if (value !== "") option.default(value, `$${name}`);
    return command.addOption(option.makeOptionMandatory(mandatory && value === ""));
  };
  add("--base-url <url>", "what stands before /api/v1", "KALENDS_BASE_URL", true);
  add("--token <token>", "token of an account", "KALENDS_TOKEN", true);
  add("--other-token <token>", "token of a second account", "KALENDS_OTHER_TOKEN", false);
  return command.option("--timeout-ms <number>", "longest wait for one answer", parse.positiveNumber);
}

async function judge(flags: RunFlags, terminal: Terminal): Promise<number> {
  const { profile, report: files = [], quiet, ...rest } = flags;
  const { writeKnownFailures, ...options } = rest;
  const print = consolePrinter();
  const onResult = (result: CheckResult): void => {
    if (isBad(result) || (quiet !== true && !unspoken(result))) terminal.out(print(result));
  };
  const onWait = (seconds: number): void =>
    terminal.err(`The server limits requests: going on in ${Math.ceil(seconds)} s.`);
  const chosen = {
    ...options,
    ...(profile === undefined ? {} : { profiles: profile }),
    signal: terminal.signal,
  };
  const report = await run(chosen, { onResult, onWait });
  if (report.verdict === "wrong-usage") {
    terminal.err(report.summary.split(". ")[0] ?? "");
    return usage;
  }
  if (report.verdict === "down") terminal.err(`${report.baseUrl} does not answer: ${reasonOf(report)}`);
  else terminal.out(consoleEnd(report));
  try {
    writeReports(report, files);
    if (writeKnownFailures !== undefined)
      writeFileSync(writeKnownFailures, knownFailuresOf(report, options.knownFailures ?? {}));
    tellGitHub(report, terminal);
  } catch (error) {
    terminal.err(`A report could not be written: ${messageOf(error)}`);
    return suiteBroke;
  }
  return report.exitCode;
}

/** Returns why the server is down: no check ran, and each has the reason. */
function reasonOf({ results }: Report): string {
  return results[0]?.reason?.replace(/^.*?no answer: /, "") ?? "unknown";
}

/** When a run ends at once, its checks are not listed one by one. */
function unspoken({ reason, durationMs }: CheckResult): boolean {
  return reason === "interrupted" || (reason?.startsWith("the server refuses") === true && durationMs === 0);
}

/** In a GitHub workflow: a summary of the job, and an annotation for each failure. */
function tellGitHub(report: Report, terminal: Terminal): void {
  const { env } = terminal;
  const summary = env["GITHUB_STEP_SUMMARY"] ?? "";
  if (summary !== "") appendFileSync(summary, markdown(report));
  if (env["GITHUB_ACTIONS"] === "true") for (const line of annotations(report)) terminal.out(line);
}

async function clean(
  { run: runId, olderThan, ...target }: TargetFlags & { readonly run?: string; readonly olderThan?: number },
  terminal: Terminal,
): Promise<number> {
  const which = runId === undefined ? {} : { runId };
  const age = olderThan === undefined ? {} : { olderThanMinutes: olderThan };
  try {
    const { deleted, left } = await cleanup({ ...target, ...which, ...age });
    const names = left.length === 0 ? "" : `: ${left.join(", ")}`;
    terminal.out(`${deleted.length} calendars deleted, ${left.length} left${names}`);
    return left.length === 0 ? 0 : 4;
  } catch (error) {
    terminal.err(messageOf(error));
    return error instanceof Error && error.cause === "down" ? exitCodes.down : 3;
  }
}

function printCoverage(terminal: Terminal): 0 {
  const lines = coverage();
  for (const { clause, sentence, checks, notTestable } of lines) {
    terminal.out(`${clause}: ${sentence}`);
    terminal.out(`    ${notTestable === undefined ? checks.join(", ") : `cannot be tested: ${notTestable}`}`);
  }
  const held = lines.filter(({ checks }) => checks.length > 0).length;
  const open = lines.filter(({ notTestable }) => notTestable !== undefined).length;
  const without = lines.length - held - open;
  terminal.out(`${held} sentences held by checks, ${open} that cannot be tested, ${without} without a check`);
  return 0;
}

function version(): string {
  const file = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return /"version": "([^"]+)"/.exec(file)?.[1] ?? "unknown";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
