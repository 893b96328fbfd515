import { expect, test } from "vitest";
import { judge, longestGap } from "./judge.js";

// The rounds themselves are run by npm run test:cluster. These show that their judgement can fail.

const good = { acknowledged: ["a", "b"], stored: ["a", "b"], told: ["b", "a"] };

test("a round in which all is stored once and told is faultless, also with writes that were not acknowledged", () => {
  const more = { ...good, stored: ["a", "b", "c"], told: ["b", "a", "a", "c"] };
  for (const each of [good, more]) expect(judge(each)).toEqual({ lost: [], doubled: [], untold: [] });
});

test("a lost, a doubled and an untold write are found", () => {
  expect(judge({ ...good, stored: ["b"] })).toEqual({ lost: ["a"], doubled: [], untold: [] });
  expect(judge({ ...good, stored: ["a", "b", "b"] })).toEqual({ lost: [], doubled: ["b"], untold: [] });
  expect(judge({ ...good, told: ["a"] })).toEqual({ lost: [], doubled: [], untold: ["b"] });
});

test("the longest time without a success counts from the fault to the end", () => {
  expect(longestGap([500, 1_500, 4_500], 1_000, 5_000)).toBe(3);
  expect(longestGap([500, 1_500], 1_000, 9_000)).toBe(7.5);
  expect(longestGap([], 1_000, 9_000)).toBe(8);
});
