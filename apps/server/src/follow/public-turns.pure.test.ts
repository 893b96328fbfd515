import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Overloaded } from "../db/database.js";
import { createPublicTurns, patienceMs } from "./public-turns.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("public work of an account that is stuck is refused within two seconds, and does not hold up another's", async () => {
  const turns = createPublicTurns();
  const stuck = turns.run(1, () => new Promise<never>(() => undefined));
  const refusals: unknown[] = [];
  const waiting = Array.from({ length: 100 }, () =>
    turns.run(1, () => Promise.resolve()).catch((error: unknown) => refusals.push(error)),
  );
  await expect(turns.run(1, () => Promise.resolve())).rejects.toThrow(Overloaded); // at once: no timer has run
  expect(await turns.run(2, () => Promise.resolve("served"))).toBe("served");
  expect(refusals).toEqual([]);
  await vi.advanceTimersByTimeAsync(patienceMs);
  await Promise.all(waiting);
  expect(refusals.filter((error) => error instanceof Overloaded)).toHaveLength(100);
  expect(patienceMs).toBeLessThanOrEqual(2_000);
  void stuck;
});
