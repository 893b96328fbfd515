import { pnpm } from "./pnpm.mjs";
import { install, tool } from "./workspace.mjs";

/** Builds the server and measures it: apps/server/bench/README.md. @param {string[]} args */
export async function bench(args) {
  await install();
  const built = await tool("turbo", [
    "run",
    "build",
    "--filter=@kalends/server...",
    "--output-logs=errors-only",
  ]);
  return built === 0 ? pnpm(["--filter", "@kalends/server", "--silent", "bench", ...args]) : built;
}
