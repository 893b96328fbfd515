import { existsSync, openSync, readSync } from "node:fs";

/** The API of Node 22 and newer. */
interface CountsThreads {
  readonly threadCpuUsage?: () => NodeJS.CpuUsage;
}

const node: CountsThreads & NodeJS.Process = process;

/** CPU time of a thread on Linux, for Node 20: the first number is in nanoseconds. Opened once, since that takes 30 us. */
const path = "/proc/thread-self/schedstat";
const ofThread = node.threadCpuUsage === undefined && existsSync(path) ? openSync(path, "r") : undefined;
const counted = Buffer.alloc(64);

/** Returns the CPU time of this thread in ms or, where neither Node nor Linux counts that, of the process. */
function cpuMs(): number {
  if (ofThread !== undefined) {
    const length = readSync(ofThread, counted, 0, counted.length, 0);
    return Number.parseInt(counted.toString("latin1", 0, length), 10) / 1e6;
  }
  const { user, system } = node.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns a function that returns how long this thread has worked since, in milliseconds, without the time in which it was
 * stopped.
 */
export function stopwatch(): () => number {
  const [began, before] = [performance.now(), cpuMs()];
  return () => Math.min(performance.now() - began, cpuMs() - before);
}
