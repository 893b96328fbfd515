// The polls of an hour on one server and one PostgreSQL: its first minutes in real time, the others faster. docs/capacity.md.
//   npm run pnpm -- --filter @kalends/server bench:polls
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../test/postgres.js";
import { type Follower, makeFollowers, type Poll, pollsOf } from "./poll-apps.js";
import { calendarId, fillPolls, keyOf, ownerOf } from "./poll-data.js";
import { startKalends, type Target } from "./servers.js";

const { values } = parseArgs({
  options: {
    followers: { type: "string", default: "100000" },
    calendars: { type: "string", default: "10000" },
    real: { type: "string", default: "2" }, // minutes
    speed: { type: "string", default: "20" },
  },
});

/** Minutes of the hour, and how many times as fast they pass. */
interface Phase {
  readonly from: number;
  readonly until: number;
  readonly speed: number;
}

const phases: readonly Phase[] = [
  { from: 0, until: Number(values.real), speed: 1 },
  { from: Number(values.real), until: 60, speed: Number(values.speed) },
];

/** Scales the clock of the server, so that it sees the intervals of the hour that is simulated. */
const clockOf = ({ speed }: Phase): string =>
  `const now = Date.now, start = now(); Date.now = () => Math.round(start + (now() - start) * ${speed});`;

interface Answer {
  /** Seconds after the full hour. */
  readonly at: number;
  readonly status: number;
  readonly bytes: number;
  /** From when it was due until the end of the response. */
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

function send(url: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ readonly status: number; readonly bytes: number; readonly etag: string }>(
    (resolve) => {
      const failed = (): void => resolve({ status: 0, bytes: 0, etag: "" });
      const sent = request(
        url,
        { agent, headers, method: body === undefined ? "GET" : "POST" },
        (response) => {
          let bytes = 0;
          response.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("error", failed);
          const { statusCode: status = 0, headers: received } = response;
          response.on("end", () => resolve({ status, bytes, etag: received.etag ?? "" }));
        },
      );
      sent.on("error", failed).end(body);
    },
  );
}

/** Creates an event in a calendar. */
async function change(url: string, calendar: number): Promise<boolean> {
  const headers = { Authorization: `Bearer ${ownerOf(calendar).token}`, "Content-Type": "application/json" };
  const event = { calendar_id: calendarId(calendar), title: "Rehearsal", start_date: "2027-01-01 10:00" };
  return (
    (await send(`${url}/api/v1/calendars/events/create/`, headers, JSON.stringify(event))).status === 200
  );
}

/** The ETags of calendars before the hour, and those that followers have got since. */
interface Known {
  readonly first: readonly string[];
  readonly later: Map<Follower, string>;
}

