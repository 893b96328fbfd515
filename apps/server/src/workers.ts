import cluster, { type Worker } from "node:cluster";
import { extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { shareRateLimits } from "./http/rate-limit.js";
import { forwardLines, forwardStderr } from "./stdout.js";

/** The processes that answer requests, all on one port. The first process hands them connections and looks after them. */
export interface Workers {
  /** Where they listen, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** Resolves when a worker has lost the database. */
  readonly lost: Promise<Error>;
  /** Replaces them one by one: each new one listens before an old one retires. When one does not start, the old ones stay. */
  readonly restart: () => Promise<void>;
  /** Lets requests in flight finish. Resolves within 10 s; a worker that has not ended by then is killed. */
  readonly stop: () => Promise<void>;
}

/** A worker that ends younger than this has failed. After each failure in a row its slot waits twice as long, up to the most. */
const healthyMs = 10_000;
const firstDelayMs = 100;
const mostDelayMs = 30_000;

/** How long a worker may take to stop or retire, in ms; then it is killed. */
const patienceMs = { stop: 9_500, retire: 85_000 } as const;

/** A worker slot, occupied by one worker after the other. Its number is in the log lines; number 1 runs the background jobs. */
interface Slot {
  readonly number: number;
  member: Member;
  failures: number;
}

interface Member {
  readonly worker: Worker;
  readonly startedAt: number;
  /** Its URL. Rejects when it ends before. */
  readonly listening: Promise<string>;
  /** How it ended, such as "exit code 1" or "SIGKILL". */
  readonly ended: Promise<string>;
}

/**
 * Starts the workers. The first one brings the database up to date before the others start, so that they need not race.
 * @throws Error when the first one ends before it listens; it has printed why on stderr. Others that end are replaced.
 */
export async function startWorkers(count: number, log: Logger): Promise<Workers> {
  if (!cluster.isPrimary)
    throw new Error("WORKERS must be 1 under a program that starts several processes by itself.");
  shareRateLimits();
  const members = new Set<Member>();
  process.once("exit", () => {
    for (const { worker } of members) worker.process.kill("SIGKILL");
  });
  let stopping = false;
  let reportLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    reportLost = resolve;
  });

  function start(number: number): Member {
    const member = startWorker(number, log);
    log.info({ worker: number, pid: member.worker.process.pid }, "worker started");
    members.add(member);
    member.worker.on("message", (message: unknown) => {
      const reason = textOf(message, "lost");
      if (reason !== undefined) reportLost(new Error(reason));
    });
    void member.ended.then(() => members.delete(member));
    return member;
  }

  async function stop(): Promise<void> {
    stopping = true;
    const reportKilled = (error: unknown): void => log.error({ err: String(error) }, "worker killed");
    await Promise.all([...members].map((member) => dismiss(member, "stop").catch(reportKilled)));
  }

  /** Puts a worker in its slot and, when it ends untold, another one after it. */
  async function occupy(slot: Slot, member: Member): Promise<void> {
    slot.member = member;
    const end = await member.ended;
    if (stopping || slot.member !== member) return;
    slot.failures = performance.now() - member.startedAt < healthyMs ? slot.failures + 1 : 1;
    const delayMs = Math.min(firstDelayMs * 2 ** (slot.failures - 1), mostDelayMs);
    log.error(
      { worker: slot.number, end, failures: slot.failures, next_in_ms: delayMs },
      "worker ended: another one takes its place",
    );
    await delay(delayMs);
    if (stopping || slot.member !== member) return;
    void occupy(slot, start(slot.number));
  }

  async function replace(slot: Slot): Promise<void> {
    const next = start(slot.number);
    await next.listening;
    const { member } = slot; // which may have ended, and have been replaced, meanwhile
    slot.failures = 0;
    void occupy(slot, next);
    await dismiss(member, "retire").catch((error: unknown) =>
      log.error({ err: String(error) }, "worker killed"),
    );
  }

  const first = start(1);
  const url = await first.listening;
  const all = [first, ...Array.from({ length: count - 1 }, (_, index) => start(index + 2))];
  const slots = all.map((member, index) => ({ number: index + 1, member, failures: 0 }));
  for (const slot of slots) void occupy(slot, slot.member);
  await Promise.allSettled(all.map(({ listening }) => listening));
  log.info({ pid: process.pid, workers: count }, "workers listen");

  let restarts = Promise.resolve();
  return {
    url,
    lost,
    stop,
    restart: () => {
      restarts = restarts.then(async () => {
        try {
          for (const slot of slots) if (!stopping) await replace(slot);
          log.info("workers replaced");
        } catch (error) {
          if (!stopping) log.error({ err: String(error) }, "workers not replaced: those there are go on");
        }
      });
      return restarts;
    },
  };
}

function startWorker(number: number, log: Logger): Member {
  // A worker that shared stdout or stderr with this process would make them blocking when it starts.
  cluster.setupPrimary({ exec: program, args: [String(number)], stdio: ["inherit", "pipe", "pipe", "ipc"] });
  const worker = cluster.fork();
  const { stdout, stderr } = worker.process;
  if (stdout !== null) forwardLines(stdout, log);
  if (stderr !== null) forwardStderr(stderr);
  worker.on("error", () => undefined); // a message to one that has just ended; `ended` resolves then
  const ended = new Promise<string>((resolve) => {
    // Unlike "exit", this comes after the last line that it printed.
    worker.process.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const listening = new Promise<string>((resolve, reject) => {
    worker.on("message", (message: unknown) => {
      const url = textOf(message, "listening");
      if (url !== undefined) resolve(url);
    });
    void ended.then((end) => reject(new Error(`Worker ${number} ended before it listened: ${end}.`)));
  });
  listening.catch(() => undefined); // those who wait for it get the rejection
  return { worker, startedAt: performance.now(), listening, ended };
}

/** Returns the text of a worker's message of one kind. */
function textOf(message: unknown, kind: "listening" | "lost"): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const [text] = Object.entries(message).flatMap(([key, value]) => (key === kind ? [String(value)] : []));
  return text;
}

/**
 * Tells a worker to go and waits until it is gone. No connection comes to it from this very moment. One that retires waits for
 * the clients of idle connections, one that is to stop does not. @throws Error when it had to be killed
 */
async function dismiss({ worker, ended }: Member, order: keyof typeof patienceMs): Promise<void> {
  if (!worker.exitedAfterDisconnect) worker.disconnect();
  if (order === "stop") worker.send("stop");
  const late = new AbortController();
  const end = await Promise.race([ended, delay(patienceMs[order], undefined, { signal: late.signal })]);
  late.abort();
  if (end !== undefined) return;
  worker.process.kill("SIGKILL");
  throw new Error(`A worker did not end within ${patienceMs[order]} ms and was killed.`);
}

/** The source in development, else what was built from it. */
const program = fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url));
