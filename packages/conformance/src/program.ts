import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { consoleEnd, consoleLine } from "./report/console.js";
import { parseReportFiles, type ReportFile, writeReports } from "./report/files.js";
import { cleanup, coverage, listChecks, run } from "./run.js";
import type { CheckResult, RunOptions } from "./types.js";

/** What the command line uses of the process. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const usage = 2;
const suiteBroke = 5;

interface TargetFlags {
  readonly baseUrl: string;
  readonly token: string;
  readonly otherToken?: string;
  readonly timeoutMs?: number;
}

interface RunFlags extends TargetFlags {
  readonly subscribersCalendar?: string;
  readonly profile?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly readOnly?: boolean;
  readonly report?: readonly ReportFile[];
  readonly seed?: number;
  readonly randomOrder?: boolean;
  readonly concurrency?: number;
  readonly strict?: boolean;
  readonly quiet?: boolean;
  readonly coverage?: boolean;
}

/** The command line; returns the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  const program = new Command("kalends-conformance")
    .description("Judges any server by the contract of the calendar service, over HTTP alone.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .showHelpAfterError("(--help says more)");
  addCommands(program, terminal, (exitCode) => {
    code = exitCode;
  });

  // Without a server, too: nothing is sent.
  if (["--coverage", "run --coverage"].includes(args.join(" "))) {
    printCoverage(terminal);
    return 0;
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    terminal.err(error instanceof Error ? error.message : String(error));
    return suiteBroke;
  }
}

function addCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  withTarget(program.command("run").description("judge a server"), terminal)
    .option("--subscribers-calendar <id>", "a calendar with active, inactive and blocked subscribers")
    .option("--profile <names>", `parts to judge: ${profiles().join(", ")}`, profileNames)
    .option("--only <ids>", "checks to run, with * for anything", commas)
    .option("--skip <ids>", "checks to leave out, with * for anything", commas)
    .option("--read-only", "send no create, save or delete")
    .option("--report <files>", "junit=FILE,json=FILE,html=FILE", reportFiles)
    .option("--seed <number>", "repeats the random order and texts of a run", wholeNumber)
    .option("--random-order", "run the checks in a random order")
    .option("--concurrency <number>", "checks at the same time", wholeNumber)
    .option("--strict", "a recommendation that is not met fails, too")
    .option("--quiet", "print what failed, and the verdict")
    .option("--coverage", "print which checks hold each sentence of the contract, and end")
    .action(async (flags: RunFlags) => {
      if (flags.coverage === true) return printCoverage(terminal);
      exit(await judge(flags, terminal));
    });
  program
    .command("list")
    .description("print the checks")
    .action(() => printList(terminal));
  program
    .command("coverage")
    .description("print which checks hold each sentence of the contract")
    .action(() => printCoverage(terminal));
  withTarget(
    program
      .command("cleanup")
      .description("delete what earlier runs left behind, such as one that was killed"),
    terminal,
  )
    .option("--run <id>", "only what this run made")
    .option("--older-than <minutes>", "only what is older", wholeNumber)
    .action(async (flags: TargetFlags & { readonly run?: string; readonly olderThan?: number }) => {
      exit(await clean(flags, terminal));
    });
}

function withTarget(command: Command, { env }: Terminal): Command {
  const from = (option: Option, name: string): Option => {
    const value = env[name];
    return value === undefined || value === "" ? option : option.default(value, `$${name}`);
  };
  const mandatory = (option: Option, name: string): Option => {
    const value = env[name];
    return value === undefined || value === ""
      ? option.makeOptionMandatory()
      : option.default(value, `$${name}`);
  };
  return command
    .addOption(
      mandatory(
        new Option("--base-url <url>", "what stands before /api/v1").argParser(address),
        "KALENDS_BASE_URL",
      ),
    )
    .addOption(mandatory(new Option("--token <token>", "token of an account"), "KALENDS_TOKEN"))
    .addOption(from(new Option("--other-token <token>", "token of a second account"), "KALENDS_OTHER_TOKEN"))
    .option("--timeout-ms <number>", "longest wait for one answer", wholeNumber);
}

async function judge(flags: RunFlags, terminal: Terminal): Promise<number> {
  const { profile, report: files, randomOrder, quiet, coverage: _printed, ...rest } = flags;
  if (!URL.canParse(rest.baseUrl))
    return complain(terminal, "KALENDS_BASE_URL: expected an http or https address");
  const options: RunOptions = {
    ...rest,
    ...(profile === undefined ? {} : { profiles: profile }),
    ...(randomOrder === true ? { order: "random" } : {}),
    signal: terminal.signal,
  };
  const onResult = (result: CheckResult): void => {
    const bad = result.status === "failed" || result.status === "broken";
    if (bad || (quiet !== true && result.reason !== "interrupted")) terminal.out(consoleLine(result));
  };
  const onWait = (seconds: number): void =>
    terminal.err(`The server limits requests: going on in ${Math.ceil(seconds)} s.`);
  const report = await run(options, { onResult, onWait });
  terminal.out(consoleEnd(report));
  try {
    writeReports(report, files ?? []);
  } catch (error) {
    terminal.err(`A report could not be written: ${error instanceof Error ? error.message : String(error)}`);
    return suiteBroke;
  }
  return report.exitCode;
}

async function clean(
  flags: TargetFlags & { readonly run?: string; readonly olderThan?: number },
  terminal: Terminal,
): Promise<number> {
  const { run: runId, olderThan: olderThanMinutes, ...target } = flags;
  const which = {
    ...(runId === undefined ? {} : { runId }),
    ...(olderThanMinutes === undefined ? {} : { olderThanMinutes }),
  };
  try {
    const { deleted, left } = await cleanup({ ...target, ...which });
    terminal.out(
      `${deleted.length} calendars deleted, ${left.length} left${left.length === 0 ? "" : `: ${left.join(", ")}`}`,
    );
    return left.length === 0 ? 0 : 4;
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error));
    return 3;
  }
}

function printList(terminal: Terminal): void {
  for (const { id, level, profile, clause, title } of listChecks())
    terminal.out(`${id}  [${level}, ${profile}, ${clause}]  ${title}`);
}

function printCoverage(terminal: Terminal): void {
  const lines = coverage();
  for (const { clause, sentence, checks, notTestable } of lines) {
    terminal.out(`${clause}: ${sentence}`);
    terminal.out(
      notTestable === undefined ? `    ${checks.join(", ")}` : `    cannot be tested: ${notTestable}`,
    );
  }
  const held = lines.filter(({ checks }) => checks.length > 0).length;
  const open = lines.filter(({ notTestable }) => notTestable !== undefined).length;
  terminal.out(
    `${held} sentences held by checks, ${open} that cannot be tested, ${lines.length - held - open} without a check`,
  );
}

function complain(terminal: Terminal, message: string): number {
  terminal.err(message);
  return usage;
}

function profiles(): readonly string[] {
  return [...new Set(listChecks().map(({ profile }) => profile))];
}

function commas(text: string): readonly string[] {
  return text.split(",").filter((part) => part !== "");
}

function profileNames(text: string): readonly string[] {
  const names = commas(text);
  const unknown = names.find((name) => !profiles().includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no profile ${unknown}; there are ${profiles().join(", ")}.`);
  return names;
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError("Expected an http or https address.");
  return text;
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

function reportFiles(text: string): readonly ReportFile[] {
  const files = parseReportFiles(text);
  if (typeof files === "string") throw new InvalidArgumentError(files);
  return files;
}
