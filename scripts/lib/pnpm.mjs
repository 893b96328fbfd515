// The pnpm that package.json names, and the environment for all that runs below us.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fail, root, run, windows } from "./child.mjs";
import { read, readMemory, writeMemory } from "./files.mjs";

/** @param {string[]} args */
export function pnpm(args) {
  return run(join(pnpmFolder(), windows ? "pnpm.cmd" : "pnpm"), args, { env: environment() });
}

/** turbo starts each task with the pnpm it finds on PATH. */
export function environment() {
  return { ...withoutPnpm(), PATH: `${pnpmFolder()}${delimiter}${process.env.PATH}` };
}

function withoutPnpm() {
  const headers = dirname(dirname(process.execPath));
  return {
    ...process.env,
    npm_config_package: undefined, // left by an outer npx, these two mislead an inner one
    npm_config_call: undefined,
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    RUN_NODE_VERSION: process.version, // part of turbo's cache key: what passed on one Node says nothing of another
    // Compiling sqlite3 needs Node's headers: those beside this Node need no download.
    ...(existsSync(join(headers, "include/node/node.h")) ? { npm_config_nodedir: headers } : {}),
  };
}

/** Whether a folder of PATH has just that pnpm, as below a command of ours. @param {string} folder @param {string} packageManager */
function holds(folder, packageManager) {
  try {
    const manifest = join(dirname(realpathSync(join(folder, "pnpm"))), "package.json");
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));
    return `${name}@${version}` === packageManager;
  } catch {
    return false;
  }
}

/** Where npx keeps that pnpm. Remembered, so that a warm start needs no npx. */
function pnpmFolder() {
  const { packageManager } = JSON.parse(read("package.json"));
  const last = readMemory("pnpm");
  if (last.packageManager === packageManager && last.folder && existsSync(join(last.folder, "pnpm"))) {
    return last.folder;
  }
  const present = (process.env.PATH ?? "").split(delimiter).find((entry) => holds(entry, packageManager));
  if (present !== undefined) return present;
  const args = [
    "--yes",
    "--loglevel=error",
    "--fetch-timeout=60000", // npm waits five minutes for a download that stalls
    "--fetch-retries=5",
    "--fetch-retry-mintimeout=1000",
    "--package",
    packageManager,
    "--",
    "node",
    "-p",
    "process.env.PATH",
  ];
  const { stdout } = spawnSync("npx", args, {
    cwd: root,
    env: withoutPnpm(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: windows,
  });
  const folders = (stdout ?? "").trim().split(delimiter);
  const folder = folders.find((candidate) => existsSync(join(candidate, "pnpm")));
  if (!folder) fail(`npx could not fetch ${packageManager}.`, "Is the package registry within reach?");
  writeMemory("pnpm", { packageManager, folder });
  return folder;
}
