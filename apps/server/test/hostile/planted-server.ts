import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";

// The server that throws at chosen boundaries (boundaries.ts).

/** A running server that throws at chosen boundaries. */
export interface Planted {
  readonly child: ChildProcess;
  readonly url: string;
  readonly log: () => string;
  /** Has it throw at these boundaries, once each, instead of those chosen before. Returns those reached since the last call. */
  readonly choose: (numbers: Iterable<number>) => Promise<readonly number[]>;
  /** Those it has thrown at. */
  readonly thrown: () => ReadonlySet<number>;
}

/** Waits for a condition. Resolves with false when the time is over. */
export async function until(isSo: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(5)) if (isSo()) return true;
  return isSo();
}

/** Where it runs, and with what. */
export interface Settings {
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A start that failed, with the boundaries that were thrown at. */
export interface NotStarted {
  readonly url: undefined;
  readonly thrown: () => ReadonlySet<number>;
  readonly log: () => string;
}

/** How long a start may take, and a stop: their own limits are shorter. */
const [startMs, stopMs] = [30_000, 30_000];

/** Starts the server. A planted throw may end its start; then the process must end. */
export async function startPlanted({
  program,
  folder,
  environment,
}: Settings): Promise<Planted | NotStarted> {
  const child = spawn(process.execPath, [join(program, "main.js")], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let [out, failures] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (failures += chunk.toString()));
  const messages: object[] = [];
  child.on("message", (message: object) => messages.push(message));
  const log = (): string => `${out}${failures}`;
  const thrown = (): ReadonlySet<number> =>
    new Set([...failures.matchAll(/^planted (\d+)$/gm)].map(([, number]) => Number(number)));
  const address = (): string | undefined => /Listening on (\S+)/.exec(out)?.[1];
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isSettled = await until(() => address() !== undefined || hasEnded(), startMs);
  if (!isSettled) child.kill("SIGKILL");
  expect([isSettled, log()]).toEqual([true, log()]);
  const url = address();
  if (url === undefined) return { url, thrown, log };
  const choose = async (numbers: Iterable<number>): Promise<readonly number[]> => {
    messages.length = 0;
    child.send({ choose: [...numbers].join() });
    await until(() => messages.length > 0 || hasEnded(), 10_000);
    const [message] = messages;
    const reached: unknown = message === undefined ? undefined : Reflect.get(message, "reached");
    return Array.isArray(reached) ? reached.map(Number) : [];
  };
  return { child, url, log, choose, thrown };
}

/** Stops the server: whatever is thrown meanwhile, the process ends. */
export async function stopPlanted({ child, log }: Planted): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const first = await Promise.race([ended, pause(stopMs, "late", { ref: false })]);
    if (first === "late") child.kill("SIGKILL");
    expect([first === "late" ? "still runs" : "ended", log()]).toEqual(["ended", log()]);
  }
}
