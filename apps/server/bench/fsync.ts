import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { calendars, tokenOfBench } from "./data.js";
import { scratchFolder } from "./scratch.js";
import { ownDist, startNode } from "./servers.js";
import { sqliteStore } from "./stores.js";
import { ask } from "./wire.js";

// Shows that no create is acknowledged before it is on the disk: 100 creates one after the other make the server ask the
// system at least 100 times to write through. Needs strace (Debian: apt-get install strace).

const creates = 100;

async function main(): Promise<void> {
  execFileSync("strace", ["--version"], { stdio: "ignore" });
  const store = sqliteStore(fileURLToPath(new URL("../node_modules/.cache/bench", import.meta.url)));
  const copy = await store.copy("kalends", "small");
  const trace = join(scratchFolder(), "trace");
  const server = await startNode([join(ownDist, "main.js")], { PORT: "0", DATABASE_URL: copy.url }, [
    "strace",
    "--daemonize=grandchild", // so our child is the server, and signals reach it
    "--follow-forks",
    "--trace=fsync,fdatasync",
    "-o",
    trace,
  ]);
  const create = (n: number): string =>
    `${server.url}/api/v1/calendars/events/create/?token=${tokenOfBench}&calendar_id=${calendars.creates}&title=${n}&start_date=07%2F04%2F2027+19%3A30`;
  const calls = (): number => readFileSync(trace, "utf8").match(/(?:fsync|fdatasync)\(/g)?.length ?? 0;
  await ask(create(0)); // whatever the first write of a connection does beside
  const before = calls();
  for (let n = 1; n <= creates; n++) {
    const { status } = await ask(create(n));
    if (status !== 200) throw new Error(`create ${n} was answered with ${status}`);
  }
  const found = calls() - before;
  await server.stop();
  await copy.remove();
  console.log(`${creates} creates one after the other: ${found} calls of fsync or fdatasync`);
  process.exitCode = found >= creates ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1); // ends the server too
});
