import { format } from "node:util";
import { CommanderError } from "commander";
import { vi } from "vitest";
import { createProgram, runCommandLine } from "../src/cli/program.js";
import type { Finished } from "./process.js";

/**
 * Runs a command line in this process, with only these settings: for what a command prints and does to its database, in a tenth
 * of the time of a process of its own (`run` of process.ts). Not two at once, and none that reads stdin.
 */
export async function runHere(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Finished> {
  const { env, exitCode } = process;
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).flatMap((stream) => [
    vi.spyOn(process[stream], "write").mockImplementation((text, ...rest) => {
      printed[stream] += String(text);
      for (const done of rest) if (typeof done === "function") done();
      return true;
    }),
    vi.spyOn(console, stream === "stdout" ? "log" : "error").mockImplementation((...values) => {
      printed[stream] += `${format(...values)}\n`;
    }),
  ]);
  process.env = { PATH: env.PATH, ...settings };
  process.exitCode = 0;
  try {
    await runCommandLine(args);
    return { code: process.exitCode, ...printed };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Parses arguments in this process. Returns the output and commander's exit code. */
export async function parse(args: readonly string[]) {
  const printed = { out: "", err: "" };
  const output = {
    writeOut: (text: string) => (printed.out += text),
    writeErr: (text: string) => (printed.err += text),
  };
  try {
    await createProgram(output).parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { ...printed, exitCode: error.exitCode };
  }
  throw new Error("the arguments were accepted");
}
