// What a connection pooler costs J1 and J3: bench:pooler. Rounds of a direct connection and of one through PgBouncer alternate.
// Numbers are in docs/capacity.md.
import { behindPooler } from "../src/db/url.js";
import { startPooler } from "../test/pgbouncer.js";
import { jobs } from "./jobs.js";
import { openPostgresStore } from "./postgres.js";
import { type Participant, runRounds } from "./rounds.js";
import { startKalends } from "./servers.js";

const ids = ["J1-cached", "J1-uncached", "J3"];
const [rounds = 5, seconds = 3] = process.argv
  .slice(2)
  .filter((text) => /^\d+$/.test(text))
  .map(Number);

const store = await openPostgresStore();
const first = new URL((await store.copy("kalends", "small")).url);
first.pathname = "";
const pooler = await startPooler(first.href.replace(/\/$/, ""));

function participant(
  name: Participant["name"],
  pages: "cached" | "uncached",
  toUrl: (url: string) => string,
): Participant {
  return {
    name,
    kind: "kalends",
    enter: async () => {
      const copy = await store.copy("kalends", "small");
      const target = await startKalends(
        toUrl(copy.url),
        undefined,
        pages === "cached" ? {} : { PAGE_CACHE_MB: "0" },
      );
      const leave = async (): Promise<void> => {
        await target.stop();
        await copy.remove();
      };
      return { target, leave };
    },
  };
}

const throughPooler = (url: string): string => behindPooler(`${pooler.url}${new URL(url).pathname}`);
for (const job of jobs.filter(({ id }) => ids.includes(id))) {
  const direct = participant("ours", job.pages, (url) => url);
  const pooled = participant("against", job.pages, throughPooler);
  const results = await runRounds(job, [direct, pooled], { rounds, seconds });
  for (const [name, { requestsPerSecond, p99Ms, cpuMicros, spread }] of results)
    console.log(
      `${job.id}, ${name === "ours" ? "direct" : "pooler"}: ${requestsPerSecond.toFixed(0)} requests/s, p99 ${p99Ms.toFixed(1)} ms, ${cpuMicros.toFixed(0)} us of CPU, spread ${(spread * 100).toFixed(0)} %`,
    );
}
await pooler.stop();
await store.close();
