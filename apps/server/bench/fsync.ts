import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calendars, benchToken } from "./data.js";
import { scratchFolder } from "./scratch.js";
import { ownDist, startNode } from "./servers.js";
import { dataFolder, sqliteStore } from "./stores.js";
import { send } from "./wire.js";

// Checks that creates are durable before they are acknowledged: 100 sequential creates must cause at least 100 fsync or
// fdatasync calls. Needs strace (Debian: apt-get install strace).

const creates = 100;

async function main(): Promise<void> {
  execFileSync("strace", ["--version"], { stdio: "ignore" });
  const store = sqliteStore(dataFolder);
  const copy = await store.copy("kalends", "small");
  const trace = join(scratchFolder(), "trace");
  const server = await startNode([join(ownDist, "main.js")], { PORT: "0", DATABASE_URL: copy.url }, [
    "strace",
    "--daemonize=grandchild", // the server is our direct child and receives signals
    "--follow-forks",
    "--trace=fsync,fdatasync",
    "-o",
    trace,
  ]);
  const create = (n: number): string =>
    `${server.url}/api/v1/calendars/events/create/?token=${benchToken}&calendar_id=${calendars.creates}&title=${n}&start_date=07%2F04%2F2027+19%3A30`;
  const calls = (): number => readFileSync(trace, "utf8").match(/(?:fsync|fdatasync)\(/g)?.length ?? 0;
  await send(create(0)); // the first write of a connection may fsync more
  const before = calls();
  for (let n = 1; n <= creates; n++) {
    const { status } = await send(create(n));
    if (status !== 200) throw new Error(`create ${n} returned status ${status}`);
  }
  const found = calls() - before;
  await server.stop();
  await copy.remove();
  console.log(`${creates} sequential creates: ${found} fsync or fdatasync calls`);
  process.exitCode = found >= creates ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1); // also stops the server
});
