import { pnpm } from "./pnpm.mjs";
import { install, tool } from "./workspace.mjs";

/** Builds the server and measures it: apps/server/bench/README.md. @param {string[]} args */
export async function bench(args) {
  await install();
  const build = ["run", "build", "--filter=@kalends/server...", "--output-logs=errors-only"];
  const built = await tool("turbo", build, { quiet: true });
  return built === 0 ? pnpm(["--filter", "@kalends/server", "--silent", "bench", ...args]) : built;
}
