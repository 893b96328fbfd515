import { run } from "./child.mjs";
import { install, tool } from "./workspace.mjs";

/**
 * Builds the server and runs it. The server is our own child, not pnpm's, so that a signal reaches it.
 * @param {string[]} args
 */
export async function start(args) {
  await install("server");
  const built = await tool(
    "turbo",
    ["run", "build", "--filter=@kalends/server...", "--output-logs=errors-only"],
    {
      quiet: true,
    },
  );
  return built === 0 ? run(process.execPath, ["apps/server/dist/main.js", ...args]) : built;
}
