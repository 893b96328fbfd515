import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertAccount } from "../src/accounts/queries.js";
import { countEventChange, insertCalendar } from "../src/calendars/queries.js";
import { openDatabase } from "../src/db/connect.js";
import { migrate } from "../src/db/migrate.js";
import { insertEvent } from "../src/events/queries.js";
import { hashFollowerKey, newFollowerKey } from "../src/subscribers/keys.js";
import { insertSubscriber } from "../src/subscribers/queries.js";
import { hasWrk, type Job, type Load, load } from "./load.js";
import { startBare, startKalends, type Target } from "./servers.js";

// Feeds against bare node:http sending the same bytes and headers: interleaved rounds, medians, ratios.
//   npm run pnpm -- --filter @kalends/server run build && … run bench:feeds

const rounds = 5;
const seconds = 5;
const followers = 1000;
const now = Math.floor(Date.now() / 1000);

async function fill(folder: string): Promise<readonly string[]> {
  const db = await openDatabase(`sqlite:${join(folder, "kalends.sqlite")}`);
  await migrate(db, now);
  const keys = Array.from({ length: followers }, newFollowerKey);
  await db.transaction(async (trx) => {
    const account = await insertAccount(trx, { name: "Bench", created_at: now });
    const texts = { title: "Bench", calendarname: "Bench", description: "", palette_id: "1" };
    const calendar = await insertCalendar(
      trx,
      account.id,
      { ...texts, timezone: "Etc/UTC", uniquekey: "benchbench22" },
      now,
    );
    for (let n = 0; n < 1000; n++) {
      const start_at = now + (n - 500) * 86_400;
      await countEventChange(trx, account.id, calendar.id, 1, now);
      await insertEvent(trx, {
        account_id: account.id,
        calendar_id: calendar.id,
        uid: crypto.randomUUID(),
        title: `Concert ${n}: Ärzte & Wölfe 🎸`,
        description: `Doors open at 19:00.\r\nTickets: https://example.com/${n}; no refunds, sorry.\r\n${"Bring friends. ".repeat(20)}`,
        location: "Große Freiheit 36, Hamburg",
        organizer: "Music Club",
        organizer_email: "club@example.com",
        timezone: "Etc/UTC",
        color_id: String((n % 20) + 1),
        reminder: n % 2 === 0 ? "60" : "",
        start_local: start_at,
        end_local: start_at + 7200,
        start_month: 0,
        start_at,
        end_at: start_at + 7200,
        all_day: 0,
        created_at: now,
        modified_at: now,
      });
    }
    const nowhere = { name: "", email: "", ip: "", postal: null, city: null, state: null, country: null };
    for (const key of keys) {
      await insertSubscriber(trx, {
        ...nowhere,
        account_id: account.id,
        calendar_id: calendar.id,
        calendar_type: "ical",
        active: 1,
        blocked: 0,
        subscribed_at: now,
        key_hash: hashFollowerKey(key),
      });
    }
  });
  await db.close();
  return keys;
}

interface Contest {
  readonly title: string;
  readonly job: Job;
  readonly goal: number;
}

async function compare(contest: Contest, ours: Target, bare: Target): Promise<void> {
  const results = new Map<Target, Load[]>([
    [ours, []],
    [bare, []],
  ]);
  const cpu = new Map<Target, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [target, loads] of results) {
      const before = target.cpuMicros();
      const result = await load(target.url, contest.job, seconds);
      loads.push(result);
      cpu.set(target, (target.cpuMicros() - before) / (result.requestsPerSecond * seconds));
    }
  }
  const [mine = NaN, ruler = NaN] = [ours, bare].map((target) =>
    median((results.get(target) ?? []).map((result) => result.requestsPerSecond)),
  );
  const p99 = median((results.get(ours) ?? []).map((result) => result.p99Ms));
  const failures = [...results.values()].flat().reduce((sum, result) => sum + result.failures, 0);
  console.log(
    `${contest.title}: ours ${Math.round(mine)}/s (p99 ${p99.toFixed(1)} ms, ${cpu.get(ours)?.toFixed(0)} us CPU), ` +
      `bare ${Math.round(ruler)}/s (${cpu.get(bare)?.toFixed(0)} us CPU), ratio ${(mine / ruler).toFixed(2)} ` +
      `(goal ${contest.goal}), failures ${failures}`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error("wrk is not installed (Debian: apt-get install wrk)");
  const folder = mkdtempSync(join(tmpdir(), "kalends-bench-"));
  const keys = await fill(folder);
  const ours = await startKalends(folder);
  const paths = keys.map((key) => `/f/${key}/bench.ics`);
  const first = `${ours.url}${paths[0]}`;
  const etag = (await fetch(first)).headers.get("etag") ?? "";
  const unchanged = { "If-None-Match": etag };
  const bare304 = await startBare(folder, "304", await fetch(first, { headers: unchanged }));
  const whole = await raw(first, { "Accept-Encoding": "gzip" });
  const bare200 = await startBare(folder, "200", whole);
  await compare(
    { title: "304", job: { paths, headers: unchanged, connections: 16 }, goal: 0.3 },
    ours,
    bare304,
  );
  await compare(
    {
      title: "200, gzip, 1,000 events",
      job: { paths, headers: { "Accept-Encoding": "gzip" }, connections: 4 },
      goal: 0.45,
    },
    ours,
    bare200,
  );
  const last = await fetch(first, { headers: unchanged });
  if (last.status !== 304) throw new Error("the feed has changed meanwhile: the figures of 304 are none");
  console.log(`memory: ours ${(ours.residentBytes() / 2 ** 20).toFixed(0)} MiB`);
  await Promise.all([ours, bare304, bare200].map((target) => target.stop()));
  rmSync(folder, { recursive: true });
}

/** The answer as it is on the wire: fetch would decompress it. */
async function raw(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request(url, { headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const pairs = Object.entries(res.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve(new Response(Buffer.concat(chunks), { status: res.statusCode ?? 0, headers: pairs }));
      });
    })
      .on("error", reject)
      .end();
  });
}

await main();
