import { expect, test } from "vitest";
import { type Cache, createCache } from "./cache.js";

interface Text {
  readonly text: string;
}

const sizeOf = ({ text }: Text): number => text.length;

/** A value that is made when `end` is called. */
function promised(text: string) {
  let end = (): void => undefined;
  let fail = (): void => undefined;
  const made = new Promise<Text>((resolve, reject) => {
    end = () => resolve({ text });
    fail = () => reject(new Error(text));
  });
  return { make: () => made, end, fail };
}

/** Asks as a handler does, which awaits what it gets. */
async function ask(cache: Cache<Text>, version: number, make: () => Promise<Text>): Promise<Text> {
  return cache.get("a", version, make);
}

const never = (): Promise<Text> => Promise.reject(new Error("made again"));

test("callers that ask for the same version while it is made share it, and later ones get it kept", async () => {
  const cache = createCache(10_000, sizeOf);
  const one = promised("one");
  const asked = [ask(cache, 1, one.make), ask(cache, 1, never), ask(cache, 1, never)];
  one.end();
  const [first, ...others] = await Promise.all(asked);
  expect(others).toStrictEqual([first, first]);
  expect(await cache.get("a", 1, never)).toBe(first);
});

test("another version and another key are made", async () => {
  const cache = createCache(10_000, sizeOf);
  await cache.get("a", 1, () => Promise.resolve({ text: "a1" }));
  expect(await cache.get("a", 2, () => Promise.resolve({ text: "a2" }))).toStrictEqual({ text: "a2" });
  expect(await cache.get("b", 2, () => Promise.resolve({ text: "b2" }))).toStrictEqual({ text: "b2" });
});

test("an earlier version that is done late does not replace a later one", async () => {
  const cache = createCache(10_000, sizeOf);
  const [early, late] = [promised("early"), promised("late")];
  const asked = [ask(cache, 1, early.make), ask(cache, 2, late.make)];
  late.end();
  await asked[1];
  early.end();
  expect(await asked[0]).toStrictEqual({ text: "early" });
  expect(await cache.get("a", 2, never)).toStrictEqual({ text: "late" });
});

test("a failure reaches all who wait for it, and the next one tries again", async () => {
  const cache = createCache(10_000, sizeOf);
  const one = promised("broken");
  const asked = [ask(cache, 1, one.make), ask(cache, 1, never)];
  one.fail();
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: "rejected", reason: { message: "broken" } },
    { status: "rejected", reason: { message: "broken" } },
  ]);
  expect(await cache.get("a", 1, () => Promise.resolve({ text: "well" }))).toStrictEqual({ text: "well" });
});

test("what was used last stays when the memory is full", async () => {
  const cache = createCache(3_000, sizeOf);
  const text = "x".repeat(600);
  for (const key of ["a", "b"]) await cache.get(key, 1, () => Promise.resolve({ text }));
  await cache.get("a", 1, never);
  await cache.get("c", 1, () => Promise.resolve({ text }));
  expect(await cache.get("a", 1, never)).toStrictEqual({ text });
  await expect(cache.get("b", 1, never)).rejects.toThrow("made again");
});

test("without memory nothing is kept", async () => {
  const cache = createCache(0, sizeOf);
  expect(await cache.get("a", 1, () => Promise.resolve({ text: "one" }))).toStrictEqual({ text: "one" });
  expect(await cache.get("a", 1, () => Promise.resolve({ text: "two" }))).toStrictEqual({ text: "two" });
});

test("an owner that fills the memory displaces its own values, not those of others", async () => {
  const cache = createCache(10_000, sizeOf);
  const keep = (key: string, text: string) => cache.get(key, 1, () => Promise.resolve({ text }));
  const ofOther = await keep("2 a", "other");
  await keep("1 a", "x".repeat(1_000));
  for (let n = 0; n < 20; n++) {
    await keep(`1 b${n}`, "x".repeat(1_000));
    await cache.get("1 a", 1, never); // used meanwhile, so it stays
  }
  expect(await cache.get("2 a", 1, never)).toBe(ofOther);
});

test("an owner alone has the whole memory", async () => {
  const cache = createCache(10_000, sizeOf);
  const keys = ["1 a", "1 b", "1 c", "1 d", "1 e"];
  for (const key of keys) await cache.get(key, 1, () => Promise.resolve({ text: "x".repeat(1_000) }));
  for (const key of keys) await cache.get(key, 1, never);
});
