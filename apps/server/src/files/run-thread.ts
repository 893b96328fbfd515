import { once } from "node:events";
import { extname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type ResourceLimits, Worker } from "node:worker_threads";
import type { Prepared } from "./instances.js";
import type { Answer, FileText } from "./prepare.js";
import { FileRefused } from "./reader.js";

// Files are read in a thread of their own: a file may be made to take long or to need much memory, and then its import alone fails
// (docs/decisions/0018-import.md).

/** A file that was read, in the thread that has read it. */
export interface PreparedFile {
  /** The events that it comes to. */
  readonly events: number;
  /** Those of all that it has, read or not. */
  readonly uids: readonly string[];
  /** Returns all of it, slice by slice: to receive it at once would hold the event loop. */
  slices(): AsyncIterable<Prepared>;
}

/** What the thread of a file may use. */
interface Limits {
  readonly megabytes: number;
  readonly ms: number;
}

/** The largest files of 10,000 events need less than 96 MB; one made of 999 time zones took 256, and the process 480. */
const usual: Limits = { megabytes: 128, ms: 60_000 };

/** A thread without a file ends after so long. Until then the next import does not wait for one to start. */
const idleMs = 5_000;

/** After a file of so many characters the thread ends at once: its memory, more than 100 MB, is needed to store the events. */
const largeFile = 1_000_000;

/** The thread that waits for a file. */
let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined;

/**
 * Reads a file in a thread and runs `work` with what it comes to.
 * @throws FileRefused when it is no calendar file, or takes more time or memory than one may
 */
export async function preparing<T>(
  file: FileText,
  work: (prepared: PreparedFile) => Promise<T>,
  limits: Limits = usual,
): Promise<T> {
  const worker = (limits === usual ? takeIdle() : undefined) ?? startWorker(limits);
  let isReusable = false;
  try {
    const answer = await ask(worker, file, limits);
    if ("refused" in answer) throw new FileRefused(answer.refused);
    const { events, uids } = "events" in answer ? answer : { events: 0, uids: [] };
    const result = await work({ events, uids, slices: () => slicesOf(worker, limits) });
    isReusable = limits === usual && idle === undefined && file.text.length < largeFile;
    return result;
  } finally {
    if (isReusable) keepIdle(worker);
    else void worker.terminate();
  }
}

async function* slicesOf(worker: Worker, limits: Limits): AsyncIterable<Prepared> {
  for (;;) {
    const answer = await ask(worker, "next", limits);
    if (!("slice" in answer)) return;
    yield answer.slice;
  }
}

async function ask(worker: Worker, request: FileText | "next", { megabytes, ms }: Limits): Promise<Answer> {
  const answered = once(worker, "message", { signal: AbortSignal.timeout(ms) });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(request);
  try {
    const [answer]: readonly Answer[] = await answered;
    if (answer === undefined) throw new Error("The thread that reads files has answered nothing.");
    return answer;
  } catch (error) {
    const { name, code }: { name?: string; code?: string } = error instanceof Error ? error : {};
    if (name === "AbortError")
      throw new FileRefused(`It takes more than ${ms / 1000} seconds to read the file`);
    if (code === "ERR_WORKER_OUT_OF_MEMORY")
      throw new FileRefused(`The file needs more than ${megabytes} MB of memory to be read`);
    throw error;
  }
}

function takeIdle(): Worker | undefined {
  if (idle === undefined) return undefined;
  const { worker, timer } = idle;
  clearTimeout(timer);
  idle = undefined;
  worker.ref();
  return worker;
}

function keepIdle(worker: Worker): void {
  worker.unref(); // a process that is done ends
  idle = { worker, timer: setTimeout(() => void takeIdle()?.terminate(), idleMs).unref() };
}

function startWorker({ megabytes }: Limits): Worker {
  // A --max-old-space-size of this process would count for the thread too, and for it alone from here on: the process has its heap.
  setFlagsFromString(`--max-old-space-size=${megabytes}`);
  const worker = newWorker({ maxOldGenerationSizeMb: megabytes });
  // The request that it works on rejects; a thread that ends without one is not used again.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    if (idle?.worker === worker) takeIdle();
  });
  return worker;
}

/**
 * The program is a file of its own (docs/decisions/0005-launcher-versions-bundle.md). From sources, tsx loads it. Options of this process, such as
 * modules that it imports first, are not for the thread.
 */
function newWorker(resourceLimits: ResourceLimits): Worker {
  if (extname(import.meta.url) !== ".ts")
    return new Worker(new URL("import-thread.js", import.meta.url), { execArgv: [], resourceLimits });
  const source = new URL("thread.ts", import.meta.url).href;
  const loader = import.meta.resolve("tsx/esm/api");
  const program = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}); });`;
  return new Worker(program, {
    eval: true,
    execArgv: ["--conditions", "@kalends/source"],
    resourceLimits,
  });
}
