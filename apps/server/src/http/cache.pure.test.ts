import { expect, test } from "vitest";
import { createCache, getOrMake } from "./cache.js";

interface Text {
  readonly text: string;
}

const sizeOf = ({ text }: Text): number => text.length;
const never = (): Promise<Text> => Promise.reject(new Error("made again"));

/** A cache with what a request asks it. */
function cacheOf(bytes: number) {
  const cache = createCache(bytes, sizeOf);
  const counts = { lookups: 0, misses: 0 };
  const records: { cache?: string }[] = [];
  const get = async (key: string, make: () => Promise<Text>): Promise<Text> => {
    const record = {};
    records.push(record);
    return getOrMake(cache, key, make, { record, counts });
  };
  return { get, counts, outcomes: () => records.map(({ cache: outcome }) => outcome) };
}

test("callers that ask while a value is made share it, and later ones get it kept", async () => {
  const { get, counts, outcomes } = cacheOf(10_000);
  const asked = [get("a", () => Promise.resolve({ text: "one" })), get("a", never), get("a", never)];
  const [first, ...others] = await Promise.all(asked);
  expect(others).toStrictEqual([first, first]);
  expect(await get("a", never)).toBe(first);
  expect(outcomes()).toEqual(["miss", "shared", "shared", "hit"]);
  expect(counts).toEqual({ lookups: 4, misses: 1 });
});

test("a failure reaches all who wait for it, and the next one tries again", async () => {
  const { get } = cacheOf(10_000);
  const asked = [get("a", () => Promise.reject(new Error("broken"))), get("a", never)];
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: "rejected", reason: { message: "broken" } },
    { status: "rejected", reason: { message: "broken" } },
  ]);
  expect(await get("a", () => Promise.resolve({ text: "well" }))).toStrictEqual({ text: "well" });
});

test("what was used last stays when the memory is full, and what is displaced while it is made is returned", async () => {
  const { get } = cacheOf(3_000);
  const text = "x".repeat(600);
  let end = (_value: Text): void => undefined;
  const late = get("late", () => new Promise((resolve) => (end = resolve)));
  for (const key of ["a", "b"]) await get(key, () => Promise.resolve({ text }));
  await get("a", never);
  for (const key of ["c", "d"]) await get(key, () => Promise.resolve({ text }));
  await expect(get("b", never)).rejects.toThrow("made again");
  end({ text: "late" });
  expect(await late).toStrictEqual({ text: "late" });
});

test("without memory nothing is kept", async () => {
  const { get } = cacheOf(0);
  expect(await get("a", () => Promise.resolve({ text: "one" }))).toStrictEqual({ text: "one" });
  expect(await get("a", () => Promise.resolve({ text: "two" }))).toStrictEqual({ text: "two" });
});
