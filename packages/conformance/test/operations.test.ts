import { isWrite, operations as declared, type Operation } from "@kalends/spec";
import { expect, test } from "vitest";
import { operations } from "../src/engine/operations.js";

// The suite judges by the contract, so it names the operations by itself. Whether it forgets one is compared here, and whether its
// checks call each: `schemas.open` of the contract, and the test of apps/server that runs those of the extensions.

interface Row {
  readonly path: string;
  readonly writes?: boolean;
}

/** The rows of a table in the order of their ids. */
function rowsOf(table: Readonly<Record<string, Row>>): readonly (readonly [string, Row])[] {
  return Object.entries(table)
    .map(([id, { path, writes = false }]) => [id, { path, writes }] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

test("engine/operations.ts has the operations of the specification and no others", () => {
  const expected = Object.entries<Operation>(declared).map(
    ([id, op]) => [id, { path: op.path, writes: isWrite(op) }] as const,
  );
  expect(rowsOf(operations)).toEqual(rowsOf(Object.fromEntries(expected)));
});