/** Sends each poll when it is due, whatever the earlier ones take, and changes each calendar once a day. */
async function run(url: string, polls: readonly Poll[], { from, speed }: Phase, etags: Known) {
  const waiting: Promise<unknown>[] = [];
  const answers: Answer[] = [];
  const changes = { done: 0, failed: 0 };
  const start = performance.now();
  const poll = async ({ at, follower }: Poll): Promise<void> => {
    const { app, calendar, isStale } = follower;
    const known = etags.later.get(follower) ?? (isStale ? 'W/"before"' : (etags.first[calendar] ?? ""));
    const headers = { "User-Agent": app.userAgent, "Accept-Encoding": "gzip" };
    const address = `${url}/f/${keyOf(follower)}/club.ics`;
    const { status, bytes, etag } = await send(
      address,
      app.isConditional ? { ...headers, "If-None-Match": known } : headers,
    );
    if (app.isConditional && etag !== "") etags.later.set(follower, etag); // an error has none
    answers.push({ at, status, bytes, ms: performance.now() - start - ((at - from * 60) * 1000) / speed });
  };
  const changeEvery = 86_400 / Number(values.calendars);
  for (let next = 0; next < polls.length;) {
    const passed = ((performance.now() - start) / 1000) * speed;
    const now = from * 60 + passed;
    for (let due = polls[next]; due !== undefined && due.at <= now; due = polls[++next])
      waiting.push(poll(due));
    for (; changes.done * changeEvery < passed; changes.done++) {
      const changed = change(url, (Math.floor(from) + changes.done * 7) % Number(values.calendars));
      waiting.push(changed.then((isDone) => (changes.failed += isDone ? 0 : 1)));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(waiting);
  return { answers, changes, seconds: (performance.now() - start) / 1000 };
}

const statOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .map(Number);

/** CPU time of a PostgreSQL server in microseconds, with its ended processes, and its memory in bytes. */
function postgresUse(postmaster: number): { readonly cpu: number; readonly bytes: number } {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const sum = (fields: readonly number[]): number => fields.reduce((total, field) => total + field, 0);
  const ticks =
    sum(statOf(postmaster).slice(11, 15)) +
    sum(children.map((pid) => sum(statOf(Number(pid)).slice(11, 13))));
  const pss = (pid: number | string): number =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
  return { cpu: ticks * 10_000, bytes: sum([postmaster, ...children].map(pss)) * 1024 };
}

const rowsSql = `select relname, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_hot_upd::int as hot
  from pg_stat_user_tables where n_tup_ins + n_tup_upd > 0 order by n_tup_ins + n_tup_upd desc`;
const walSql = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes";

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

function describe(name: string, answers: readonly Answer[], seconds: number) {
  const ms = answers.map((answer) => answer.ms).toSorted((one, other) => one - other);
  const at = (part: number): number => Number((ms[Math.floor(ms.length * part)] ?? NaN).toFixed(1));
  const of = (status: number): number => answers.filter((answer) => answer.status === status).length;
  const percent = (count: number): number => Math.round((count / answers.length) * 1000) / 10;
  return {
    name,
    polls: answers.length,
    pollsPerSecond: Number((answers.length / seconds).toFixed(1)),
    unchangedPercent: percent(of(304)),
    sentPercent: percent(of(200)),
    errors: answers.length - of(304) - of(200),
    overloaded: of(503),
    bytesOf200: Math.round(answers.reduce((sum, { bytes }) => sum + bytes, 0) / of(200)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

async function measure(server: Target, client: pg.Client, phase: Phase, etags: Known, all: readonly Poll[]) {
  const { rows: backends } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const [, postmaster = 0] = statOf(backends[0]?.pid ?? 0);
  const wal = async (): Promise<number> =>
    (await client.query<{ bytes: number }>(walSql)).rows[0]?.bytes ?? 0;
  await client.query("checkpoint");
  await client.query("select pg_stat_reset()");
  const before = { cpu: server.cpuMicros(), postgres: postgresUse(postmaster).cpu, wal: await wal() };
  const polls = all.filter(({ at }) => at >= phase.from * 60 && at < phase.until * 60);
  const { answers, changes, seconds } = await run(server.url, polls, phase, etags);
  const [cpu, postgres, memory] = [server.cpuMicros(), postgresUse(postmaster), server.memory()];
  await server.stop(); // writes what is left
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // until PostgreSQL has published its counts
  console.log(JSON.stringify({ ...phase, load: loadavg()[0], seconds, changes }));
  const isFirst = ({ at }: Answer): boolean => at < 60;
  const secondsOf = (minutes: number): number => (minutes * 60) / phase.speed;
  const later = answers.filter((answer) => !isFirst(answer));
  console.table([
    ...(phase.from === 0 ? [describe("first minute", answers.filter(isFirst), secondsOf(1))] : []),
    describe("later", later, secondsOf(phase.until - Math.max(1, phase.from))),
  ]);
  console.table({
    "server, us of CPU per poll": Math.round((cpu - before.cpu) / answers.length),
    "PostgreSQL, us of CPU per poll": Math.round((postgres.cpu - before.postgres) / answers.length),
    "server, peak MB": megabytes(memory.peak),
    "PostgreSQL, MB": megabytes(postgres.bytes),
    "WAL, bytes per poll": Math.round(((await wal()) - before.wal) / answers.length),
  });
  console.table((await client.query(rowsSql)).rows);
}

async function main(): Promise<void> {
  const followers = makeFollowers(Number(values.followers), Number(values.calendars));
  const polls = pollsOf(followers, 60);
  const database = await startPostgres("-c", "fsync=on");
  const url = `${database.url}/postgres`;
  const client = new pg.Client({ connectionString: url });
  try {
    console.error("Filling ...");
    const now = Math.floor(Date.now() / 1000);
    const etags = { first: await fillPolls(url, Number(values.calendars), followers, now), later: new Map() };
    await client.connect();
    await client.query("vacuum analyze");
    for (const phase of phases) {
      const option = `--import=data:text/javascript,${encodeURIComponent(clockOf(phase))}`;
      const server = await startKalends(url, undefined, { NODE_OPTIONS: option });
      await measure(server, client, phase, etags, polls);
    }
  } finally {
    await client.end();
    await database.remove();
  }
}

await main();
