// Running other programs so that none outlives us.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const parent = process.ppid;
const parentPollMs = 250;
const killAfterMs = 30_000;

/**
 * Says what failed and what to do, and ends the process.
 * @param {string} problem
 * @param {string} [advice]
 * @returns {never}
 */
export function fail(problem, advice) {
  console.error(`\n${problem}`);
  if (advice) console.error(advice);
  process.exit(1);
}

/**
 * Runs a program to its end and returns its exit code. Signals are passed on. npm does not always pass them to us, so
 * a parent that is gone counts as SIGTERM. `quiet` shows the output only when the program fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export async function run(command, args, { env = process.env, quiet = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    shell: process.platform === "win32",
  });

  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));

  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    // Ctrl-C in a terminal has reached the child already; a second SIGINT would tell it to hurry.
    if (!(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), killAfterMs).unref();
  };
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    stop("SIGTERM");
  }, parentPollMs);
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);

  const code = await new Promise((resolve) => {
    child.on("error", (error) => fail(`${command} did not start: ${error.message}`));
    child.on("close", (exit, signal) => resolve(exit ?? 128 + (signal ? constants.signals[signal] : 0)));
  });

  clearInterval(poll);
  for (const signal of signals) process.off(signal, stop);
  if (quiet && code !== 0) process.stderr.write(Buffer.concat(output));
  return code;
}
