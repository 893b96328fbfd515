import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const packageFolder = fileURLToPath(new URL("..", import.meta.url));
/** Has the compiler of the day; beside the generators stands the one before, whose API they use. */
const root = fileURLToPath(new URL("../..", import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** The published file of a name, such as openapi.json. */
export function published(
  name:
    | "openapi.json"
    | "openapi.yaml"
    | "openapi-3.1.json"
    | "openapi-generators.json"
    | "openapi-kalends.json"
    | "openapi-kalends-generators.json",
): string {
  return resolve(`@kalends/spec/${name}`);
}

/** A folder of its own, as a new user would begin with. */
export interface Project {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs a program that is installed in this package, or tsc, or node; rejects unless it exits 0. */
  run(program: string, args: readonly string[]): Promise<string>;
  remove(): void;
}

const cache = join(packageFolder, "node_modules/.cache");

/** `links`: packages that the project has installed, each with the installed package that brings it along. */
export function newProject(links: Readonly<Record<string, string>> = {}, parent = cache): Project {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "project-"));
  for (const [name, from] of Object.entries(links)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed(name, from), link);
  }
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("package.json", JSON.stringify({ type: "module" }));
  const run = (program: string, args: readonly string[]): Promise<string> => {
    const file =
      program === "node"
        ? process.execPath
        : join(program === "tsc" ? root : packageFolder, "node_modules/.bin", program);
    const options = {
      cwd: folder,
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" },
      timeout: 50_000,
    };
    return new Promise((resolve, reject) => {
      execFile(file, [...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(`${stdout}${stderr}`);
        else reject(new Error(`${program} ${args.join(" ")}: ${error.message}\n${stdout}${stderr}`));
      });
    });
  };
  return { folder, write, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The folder of an installed package: our own ("."), or one beside the real folder of the package that needs it. */
function installed(name: string, from: string): string {
  if (from === ".") return join(packageFolder, "node_modules", name);
  const owner = from.split(" > ").reduce((folder, step) => {
    const beside = folder === "" ? join(packageFolder, "node_modules", step) : join(modulesOf(folder), step);
    return realpathSync(beside);
  }, "");
  return realpathSync(join(modulesOf(owner), name));
}

/** …/node_modules/@scope/name → …/node_modules */
function modulesOf(folder: string): string {
  return folder.replace(/(node_modules)[\\/](?!.*node_modules).*$/, "$1");
}
