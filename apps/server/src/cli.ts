#!/usr/bin/env -S node --
import { CommanderError } from "commander";
import { createProgram } from "./cli/program.js";
import { startFailure } from "./start-failure.js";

// "node --" in the first line: Node 20 would take --env-file for its own, wherever it stands.
// Exit codes: 0 success, 1 failure, 2 unknown command or option.
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(startFailure(error));
    process.exitCode = 1;
  }
}
