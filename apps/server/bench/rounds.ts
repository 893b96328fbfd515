import { calendars, benchToken, owners } from "./data.js";
import type { Job } from "./jobs.js";
import { load, type Requests } from "./load.js";
import type { Target } from "./servers.js";
import type { Kind } from "./stores.js";
import { type RawResponse, send } from "./wire.js";

export type Name = "ours" | "bare" | "express" | "tutorial" | "against" | "previous";

/** Results of one server in one job: medians of the rounds; the stall is their maximum. */
export interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server's process per request, in microseconds. */
  readonly cpuMicros: number;
  readonly stallMs: number;
  /** (largest - smallest) / median of the requests per second. */
  readonly spread: number;
}

export type Result = ReadonlyMap<Name, Figures>;

/** A server that is measured in a job; `enter` makes it available for one round. */
export interface Participant {
  readonly name: Name;
  readonly kind: Kind;
  readonly enter: () => Promise<{ readonly target: Target; readonly leave: () => Promise<void> }>;
}

export interface Length {
  readonly rounds: number;
  readonly seconds: number;
}

const warmUpSeconds = 2;
/** Minimum round for a server with a few responses per second, in seconds. */
const slowSeconds = 5;

/** Runs the rounds of all participants alternately. @throws Error for a wrong or missing response, which invalidates the run */
export async function runRounds(
  job: Job,
  participants: readonly Participant[],
  length: Length,
): Promise<Result> {
  const results = new Map<Name, readonly Round[]>();
  const warm = new Set<Target>();
  for (let n = 0; n < length.rounds; n++) {
    for (const { name, kind, enter } of participants) {
      const { target, leave } = await enter();
      try {
        const isSlow = kind === "tutorial" && job.isSlowElsewhere === true;
        const seconds = isSlow ? Math.max(slowSeconds, length.seconds) : length.seconds;
        const { requests, response } = await ready(job, kind, target.url);
        await target.stallMs(); // resets the maximum
        if (!warm.has(target)) await load(target.url, requests, Math.min(warmUpSeconds, length.seconds));
        warm.add(target);
        const round = await runRound(job, name, target, requests, response, seconds);
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

/** Returns the requests of the job and the validated first response. @throws Error when the response is wrong */
export async function ready(
  job: Job,
  kind: Kind,
  url: string,
): Promise<{ readonly requests: Requests; readonly response: RawResponse }> {
  const { connections } = job;
  const sendFirst = async ({
    paths: [path = ""],
    headers,
  }: Pick<Requests, "paths" | "headers">): Promise<RawResponse> =>
    send(url + path.replaceAll("{n}", "0"), headers);
  const full = await sendFirst(job.requests(kind, ""));
  const requests = job.requests(kind, full.headers["etag"] ?? "");
  const response = await sendFirst(requests);
  const problem = job.check(response);
  if (problem !== undefined) throw new Error(`the response is wrong: ${problem}`);
  return { requests: { ...requests, connections }, response };
}

type Round = Omit<Figures, "spread">;

async function runRound(
  job: Job,
  name: Name,
  target: Target,
  requests: Requests,
  response: RawResponse,
  seconds: number,
): Promise<Round> {
  const rows = await countEvents(job, name, target.url);
  const cpu = target.cpuMicros();
  const result = await load(target.url, requests, seconds);
  const cpuMicros = (target.cpuMicros() - cpu) / result.requests;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  // The client checks only the status. With few responses, partial ones distort the average size.
  const size = result.bytesPerResponse / response.bytes;
  if (result.requests > 100 && Math.abs(size - 1) > 0.1)
    throw new Error(
      `responses average ${result.bytesPerResponse.toFixed(0)} bytes instead of ${response.bytes}`,
    );
  const added = (await countEvents(job, name, target.url)) - rows;
  if (added < result.requests)
    throw new Error(`${result.requests} creates were acknowledged, but ${added} events were added`);
  return { ...result, cpuMicros, stallMs: await target.stallMs() };
}

/** Returns the number of events in the calendars of creates; NaN for other jobs and for the baselines, which store nothing. */
async function countEvents({ id }: Job, name: Name, url: string): Promise<number> {
  if (!id.startsWith("J3") || name === "bare" || name === "express") return NaN;
  const written = id === "J3" ? [{ id: calendars.creates, token: benchToken }] : owners;
  let count = 0;
  for (const { id: calendarId, token } of written) {
    const path = `/api/v1/calendars/events/list/?token=${token}&calendar_id=${calendarId}`;
    const { calendar }: { calendar: { events_count: number } } = JSON.parse(
      String((await send(url + path)).body),
    );
    count += calendar.events_count;
  }
  return count;
}

function figuresOf(rounds: readonly Round[]): Figures {
  const medianOf = (of: (round: Round) => number): number => median(rounds.map(of));
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    requestsPerSecond: median(speeds),
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    cpuMicros: medianOf(({ cpuMicros }) => cpuMicros),
    stallMs: Math.max(...rounds.map(({ stallMs }) => stallMs)),
    spread: (Math.max(...speeds) - Math.min(...speeds)) / median(speeds),
  };
}

/** Returns the median; the upper one of an even count. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
