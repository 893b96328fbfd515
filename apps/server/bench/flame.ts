import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ready } from "./rounds.js";
import { jobs } from "./jobs.js";
import { load } from "./load.js";
import { ownDist, startNode } from "./servers.js";
import { dataFolder, sqliteStore } from "./stores.js";

// Records a CPU profile of Kalends under one job with V8's profiler and writes it as a speedscope flame graph: a folder with a
// page that works offline in any browser. pnpm bench:flame [JOB] [SECONDS]

const warmUpSeconds = 1;

async function main(id = "J1-uncached", seconds = "5"): Promise<void> {
  const job = jobs.find((job) => job.id === id);
  if (job === undefined) throw new Error(`There is no job ${id}: ${jobs.map((job) => job.id).join(", ")}`);
  const copy = await sqliteStore(dataFolder).copy("kalends", job.size);
  const server = await startNode(
    ["--import", fileURLToPath(new URL("profile.mjs", import.meta.url)), join(ownDist, "main.js")],
    { PORT: "0", DATABASE_URL: copy.url, ...(job.pages === "cached" ? {} : { PAGE_CACHE_MB: "0" }) },
  );
  const { requests } = await ready(job, "kalends", server.url);
  await load(server.url, requests, warmUpSeconds);
  await server.request("profile");
  const { requestsPerSecond, failures } = await load(server.url, requests, Number(seconds));
  const profile = String(await server.request("profile"));
  await server.stop();
  await copy.remove();
  console.log(`${id}: ${requestsPerSecond.toFixed(0)}/s, ${failures} failures. Open in a browser:`);
  console.log(page(profile, id));
}

/** Writes the profile as a script next to a copy of speedscope, since a file:// page cannot read files. Returns the URL. */
function page(profile: string, id: string): string {
  const release = dirname(createRequire(import.meta.url).resolve("speedscope/dist/release/index.html"));
  const folder = join(dataFolder, `flame-${id}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(release, folder, { recursive: true });
  writeFileSync(join(folder, `${id}.cpuprofile`), profile); // for Chrome DevTools
  writeFileSync(
    join(folder, "profile.js"),
    `speedscope.loadFileFromBase64(${JSON.stringify(`${id}.cpuprofile`)}, "${Buffer.from(profile).toString("base64")}")`,
  );
  return `file://${join(folder, "index.html")}#view=left-heavy&localProfilePath=${join(folder, "profile.js")}`;
}

main(...process.argv.slice(2).filter((arg) => arg !== "--")).catch((error: unknown) => {
  console.error(error);
  process.exit(1); // also stops the server
});
