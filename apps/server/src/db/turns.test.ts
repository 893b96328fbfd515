import { expect, test } from "vitest";
import { Overloaded } from "./database.js";
import { createTurns } from "./turns.js";

/** Works that end when they are told to, by their names. */
function works() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  /** Works begin a moment after their turn has come. */
  const order = async (): Promise<readonly string[]> => {
    await new Promise(setImmediate);
    return began;
  };
  return { order, work, end };
}

const wide = { most: 2, mostOfOne: 2, mostWaitingOfOne: 10, patienceMs: 60_000 };

test("a free place goes to the owner that has had none for longest", async () => {
  const { order, work, end } = works();
  const { run } = createTurns(wide);
  const all = ["a1", "a2", "a3", "a4", "b1", "c1"].map((name) => run(name.slice(0, 1), work(name)));
  expect(await order()).toEqual(["a1", "a2"]);
  await end("a1");
  await end("a2");
  expect((await order()).slice(2).toSorted()).toEqual(["b1", "c1"]);
  for (const name of ["b1", "c1"]) await end(name);
  expect((await order()).slice(4)).toEqual(["a3", "a4"]);
  for (const name of ["a3", "a4"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "c1"]);
});

test("one owner has at most its share, though places are free", async () => {
  const { order, work, end } = works();
  const { run } = createTurns({ ...wide, mostOfOne: 1 });
  const all = ["a1", "a2"].map((name) => run("a", work(name)));
  expect(await order()).toEqual(["a1"]);
  const other = run("b", work("b1"));
  expect(await order()).toEqual(["a1", "b1"]);
  for (const name of ["a1", "a2", "b1"]) await end(name);
  await Promise.all([...all, other]);
});

test("what may not wait is refused at once, what waited for too long later; neither keeps a place", async () => {
  const { order, work, end } = works();
  const { run } = createTurns({ most: 1, mostOfOne: 1, mostWaitingOfOne: 1, patienceMs: 5 });
  const first = run("a", work("a1"));
  const second = run("a", work("a2"));
  await expect(run("a", work("a3"))).rejects.toThrow(Overloaded);
  await expect(second).rejects.toThrow("it waited for too long");
  await end("a1");
  await first;
  const next = run("b", work("b1"));
  expect(await order()).toEqual(["a1", "b1"]);
  await end("b1");
  await next;
});

test("a place is to go to another owner only where that one has fewer", async () => {
  const { order, work, end } = works();
  const { run, shouldYield } = createTurns({ ...wide, most: 3 });
  const all = ["a1", "a2", "a3", "b1"].map((name) => run(name.slice(0, 1), work(name)));
  await order();
  expect([shouldYield("a"), shouldYield("b")]).toEqual([false, false]); // a3 waits, and a has two places
  all.push(run("b", work("b2")), run("c", work("c1")));
  await order();
  expect([shouldYield("a"), shouldYield("b"), shouldYield("c")]).toEqual([true, true, false]);
  for (const name of ["a1", "a2", "b1", "c1", "b2", "a3", "b2", "a3"]) await end(name);
  await Promise.all(all);
});

test("work that fails gives its place to the next", async () => {
  const { run } = createTurns({ ...wide, most: 1 });
  const failing = run("a", () => Promise.reject(new Error("no")));
  const next = run("b", () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("with no waiting allowed, a place that is free is still given", async () => {
  const { work, end } = works();
  const { run } = createTurns({ most: 1, mostOfOne: 1, mostWaitingOfOne: 0, patienceMs: 5 });
  const first = run("a", work("a1"));
  await expect(run("a", work("a2"))).rejects.toThrow(Overloaded);
  await end("a1");
  expect(await first).toBe("a1");
  expect(await run("a", () => Promise.resolve("a3"))).toBe("a3");
});
