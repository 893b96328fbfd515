import { run } from "./child.mjs";
import { install, tool } from "./workspace.mjs";

/**
 * Builds the server and runs one of its programs. It is our own child, not pnpm's, so that a signal reaches it.
 * @param {"main" | "cli"} program
 * @param {string[]} args
 */
export async function start(program, args) {
  await install("server");
  const build = ["run", "build", "--filter=@kalends/server...", "--output-logs=errors-only"];
  const built = await tool("turbo", build, { quiet: true });
  return built === 0 ? run(process.execPath, [`apps/server/dist/${program}.js`, ...args]) : built;
}
