// pnpm, the installed dependencies, and turbo.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fail, root, run } from "./child.mjs";

const windows = process.platform === "win32";
const nodeMajor = process.versions.node.split(".")[0];
const stampFile = join(root, "node_modules/.cache/install.json");

/** Folders of the packages, relative to the root. */
export const packages = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, "package.json"))),
);

/** @param {string} file @returns {string} */
export const read = (file) => readFileSync(join(root, file), "utf8");

const env = environment();

/** Installs when anything that decides the result has changed since the last time. */
export async function install() {
  const last = readStamp();
  const stamp = { inputs: hashOfInputs(), node: nodeMajor, platform: `${process.platform}-${process.arch}` };
  const installed = packages.every((folder) => existsSync(join(root, folder, "node_modules")));
  if (installed && Object.entries(stamp).every(([key, value]) => last[key] === value)) return;

  console.error("Installing dependencies (the first time takes a minute or two) ...");
  rmSync(stampFile, { force: true });
  if ((await pnpm(["install", "--frozen-lockfile", "--loglevel=error"])) !== 0) {
    fail("The dependencies could not be installed.", "Changed a package.json? Run: npm run pnpm -- install");
  }
  // What one Node major compiled can crash another.
  const nodeChanged = last.node !== undefined && last.node !== nodeMajor;
  if ((nodeChanged || !sqliteWorks()) && (await pnpm(["rebuild", "sqlite3"])) !== 0) {
    fail(
      "sqlite3 could not be built.",
      "It needs Python 3, make and a C++ compiler when no prebuilt file fits.",
    );
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ ...stamp, pnpm: pnpmFolder() }));
}

/** @param {string[]} args */
export function pnpm(args) {
  return run(join(pnpmFolder(), windows ? "pnpm.cmd" : "pnpm"), args, { env: withPnpm() });
}

/** @param {string[]} args @param {{ quiet?: boolean }} [options] */
export function turbo(args, options) {
  return tool("turbo", [...args, "--ui=stream"], options);
}

/** Runs a program that is installed at the root. @param {string} name @param {string[]} args @param {{ quiet?: boolean }} [options] */
export function tool(name, args, options) {
  return run(join(root, "node_modules/.bin", windows ? `${name}.cmd` : name), args, {
    env: withPnpm(),
    ...options,
  });
}

/** @type {string | undefined} */
let foundPnpm;

/** Where npx keeps the pnpm that package.json names: remembered in the stamp, so that a warm start needs no npx. */
function pnpmFolder() {
  foundPnpm ??= readStamp().pnpm;
  if (foundPnpm && existsSync(join(foundPnpm, "pnpm"))) return foundPnpm;
  const { packageManager } = JSON.parse(read("package.json"));
  const npx = [
    "--yes",
    "--loglevel=error",
    `--package=${packageManager}`,
    "--",
    "node",
    "-p",
    "process.env.PATH",
  ];
  const { stdout, status } = spawnSync("npx", npx, {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: windows,
  });
  foundPnpm = stdout
    ?.trim()
    .split(delimiter)
    .find((folder) => existsSync(join(folder, "pnpm")));
  if (status !== 0 || !foundPnpm)
    fail(`npx could not fetch ${packageManager}.`, "Is the package registry within reach?");
  return foundPnpm;
}

/** turbo starts each task with the pnpm it finds on PATH. */
function withPnpm() {
  return { ...env, PATH: `${pnpmFolder()}${delimiter}${env.PATH}` };
}

function environment() {
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

function sqliteWorks() {
  const script =
    "new (require('sqlite3').Database)(':memory:').get('select 1', (error) => process.exit(error ? 1 : 0))";
  return (
    spawnSync(process.execPath, ["-e", script], { cwd: join(root, "apps/server"), stdio: "ignore" })
      .status === 0
  );
}

function hashOfInputs() {
  const hash = createHash("sha256");
  const manifests = ["package.json", ...packages.map((folder) => `${folder}/package.json`)];
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests])
    hash.update(`${file}\n${read(file)}\n`);
  return hash.digest("hex");
}

/** @returns {Record<string, string | undefined>} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}
