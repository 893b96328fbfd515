#!/usr/bin/env -S node --
import { runCommandLine } from "./cli/run.js";

// "node --" in the first line: Node 20 would take --env-file for its own, wherever it stands.
await runCommandLine(process.argv.slice(2));
