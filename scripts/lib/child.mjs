// Running other programs so that none outlives us.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

export const windows = process.platform === "win32";
export const root = fileURLToPath(new URL("../..", import.meta.url));

const started = ancestors();
const ancestorPollMs = 250;
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
 * an npm that is gone counts as SIGTERM. `quiet` shows the output only when the program fails.
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
    shell: windows,
  });

  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));

  let stopping = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stopping = true;
    // Ctrl-C in a terminal has reached the child already; a second SIGINT would tell it to hurry.
    if (!(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    setTimeout(() => child.kill("SIGKILL"), killAfterMs).unref();
  };
  const poll = setInterval(() => {
    if (ancestors() === started) return;
    clearInterval(poll);
    if (!stopping) stop("SIGTERM");
  }, ancestorPollMs);
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

/** Under npm: who our shell is and, where /proc tells, whose child it is. Another answer later means that npm is gone. */
function ancestors() {
  if (!process.env.npm_lifecycle_event) return "";
  try {
    const [, npm] = readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return `${process.ppid} ${npm}`;
  } catch {
    return String(process.ppid);
  }
}
