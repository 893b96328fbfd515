// The packages, their dependencies, and the programs that come with them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, root, run, windows } from "./child.mjs";
import { read, readMemory, writeMemory } from "./files.mjs";
import { environment, pnpm } from "./pnpm.mjs";

/** Folders of the packages, relative to the root: the lines `packages/*` and `tests` in pnpm-workspace.yaml, and those like them. */
export const packages = [...read("pnpm-workspace.yaml").matchAll(/^ {2}- (\w+)(\/\*)?$/gm)]
  .map(([, folder = "", all]) => ({ folder, isGroup: all !== undefined }))
  .filter(({ folder }) => existsSync(join(root, folder)))
  .flatMap(({ folder, isGroup }) =>
    isGroup ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [folder],
  )
  .filter((folder) => existsSync(join(root, folder, "package.json")));

/** What the server alone needs: a first start does not wait for what only tests use. */
const server = { folders: ["apps/server"], filters: ["--filter=kalends", "--filter=@kalends/server..."] };
const everything = { folders: packages, filters: [] };

/**
 * Installs when anything that decides the result has changed since the last time.
 * @param {"all" | "server"} [scope]
 */
export async function install(scope = "all") {
  const { folders, filters } = scope === "all" ? everything : server;
  const last = readMemory("install");
  const [node] = process.versions.node.split(".");
  const platform = `${process.platform}-${process.arch}`;
  const now = { inputs: hashOfInputs(), node, platform, scope };
  const complete =
    (last.scope === "all" || last.scope === scope) &&
    folders.every((folder) => existsSync(join(root, folder, "node_modules")));
  if (complete && last.inputs === now.inputs && last.node === node && last.platform === platform) return;

  console.error("Installing dependencies (the first time takes a minute or two) ...");
  writeMemory("install", { node: last.node }); // an install that is broken off is not taken for a whole one
  if ((await pnpm([...filters, "install", "--frozen-lockfile", "--loglevel=error"])) !== 0) {
    fail("The dependencies could not be installed.", "Changed a package.json? Run: npm run pnpm -- install");
  }
  // What one Node major compiled can crash another.
  const nodeChanged = last.node !== undefined && last.node !== node;
  if ((nodeChanged || !sqliteWorks()) && (await pnpm(["rebuild", "sqlite3"])) !== 0) {
    fail(
      "sqlite3 could not be built.",
      "Without a prebuilt file for this machine it needs Python 3, make and a C++ compiler.",
    );
  }
  writeMemory("install", now);
}

/** Installs what the deep ring alone needs, which has a workspace of its own. */
export async function installDeep() {
  await install();
  const inputs = hashOf(["deep/pnpm-lock.yaml", "deep/pnpm-workspace.yaml", "deep/package.json"]);
  if (readMemory("deep").inputs === inputs && existsSync(join(root, "deep/node_modules/.modules.yaml")))
    return;
  console.error("Installing the tools of the deep ring ...");
  if ((await pnpm(["--dir", "deep", "install", "--frozen-lockfile", "--loglevel=error"])) !== 0)
    fail(
      "They could not be installed.",
      "Changed deep/package.json? Run: npm run pnpm -- --dir deep install",
    );
  writeMemory("deep", { inputs });
}

/** The compiler, the linter and esbuild are Go programs: with fewer collections on one thread they need half the CPU. */
const fewCollections = { GOGC: "400", GOMAXPROCS: "1" };

/** Runs a program that is installed at the root. @param {string} name @param {string[]} args @param {{ quiet?: boolean }} [options] */
export function tool(name, args, options) {
  const file = join(root, "node_modules/.bin", windows ? `${name}.cmd` : name);
  return run(file, args, { env: { ...fewCollections, ...environment() }, ...options });
}

function sqliteWorks() {
  const query =
    "new (require('sqlite3').Database)(':memory:').get('select 1', (error) => process.exit(error ? 1 : 0))";
  const { status } = spawnSync(process.execPath, ["-e", query], {
    cwd: join(root, "apps/server"),
    stdio: "ignore",
  });
  return status === 0;
}

function hashOfInputs() {
  const manifests = ["package.json", ...packages.map((folder) => `${folder}/package.json`)];
  return hashOf(["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]);
}

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n${read(file)}\n`);
  return hash.digest("hex");
}
