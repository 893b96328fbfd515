import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageFolder } from "./program.js";

/** What `npm pack` holds. */
export interface PackedClient extends Disposable {
  /** A temporary folder, with the unpacked package in `package`. */
  readonly folder: string;
  readonly tarball: string;
  /** A project in which the package is installed, with its dependency and the types of Node. */
  readonly project: string;
}

export function packClient(): PackedClient {
  const folder = mkdtempSync(join(tmpdir(), "kalends-client-"));
  const { packageManager } = JSON.parse(readFileSync(join(packageFolder, "../../package.json"), "utf8"));
  // turbo builds before it tests and has this pnpm on its PATH; else "prepack" builds. Only pnpm resolves catalog: and publishConfig.
  const isBuilt = process.env["KALENDS_BUILT"] !== undefined;
  const pack = ["pack", "--pack-destination", folder];
  const options = { cwd: packageFolder, stdio: "pipe" } as const;
  if (isBuilt) execFileSync("pnpm", [...pack, "--config.ignore-scripts=true"], options);
  else execFileSync("npx", ["--yes", packageManager, ...pack], options);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const project = join(folder, "project");
  const dependencies = join(packageFolder, "node_modules");
  link(join(folder, "package"), join(project, "node_modules/@kalends/client"));
  link(join(dependencies, "@types/node"), join(project, "node_modules/@types/node"));
  link(join(dependencies, "openapi-fetch"), join(folder, "package/node_modules/openapi-fetch"));
  return { folder, tarball, project, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}
