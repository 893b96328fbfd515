// Waits until the test process exits, is interrupted or crashes; then stops the PostgreSQL servers left in its folder and deletes
// the folder. Runs in a separate session, so that Ctrl-C does not stop it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const [, , folder = ""] = process.argv;
process.chdir("/");
for await (const _ of process.stdin); // ends when the test process does
for (const name of found()) {
  const [pid] = read(join(folder, name, "data/postmaster.pid")).split("\n");
  if (Number(pid) > 1) end(Number(pid));
}
for (let tries = 0; tries < 100 && !isRemoved(); tries++) await setTimeout(300); // others may still write to it

function isRemoved() {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function found() {
  try {
    return readdirSync(folder);
  } catch {
    return []; // already deleted
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, "SIGQUIT");
  } catch {
    // already exited
  }
}
