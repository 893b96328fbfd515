import { CommanderError } from "commander";
import { startFailure } from "../start-failure.js";
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
