import { existsSync, openSync, readSync } from "node:fs";

/** What newer versions of Node have: 22, 24. */
interface CountsThreads {
  readonly threadCpuUsage?: () => NodeJS.CpuUsage;
}

const node: CountsThreads & NodeJS.Process = process;

/** Where Linux counts for a thread what Node 20 does not: nanoseconds on the processor come first. Opened once: that takes 30 us. */
const path = "/proc/thread-self/schedstat";
const ofThread = node.threadCpuUsage === undefined && existsSync(path) ? openSync(path, "r") : undefined;
const counted = Buffer.alloc(64);

/** The time of this thread in ms where Node or Linux counts it, else of the process: what other threads do meanwhile is no part of a work. */
function cpuMs(): number {
  if (ofThread !== undefined) {
    const length = readSync(ofThread, counted, 0, counted.length, 0);
    return Number.parseInt(counted.toString("latin1", 0, length), 10) / 1e6;
  }
  const { user, system } = node.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns how long this thread works from now on, in milliseconds; a time in which it was stopped does not count. */
export function stopwatch(): () => number {
  const [began, before] = [performance.now(), cpuMs()];
  return () => Math.min(performance.now() - began, cpuMs() - before);
}
