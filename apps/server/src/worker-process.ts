import cluster, { type Worker } from "node:cluster";
import { extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { forwardLines, forwardStderr } from "./stdout.js";

/** One process that answers requests. */
export interface WorkerProcess {
  readonly worker: Worker;
  readonly startedAt: number;
  /** Its URL. Rejects when it ends before. */
  readonly listening: Promise<string>;
  /** How it ended, such as "exit code 1" or "SIGKILL". */
  readonly ended: Promise<string>;
}

/** How long a worker may take to stop or retire, in ms; then it is killed. */
const patienceMs = { stop: 9_500, retire: 85_000 } as const;

/** The source in development, else what was built from it. */
const program = fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url));

/** Starts a worker process. @param onLost called when it has lost the database, with the reason */
export function startWorkerProcess(
  number: number,
  log: Logger,
  onLost: (reason: string) => void,
): WorkerProcess {
  // A worker that shared stdout or stderr with this process would make them blocking when it starts.
  cluster.setupPrimary({ exec: program, args: [String(number)], stdio: ["inherit", "pipe", "pipe", "ipc"] });
  const worker = cluster.fork();
  const { stdout, stderr } = worker.process;
  if (stdout !== null) forwardLines(stdout, log);
  if (stderr !== null) forwardStderr(stderr);
  closeUntaken(worker);
  worker.on("error", () => undefined); // a message to one that has just ended; `ended` resolves then
  const ended = new Promise<string>((resolve) => {
    // Unlike "exit", this comes after the last line that it printed.
    worker.process.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const listening = new Promise<string>((resolve, reject) => {
    worker.on("message", (message: unknown) => {
      const url = textOf(message, "listening");
      if (url !== undefined) resolve(url);
      const reason = textOf(message, "lost");
      if (reason !== undefined) onLost(reason);
    });
    void ended.then((end) => reject(new Error(`Worker ${number} ended before it listened: ${end}.`)));
  });
  listening.catch(() => undefined); // those who wait for it get the rejection
  return { worker, startedAt: performance.now(), listening, ended };
}

/**
 * Closes the connection that a worker had been handed and not yet taken when it ended. node:cluster waits for the worker's reply,
 * which never comes, and keeps the connection open: its client would wait for ever. At most one connection waits for a reply.
 */
function closeUntaken({ process: child }: Worker): void {
  let untaken: { close(): void } | undefined;
  child.send = new Proxy(child.send.bind(child), {
    apply: (send, self, message: readonly unknown[]): unknown => {
      if (isHandle(message[1])) untaken = message[1];
      return Reflect.apply(send, self, message);
    },
  });
  child.on("internalMessage", (reply: object) => {
    if ("accepted" in reply) untaken = undefined;
  });
  child.once("close", () => untaken?.close());
}

function isHandle(value: unknown): value is { close(): void } {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}

/**
 * Tells a worker to go and waits until it is gone. No connection comes to it from this very moment. One that retires waits for
 * the clients of idle connections, one that is to stop does not. @throws Error when it had to be killed
 */
export async function dismiss(
  { worker, ended }: WorkerProcess,
  order: keyof typeof patienceMs,
): Promise<void> {
  if (!worker.exitedAfterDisconnect) worker.disconnect();
  if (order === "stop") worker.send("stop");
  const late = new AbortController();
  const end = await Promise.race([ended, delay(patienceMs[order], undefined, { signal: late.signal })]);
  late.abort();
  if (end !== undefined) return;
  worker.process.kill("SIGKILL");
  throw new Error(`A worker did not end within ${patienceMs[order]} ms and was killed.`);
}

/** Returns the text of a worker's message of one kind. */
function textOf(message: unknown, kind: "listening" | "lost"): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const [text] = Object.entries(message).flatMap(([key, value]) => (key === kind ? [String(value)] : []));
  return text;
}
