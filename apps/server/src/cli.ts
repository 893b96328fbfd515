#!/usr/bin/env -S node --
import { failOnLostOutput, runCommandLine } from "./cli/program.js";

// "node --" in the first line: Node 20 would take --env-file for its own, wherever it stands.
process.stdout.once("error", failOnLostOutput);
await runCommandLine(process.argv.slice(2));
