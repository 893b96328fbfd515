import { calendars, tokenOfBench } from "./data.js";
import type { Job } from "./jobs.js";
import { load, type Requests } from "./load.js";
import type { Target } from "./servers.js";
import type { Kind } from "./stores.js";
import { type Answer, ask } from "./wire.js";

export type Name = "ours" | "bare" | "express" | "tutorial" | "against" | "baseline";

/** One server's figures of one job: medians of the rounds, the stall their maximum. */
export interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server's process for a request, in microseconds. */
  readonly cpuMicros: number;
  readonly stallMs: number;
  /** (largest - smallest) / median of the requests per second. */
  readonly spread: number;
}

export type Result = ReadonlyMap<Name, Figures>;

/** A server that takes part in a job, and how to have it for a round. */
export interface Entrant {
  readonly name: Name;
  readonly kind: Kind;
  readonly enter: () => Promise<{ readonly target: Target; readonly leave: () => Promise<void> }>;
}

export interface Length {
  readonly rounds: number;
  readonly seconds: number;
}

const warmUpSeconds = 2;
/** For a server with a few answers a second: a shorter round could end before the first. */
const slowSeconds = 5;

/** Runs the rounds of all entrants in turn. @throws Error for a wrong or missing answer, which makes all figures void */
export async function compete(job: Job, entrants: readonly Entrant[], length: Length): Promise<Result> {
  const results = new Map<Name, readonly Round[]>();
  const warm = new Set<Target>();
  for (let n = 0; n < length.rounds; n++) {
    for (const { name, kind, enter } of entrants) {
      const { target, leave } = await enter();
      try {
        const isSlow = kind === "tutorial" && job.isSlowElsewhere === true;
        const seconds = isSlow ? Math.max(slowSeconds, length.seconds) : length.seconds;
        const { requests, answer } = await ready(job, kind, target.url);
        await target.stallMs(); // forget what was before
        if (!warm.has(target)) await load(target.url, requests, Math.min(warmUpSeconds, length.seconds));
        warm.add(target);
        const round = await runRound(job, name, target, requests, answer, seconds);
        results.set(name, [...(results.get(name) ?? []), round]);
      } catch (error) {
        throw new Error(`${job.id}, ${name}, round ${n + 1}`, { cause: error });
      } finally {
        await leave();
      }
    }
  }
  return new Map([...results].map(([name, rounds]) => [name, figuresOf(rounds)]));
}

/** The requests of the job, and the checked answer to the first of them. @throws Error when it is not right */
export async function ready(
  job: Job,
  kind: Kind,
  url: string,
): Promise<{ readonly requests: Requests; readonly answer: Answer }> {
  const { connections } = job;
  const first = async ({
    paths: [path = ""],
    headers,
  }: Pick<Requests, "paths" | "headers">): Promise<Answer> => ask(url + path.replaceAll("{n}", "0"), headers);
  const whole = await first(job.requests(kind, ""));
  const requests = job.requests(kind, whole.headers["etag"] ?? "");
  const answer = await first(requests);
  const complaint = job.complaint(answer);
  if (complaint !== undefined) throw new Error(`the answer is wrong: ${complaint}`);
  return { requests: { ...requests, connections }, answer };
}

type Round = Omit<Figures, "spread">;

async function runRound(
  job: Job,
  name: Name,
  target: Target,
  requests: Requests,
  answer: Answer,
  seconds: number,
): Promise<Round> {
  const rows = await rowsOf(job, name, target.url);
  const cpu = target.cpuMicros();
  const result = await load(target.url, requests, seconds);
  const cpuMicros = (target.cpuMicros() - cpu) / result.requests;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  // The client looks at the status alone. A few answers cannot be judged by their bytes: some came in part.
  const size = result.bytesPerAnswer / answer.bytes;
  if (result.requests > 100 && Math.abs(size - 1) > 0.1)
    throw new Error(`the answers have ${result.bytesPerAnswer.toFixed(0)} bytes instead of ${answer.bytes}`);
  const added = (await rowsOf(job, name, target.url)) - rows;
  if (added < result.requests)
    throw new Error(`${result.requests} creates were acknowledged, ${added} are there`);
  return { ...result, cpuMicros, stallMs: await target.stallMs() };
}

/** How many events were created; NaN for other jobs and for rulers, which keep nothing. */
async function rowsOf({ id }: Job, name: Name, url: string): Promise<number> {
  if (id !== "J3" || name === "bare" || name === "express") return NaN;
  const path = `/api/v1/calendars/events/list/?token=${tokenOfBench}&calendar_id=${calendars.creates}`;
  const { calendar }: { calendar: { events_count: number } } = JSON.parse(
    String((await ask(url + path)).body),
  );
  return calendar.events_count;
}

function figuresOf(rounds: readonly Round[]): Figures {
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    requestsPerSecond: median(speeds),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    cpuMicros: middle(({ cpuMicros }) => cpuMicros),
    stallMs: Math.max(...rounds.map(({ stallMs }) => stallMs)),
    spread: (Math.max(...speeds) - Math.min(...speeds)) / median(speeds),
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
