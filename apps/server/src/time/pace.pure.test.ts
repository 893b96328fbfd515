import { expect, test } from "vitest";
import { pace } from "./pace.js";

/** One step of a work, of about half of a turn. */
function step(): void {
  for (const began = performance.now(); performance.now() - began < 4;);
}

test("many works that wait share one turn of the event loop, and all go on", async () => {
  const [works, stepsOfEach] = [20, 4];
  const steps: number[] = [0]; // by turn of the event loop
  let left = works;
  const work = async (): Promise<void> => {
    for (let done = 0; done < stepsOfEach; done++) {
      step();
      steps.push((steps.pop() ?? 0) + 1);
      await pace.rest();
    }
    left--;
  };
  const nextTurn = (): void => {
    steps.push(0);
    if (left > 0) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  await Promise.all(Array.from({ length: works }, work));
  const [atOnce = 0, ...later] = steps; // each begins with a step
  expect(atOnce).toBeLessThanOrEqual(works + 3);
  expect(Math.max(...later)).toBeLessThanOrEqual(3);
  expect(steps.reduce((sum, each) => sum + each, 0)).toBe(works * stepsOfEach);
});
