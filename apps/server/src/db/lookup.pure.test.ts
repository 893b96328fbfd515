import { stat } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { keptThroughOutages, orAfter } from "./lookup.js";

/** Fails with what `state` has, else finds the row of any key. */
function lookUpIn(state: { failure?: Error; row?: { readonly n: number } | undefined }) {
  return async (): Promise<{ readonly n: number } | undefined> => {
    if (state.failure !== undefined) throw state.failure;
    return state.row;
  };
}
const outage = Object.assign(new Error("Connection terminated"), { code: "08006" });

test("while the database fails, a row that was found is found again, and no other", async () => {
  const state: Parameters<typeof lookUpIn>[0] = { row: { n: 1 } };
  const find = keptThroughOutages(lookUpIn(state), 60_000);
  expect(await find("seen")).toEqual({ n: 1 });
  state.failure = outage;
  for (let round = 0; round < 3; round++) expect(await find("seen")).toEqual({ n: 1, isKept: true });
  await expect(async () => find("unseen")).rejects.toBe(outage);
  delete state.failure;
  state.row = { n: 2 };
  await expect.poll(() => find("seen")).toEqual({ n: 2 });
});

test("while the database is silent, a row that was found is found after a second, and then at once", async () => {
  const state: Parameters<typeof lookUpIn>[0] = { row: { n: 1 } };
  const answered = lookUpIn(state);
  let isSilent = false;
  const find = keptThroughOutages(
    () => (isSilent ? new Promise<never>(() => undefined) : answered()),
    60_000,
  );
  await find("seen");
  isSilent = true;
  const found = find("seen");
  expect(await Promise.race([found, setTimeout(500, "nothing yet")])).toBe("nothing yet");
  expect(await Promise.race([found, setTimeout(5_000, "nothing")])).toEqual({ n: 1, isKept: true });
  expect(find("seen")).toEqual({ n: 1, isKept: true });
  isSilent = false;
  await expect.poll(() => find("seen")).toEqual({ n: 1 });
});

test("an answer that came while the process stood still for longer is used", async () => {
  const read = new Promise<string>((resolve) => {
    stat(import.meta.filename, () => resolve("read"));
  });
  let isLate = false;
  const found = orAfter(20, read, () => ((isLate = true), "late"));
  const until = performance.now() + 100;
  while (performance.now() < until);
  expect(await found).toBe("read");
  await setImmediate();
  expect(isLate).toBe(false); // nothing takes the database for silent
});

test("a row that is gone, or older than a cache may be, is not found again, and a defect is no outage", async () => {
  const state: Parameters<typeof lookUpIn>[0] = { row: { n: 1 } };
  const find = keptThroughOutages(lookUpIn(state), 5);
  await find("old");
  await setTimeout(20);
  state.failure = outage;
  await expect(async () => find("old")).rejects.toBe(outage);
  delete state.failure;
  const long = keptThroughOutages(lookUpIn(state), 60_000);
  await long("gone");
  state.row = undefined;
  expect(await long("gone")).toBeUndefined();
  state.failure = outage;
  await expect(async () => long("gone")).rejects.toBe(outage);
  state.failure = new TypeError("a defect");
  await expect(async () => long("gone")).rejects.toBe(state.failure);
});
