import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of this package, with a slash behind it. */
export const packageFolder = fileURLToPath(new URL("..", import.meta.url));

/** The compiler of the repository, from the package's node_modules; the package's own is the TypeScript 5 that openapi-typescript needs. */
export const compiler = "../../../node_modules/typescript/bin/tsc";

/** What only the deep ring installs, from the package's node_modules. */
export const tools = "../../../deep/node_modules";

/** Runs a program of a dependency in this package. Returns what it printed when it failed, else "". */
export async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, [join(packageFolder, "node_modules", program), ...args], {
      cwd: packageFolder,
    });
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return `${error.message}\n${String(error.stdout)}`;
    throw error;
  }
}
