import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { Overloaded } from "./database.js";
import { Limiter } from "./limiter.js";

/** Starts a work that ends when the test calls its end. */
function start(limiter: Limiter, owner: number | string) {
  let [hasBegun, end] = [false, (): void => undefined];
  const ended = new Promise<void>((resolve) => (end = resolve));
  const result = limiter.run(owner, () => {
    hasBegun = true;
    return ended;
  });
  const outcome = result.then(
    () => "done",
    (error: unknown) => error instanceof Overloaded && (error.isOwnFault ? "its own work" : "busy"),
  );
  return { hasBegun: () => hasBegun, end, outcome };
}

const options = { ofOne: 2, ofAll: 3, mostWaiting: 2, waitMs: 50 };

test("an owner has some works at once, all have more, and the one with the least running is next", async () => {
  const limiter = new Limiter({ ...options, waitMs: 10_000 });
  const [first, second, third, fourth] = [1, 1, 1, 1].map((owner) => start(limiter, owner));
  const [other, another] = [2, 3].map((owner) => start(limiter, owner));
  expect([first, second, third, other, another].map((work) => work?.hasBegun())).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  first?.end();
  await delay(0);
  expect([third, another].map((work) => work?.hasBegun())).toEqual([false, true]);
  second?.end();
  await delay(0);
  expect(third?.hasBegun()).toBe(true);
  for (const work of [third, fourth, other, another]) work?.end();
  expect(await Promise.all([first, fourth, another].map(async (work) => work?.outcome))).toEqual([
    "done",
    "done",
    "done",
  ]);
});

test("an account that waits for its own work gets rate_limited, others get overloaded", async () => {
  const limiter = new Limiter(options);
  const running = [1, 1, 2].map((owner) => start(limiter, owner));
  const waiting = [1, 1, 2, "public 4"].map((owner) => start(limiter, owner));
  expect(await start(limiter, 1).outcome).toBe("its own work");
  expect(await Promise.all(waiting.map(({ outcome }) => outcome))).toEqual([
    "its own work",
    "its own work",
    "busy",
    "busy",
  ]);
  for (const { end } of running) end();
  await delay(0);
  const next = start(limiter, 1);
  expect(next.hasBegun()).toBe(true);
  next.end();
});

test("owners with as much running take turns, however much of one waits", async () => {
  const limiter = new Limiter({ ofOne: 1, ofAll: 1, mostWaiting: 10, waitMs: 60_000 });
  const began: string[] = [];
  const work = (name: string) => limiter.run(name.slice(0, 1), async () => void began.push(name));
  await Promise.all(["a1", "a2", "a3", "b1", "c1", "b2"].map(work));
  expect(began).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("a work that throws makes room", async () => {
  const limiter = new Limiter({ ...options, ofOne: 1 });
  await expect(limiter.run(1, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await limiter.run(1, () => Promise.resolve("next"))).toBe("next");
});
