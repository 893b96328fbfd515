import { expect, test } from "vitest";
import { Worker } from "node:worker_threads";
import { stopwatch } from "./stopwatch.js";

test("a work of this thread counts, and a pause does not", async () => {
  const elapsed = stopwatch();
  let sum = 0;
  for (let n = 0; n < 10_000_000; n++) sum += Math.sqrt(n);
  const worked = elapsed();
  expect(sum).toBeGreaterThan(0); // else Node 24 leaves the loop out
  expect(worked).toBeGreaterThan(1);
  await new Promise((resolve) => void setTimeout(resolve, 10 * worked + 50));
  expect(elapsed()).toBeLessThan(5 * worked + 25);
});

test("what another thread works counts only where neither Node nor Linux counts threads", async () => {
  const source = "let n = 0; while (n < 2e8) n++; require('node:worker_threads').parentPort.postMessage(n)";
  const other = new Worker(source, { eval: true });
  // In this order, and at the end in the other: what bounds the stopwatch lasts longer, whenever this thread is paused.
  const [began, before, elapsed] = [performance.now(), process.cpuUsage(), stopwatch()];
  await new Promise((resolve) => void other.once("message", resolve));
  const worked = elapsed();
  const { user } = process.cpuUsage(before);
  const most =
    "threadCpuUsage" in process || process.platform === "linux" ? user / 2_000 : performance.now() - began;
  expect(worked).toBeLessThanOrEqual(most);
  await other.terminate();
});
