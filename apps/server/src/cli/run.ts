import { CommanderError } from "commander";
import { startFailure } from "../process/start-failure.js";
import { createProgram } from "./program.js";

/** Runs a command line and sets the exit code: 0 success, 1 failure, which it prints, 2 unknown command or option. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      console.error(startFailure(error));
      process.exitCode = 1;
    }
  }
}

/**
 * For the errors of stdout, which console.log ignores: a token that is shown once would be lost on a full disk, without a word. A
 * closed pipe is no failure.
 */
export function failOnLostOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  console.error(`What the command printed was not written: ${error.message}. What it did is done.`);
  process.exitCode = 1;
}
