// What an account notices of another at its worst: bench:neighbour [DIST...]. Each build runs on a copy of the same SQLite file, alone
// and beside each kind of load. Nothing is cached. Figures are medians in ms, and the server's peak memory.
import { copyFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { hashToken } from "../src/accounts/tokens.js";
import { type Db, openDatabase } from "../src/db/open-database.js";
import { eventOf, insertMade } from "./rows.js";
import { scratchFolder } from "./scratch.js";
import { ownDist, startKalends, type Target } from "./servers.js";

const day = 86_400;
const loadMs = Number(process.env.NEIGHBOUR_MS ?? 3_000);
const builds = process.argv.length > 2 ? process.argv.slice(2) : [ownDist];
const tokens = ["kal_busybusybusybusybusy", "kal_quietquietquietquiet"] as const;
const now = Math.floor(Date.now() / 1000 / day) * day;

interface Filling {
  readonly calendar: number;
  readonly account: number;
  readonly count: number;
  readonly everySeconds: number;
  readonly description: string;
}

/** Calendars 1 to 3 are the busy account's: daily series with long texts, the longest texts, many events. 4 is the neighbour's. */
const fillings: readonly Filling[] = [
  { calendar: 1, account: 1, count: 27 * 40, everySeconds: day / 27, description: "x".repeat(65_535) },
  { calendar: 2, account: 1, count: 100, everySeconds: day, description: "🎸".repeat(65_535) },
  { calendar: 3, account: 1, count: 100_000, everySeconds: 600, description: "Short" },
  { calendar: 4, account: 2, count: 100, everySeconds: day / 4, description: "Short" },
];

/** Makes the file, in the schema of a build. */
async function fill(path: string, dist: string): Promise<void> {
  const server = await startKalends(`sqlite:${path}`, dist);
  await server.stop();
  const db = await openDatabase(`sqlite:${path}`);
  await db.exclusively(async (trx) => {
    await trx("tokens").delete();
    await trx("accounts").delete();
    for (const [index, token] of tokens.entries()) {
      await trx("accounts").insert({ id: index + 1, name: "Bench", created_at: now });
      const fields = { last_four: token.slice(-4), name: "bench", scope: "write", created_at: now };
      await trx("tokens").insert({ account_id: index + 1, hash: hashToken(token), ...fields });
    }
    for (const filling of fillings) await addEvents(trx, filling);
  });
  await db.close();
}

async function addEvents(trx: Db, { calendar, account, count, everySeconds, description }: Filling) {
  await trx("calendars").insert({
    id: calendar,
    account_id: account,
    uniquekey: `bench${calendar}`,
    calendarname: "Bench",
    title: "Bench",
    description: "",
    timezone: "Etc/UTC",
    palette_id: "1",
    events_total: count,
    save_order: calendar,
    created_at: now,
    modified_at: now,
    feed_modified_at: now,
  });
  await insertMade({ trx, items: "jsonb_each" }, "events", count, (number) => {
    const at = now - 5 * day + number * everySeconds;
    const month = new Date(at * 1000);
    return eventOf({
      account_id: account,
      calendar_id: calendar,
      uid: `bench-${calendar}-${number}`,
      title: `Event ${number}`,
      description,
      timezone: "Etc/UTC",
      start_local: at,
      end_local: at + 3600,
      start_at: at,
      end_at: at + 3600,
      start_month: month.getUTCFullYear() * 12 + month.getUTCMonth(),
      created_at: now,
      modified_at: now,
    });
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

interface Sent {
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
}

/** Sends a request and drops the answer. Gives its status and ms. */
function send(
  url: string,
  { path, token, body }: Sent,
): Promise<{ readonly status: number; readonly ms: number }> {
  const began = performance.now();
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { agent, headers, method: body === undefined ? "GET" : "POST" },
      (res) => {
        res
          .resume()
          .once("end", () => resolve({ status: res.statusCode ?? 0, ms: performance.now() - began }));
      },
    );
    sent.once("error", reject).end(body);
  });
}

const [busy, quiet] = tokens;
const month = (ahead: number): string => new Date((now + ahead * 31 * day) * 1000).toISOString().slice(0, 7);

/** The neighbour's requests. */
const requests: Readonly<Record<string, Sent>> = {
  list: { path: "/api/v1/calendars/events/list/?calendar_id=4", token: quiet },
  write: {
    path: "/api/v1/calendars/events/create/",
    token: quiet,
    body: "calendar_id=4&title=x&start_date=01/02/2031%2002:30%20PM&timezone=Etc/UTC",
  },
  month: { path: `/c/bench4?month=${month(0)}` },
  feed: { path: "/c/bench4/x.ics" },
};

/** Loads: how many at a time, and the n-th request. */
const loads: Readonly<Record<string, { readonly connections: number; readonly next: (n: number) => Sent }>> =
  {
    alone: { connections: 0, next: () => ({ path: "/" }) },
    "100 month pages": {
      connections: 100,
      next: (n) => ({ path: `/c/bench1?month=${month(n % 3)}&day=${(n % 28) + 1}` }),
    },
    "16 × 26 MB, events list": {
      connections: 16,
      next: (n) => ({
        path: `/api/v1/calendars/events/list/?calendar_id=2&order_by=${orders[n % 3]}&n=${n}`,
        token: busy,
      }),
    },
    "16 × 26 MB, events find": {
      connections: 16,
      next: (n) => ({ path: `/api/kalends/v1/events/list/?calendar_id=2&n=${n}`, token: busy }),
    },
    "16 deep pages of 100,000": {
      connections: 16,
      next: (n) => ({
        path: `/api/v1/calendars/events/list/?calendar_id=3&upcoming=01/01/2020&page=${900 + (n % 90)}`,
        token: busy,
      }),
    },
    "16 filters without a match": {
      connections: 16,
      next: (n) => ({
        path: `/api/kalends/v1/events/list/?calendar_id=3&custom_data_key=none${n}`,
        token: busy,
      }),
    },
  };
const orders = ["id-desc", "id-asc", "date-desc"];

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/** Measures the neighbour's requests one after the other beside a load. */
async function measure(target: Target, { connections, next }: (typeof loads)[string]): Promise<string> {
  const end = performance.now() + 300 + loadMs;
  let [n, refused] = [0, 0];
  const statuses = new Map<number, number>();
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const { status } = await send(target.url, next(n++));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: connections }, client);
  await new Promise((resolve) => setTimeout(resolve, connections === 0 ? 0 : 300));
  const times = new Map(Object.keys(requests).map((name) => [name, [] as number[]]));
  for (const end = performance.now() + loadMs; performance.now() < end;)
    for (const [name, sent] of Object.entries(requests)) {
      const { status, ms } = await send(target.url, sent);
      times.get(name)?.push(ms);
      if (status !== 200) refused++;
    }
  await Promise.all(clients);
  const figures = [...times.values()].map((values) => median(values).toFixed(1).padStart(8));
  const answered = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  return `${figures.join("")}${String(refused).padStart(9)}  ${Math.round(target.memory().peak / 1e6)} MB  ${answered}`;
}

for (const dist of builds) {
  const file = join(scratchFolder(), "filled.sqlite");
  await fill(file, dist);
  console.log(
    `${dist}\n${"".padEnd(28)}${Object.keys(requests)
      .map((name) => name.padStart(8))
      .join("")}`,
  );
  for (const [name, load] of Object.entries(loads)) {
    const copy = join(scratchFolder(), "kalends.sqlite");
    copyFileSync(file, copy);
    const target = await startKalends(`sqlite:${copy}`, dist, { PAGE_CACHE_MB: "0", LOG_LEVEL: "error" });
    for (const sent of Object.values(requests)) await send(target.url, sent);
    console.log(`${name.padEnd(28)}${await measure(target, load)}`);
    await target.stop();
  }
}
agent.destroy();
process.exit(0);
