import { extname } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { FileRefused } from "./reader.js";
import type { FileText, Slice, SliceAnswer, SliceRequest } from "./slices.js";

// Files are read in a thread of their own: a file may be made to take long or to need much memory, and then its import alone fails
// (docs/decisions/0018-import.md).

/** A file that was read, in the thread that has read it. */
export interface PreparedFile {
  /** The events that it comes to. */
  readonly events: number;
  /** Returns all of it, piece by piece. */
  slices(): AsyncIterable<Slice>;
}

/** What the thread of a file may use. */
interface Limits {
  readonly megabytes: number;
  readonly ms: number;
}

const usual: Limits = { megabytes: 256, ms: 60_000 };

/** A thread without a file ends after so long. Until then the next import does not wait for one to start. */
const idleMs = 5_000;

/** The thread that has no file. More than one never wait. */
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
  const worker = takeWorker(limits);
  try {
    const answer = await ask(worker, file, limits);
    if ("refused" in answer) throw new FileRefused(answer.refused);
    if (!("total" in answer)) throw new Error("The thread answered another request.");
    const { events, total } = answer;
    return await work({ events, slices: () => slicesOf(worker, total, limits) });
  } finally {
    if (!failed.has(worker)) keepWorker(worker, limits);
  }
}

/** Threads that are being ended. */
const failed = new WeakSet<Worker>();

async function* slicesOf(worker: Worker, total: number, limits: Limits): AsyncIterable<Slice> {
  for (let from = 0; from < total;) {
    const answer = await ask(worker, { from }, limits);
    if (!("slice" in answer)) throw new Error("The thread answered another request.");
    yield answer.slice;
    from = answer.next;
  }
}

/** Sends a request and returns the answer. A thread that does not answer is ended. */
function ask(worker: Worker, request: SliceRequest, { megabytes, ms }: Limits): Promise<SliceAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      worker.off("message", take).off("error", failWith).off("exit", end);
    };
    const fail = (error: Error): void => {
      settle();
      failed.add(worker);
      void worker.terminate();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new FileRefused(`It takes more than ${ms / 1000} seconds to read the file`)),
      ms,
    );
    const take = (answer: SliceAnswer): void => {
      settle();
      resolve(answer);
    };
    const failWith = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      fail(
        isMemory ? new FileRefused(`The file needs more than ${megabytes} MB of memory to be read`) : error,
      );
    };
    const end = (): void => fail(new Error("The thread that reads files has ended."));
    worker.once("message", take).once("error", failWith).once("exit", end);
    if (worker.threadId === ended) end();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    else worker.postMessage(request);
  });
}

/** The `threadId` of a thread that has ended. */
const ended = -1;

function takeWorker(limits: Limits): Worker {
  if (limits !== usual || idle === undefined || idle.worker.threadId === ended) return startWorker(limits);
  const { worker, timer } = idle;
  idle = undefined;
  clearTimeout(timer);
  worker.ref();
  return worker;
}

function keepWorker(worker: Worker, limits: Limits): void {
  forget();
  if (limits !== usual) {
    void worker.terminate();
    return;
  }
  worker.unref(); // a process that is done ends
  idle = { worker, timer: setTimeout(forget, idleMs).unref() };
}

function forget(): void {
  if (idle === undefined) return;
  clearTimeout(idle.timer);
  void idle.worker.terminate();
  idle = undefined;
}

function startWorker({ megabytes }: Limits): Worker {
  const worker = newWorker({ maxOldGenerationSizeMb: megabytes });
  worker.on("error", () => undefined); // the request that it works on rejects; without one nothing is lost
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
