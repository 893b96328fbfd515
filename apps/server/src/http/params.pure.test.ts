import { allOperations } from "@kalends/spec";
import { expect, test } from "vitest";
import { createReadQuery } from "./params.js";

test("the memory of queries holds fewer of a thousand pairs than of one: each pair takes memory of its own", () => {
  const op = allOperations.listCalendars;
  const read = createReadQuery();
  /** Returns whether a query is still known after 100 others. */
  const isKept = (queryOf: (n: number) => string): boolean => {
    const first = read(op, queryOf(0));
    for (let n = 1; n <= 100; n++) read(op, queryOf(n));
    return read(op, queryOf(0)) === first;
  };
  expect(isKept((n) => `x=${n}`)).toBe(true);
  expect(isKept((n) => `x${n}${"&a".repeat(999)}`)).toBe(false);
});
