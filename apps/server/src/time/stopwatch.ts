/** What newer versions of Node have: 22, 24. */
interface CountsThreads {
  readonly threadCpuUsage?: (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage;
}

/** Of this thread where Node counts it, else of the process: what other threads do meanwhile is no part of a work. */
function cpuUsage(before?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const node: CountsThreads & NodeJS.Process = process;
  return node.threadCpuUsage?.(before) ?? process.cpuUsage(before);
}

/** Returns how long this thread works from now on, in milliseconds; a time in which it was stopped does not count. */
export function stopwatch(): () => number {
  const [began, before] = [performance.now(), cpuUsage()];
  return () => {
    const { user, system } = cpuUsage(before);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
}
