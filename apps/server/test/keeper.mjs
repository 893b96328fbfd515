// Waits until the tests' process is gone, by its end, Ctrl-C or a crash; then ends the PostgreSQL servers that were left
// in their folder, and removes it. Runs in a session of its own, so that no Ctrl-C ends it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const [, , folder = ""] = process.argv;
process.chdir("/");
for await (const _ of process.stdin); // it ends with the process at its other end
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
    return []; // gone already
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
    // it has ended meanwhile
  }
}
