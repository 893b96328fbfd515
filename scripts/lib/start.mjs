import { fail, run } from "./child.mjs";
import { install, packages, tool } from "./workspace.mjs";

/**
 * How large V8 lets its young generation get, a third of it in MB, and the old one: less memory under load for no more CPU
 * (apps/server/bench/README.md). The Dockerfile and the unit of systemd say the same.
 */
const memory = ["--max-semi-space-size=4", "--max-old-space-size=256"];

/**
 * Builds the server and runs one of its programs. It is our own child, not pnpm's, so that a signal reaches it. Within a task of
 * turbo the build is there, and other tests run it: one more, for a file that a test has just made, would delete it under them.
 * @param {"main" | "cli"} program
 * @param {string[]} args
 */
export async function start(program, args) {
  await install("server");
  const build = ["run", "build", "--filter=@kalends/server...", "--output-logs=errors-only"];
  const built = process.env.KALENDS_BUILT === undefined ? await tool("turbo", build, { quiet: true }) : 0;
  return built === 0
    ? run(process.execPath, [...memory, "--", `apps/server/dist/${program}.js`, ...args])
    : built;
}

/**
 * Builds an example with what it imports, and runs it.
 * @param {string[]} args its name, then its own arguments
 */
export async function startExample([name = "", ...args]) {
  if (!packages.includes(`examples/${name}`)) fail(`There is no example of the name "${name}".`);
  await install();
  const build = ["run", "build", `--filter=./examples/${name}...`, "--output-logs=errors-only"];
  const built = await tool("turbo", build, { quiet: true });
  return built === 0 ? run(process.execPath, [`examples/${name}/dist/main.js`, ...args]) : built;
}
