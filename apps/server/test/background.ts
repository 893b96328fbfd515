import type { Queue } from "../src/background/worker.js";

/** Does what is due of a queue, at once, and what is due then, each once. */
export async function runDue(queue: Queue): Promise<void> {
  const tried = new Set<number | string>();
  for (;;) {
    const tasks = (await queue.due([])).filter(({ id }) => !tried.has(id));
    if (tasks.length === 0) return;
    for (const { id } of tasks) tried.add(id);
    await Promise.all(tasks.map((task) => task.run()));
  }
}
