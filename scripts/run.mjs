// The one command behind `npm start`, `npm test`, `npm run bench|build|check|dev|…`, and `npm start` in examples.
// Needs nothing but Node and npm: it fetches pnpm, installs, and then does the work.
import { bench } from "./lib/bench.mjs";
import { check } from "./lib/check.mjs";
import { dev } from "./lib/dev.mjs";
import { fail } from "./lib/child.mjs";
import { start, startExample } from "./lib/start.mjs";
import { test, testCluster, testDeep } from "./lib/test.mjs";
import { pnpm } from "./lib/pnpm.mjs";
import { install, tool } from "./lib/workspace.mjs";

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  start: (args) => start("main", args),
  kalends: (args) => start("cli", args),
  example: startExample,
  dev,
  test,
  "test:deep": testDeep,
  "test:cluster": testCluster,
  check,
  build: async (args) => (await install(), tool("turbo", ["run", "build", ...args])),
  emit: async (args) => (await install(), tool("turbo", ["run", "emit", ...args])),
  bench,
  pnpm,
};

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Kalends needs Node 20.19 or newer; this is ${process.version}.`,
    "Install Node 22 or 24 and try again.",
  );
}

const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) fail(`Usage: node scripts/run.mjs ${Object.keys(commands).join("|")} [arguments]`);
process.exitCode = await command(args);
