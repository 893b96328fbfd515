/** Of this thread where Node counts it (22, 24), else of the process: what other threads do meanwhile is no part of a work. */
const cpuUsage: typeof process.cpuUsage = Reflect.get(process, "threadCpuUsage") ?? process.cpuUsage;

/** Returns how long this thread works from now on, in milliseconds; a time in which it was stopped does not count. */
export function stopwatch(): () => number {
  const [began, before] = [performance.now(), cpuUsage()];
  return () => {
    const { user, system } = cpuUsage(before);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
}
