/** Returns how long this process works from now on, in milliseconds; a time in which it was stopped does not count. */
export function stopwatch(): () => number {
  const [began, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
}
