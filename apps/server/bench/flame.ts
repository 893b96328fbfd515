import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ready } from "./contest.js";
import { jobs } from "./jobs.js";
import { load } from "./load.js";
import { ownDist, startNode } from "./servers.js";
import { sqliteStore } from "./stores.js";

// A CPU profile of our server under one job, by V8 itself, as a flame graph of speedscope: a folder whose page opens in any
// browser, without a network. pnpm bench:flame [JOB] [SECONDS]

const warmUpSeconds = 1;
const cache = fileURLToPath(new URL("../node_modules/.cache/bench", import.meta.url));

async function main(id = "J1-new", seconds = "5"): Promise<void> {
  const job = jobs.find((job) => job.id === id);
  if (job === undefined) throw new Error(`There is no job ${id}: ${jobs.map((job) => job.id).join(", ")}`);
  const copy = await sqliteStore(cache).copy("kalends", job.size);
  const server = await startNode(
    ["--import", fileURLToPath(new URL("profile.mjs", import.meta.url)), join(ownDist, "main.js")],
    { PORT: "0", DATABASE_URL: copy.url, ...(job.pages === "kept" ? {} : { PAGE_CACHE_MB: "0" }) },
  );
  const { requests } = await ready(job, "kalends", server.url);
  await load(server.url, requests, warmUpSeconds);
  await server.tell("profile");
  const { requestsPerSecond, failures } = await load(server.url, requests, Number(seconds));
  const profile = String(await server.tell("profile"));
  await server.stop();
  await copy.remove();
  console.log(`${id}: ${requestsPerSecond.toFixed(0)}/s, ${failures} failures. Open in a browser:`);
  console.log(page(profile, id));
}

/** Lays the profile beside a copy of speedscope's page, which loads it as a script: a page of a file may not read others. */
function page(profile: string, id: string): string {
  const release = dirname(createRequire(import.meta.url).resolve("speedscope/dist/release/index.html"));
  const folder = join(cache, `flame-${id}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(release, folder, { recursive: true });
  writeFileSync(join(folder, `${id}.cpuprofile`), profile); // for the developer tools of Chrome
  writeFileSync(
    join(folder, "profile.js"),
    `speedscope.loadFileFromBase64(${JSON.stringify(`${id}.cpuprofile`)}, "${Buffer.from(profile).toString("base64")}")`,
  );
  return `file://${join(folder, "index.html")}#view=left-heavy&localProfilePath=${join(folder, "profile.js")}`;
}

main(...process.argv.slice(2).filter((arg) => arg !== "--")).catch((error: unknown) => {
  console.error(error);
  process.exit(1); // ends the server too
});
