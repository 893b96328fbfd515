import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, root, run } from "./child.mjs";
import { install, tool } from "./workspace.mjs";

/** Its database and token, which stay from one start to the next. Delete the folder to start with an empty database. */
const folder = resolve(root, process.env.KALENDS_DEV_FOLDER ?? ".dev");

/**
 * Runs the server from its sources, and again after each change of one.
 * @param {string[]} args
 */
export async function dev(args) {
  await install();
  const printed = ["run", "build", "--filter=@kalends/spec", "--output-logs=errors-only"];
  if ((await tool("turbo", printed, { quiet: true })) !== 0) fail("The documents could not be printed.");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "token");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, "kalends.sqlite")}`,
    CALENDAR_TOKEN: readFileSync(file, "utf8"),
    ...process.env,
  };
  console.log(`Token: ${settings.CALENDAR_TOKEN}\nDatabase: ${settings.DATABASE_URL}`);
  const watch = ["watch", "--conditions", "@kalends/source", "apps/server/src/main.ts"];
  return run(join(root, "apps/server/node_modules/.bin/tsx"), [...watch, ...args], { env: settings });
}
