import { isWrite, operations as declared, type Operation } from "@kalends/spec";
import { expect, test } from "vitest";
import { extensionNames } from "../src/checks/index.js";
import { contractNames, isWrite as writes, pathOf } from "../src/engine/operations.js";

// The suite judges by the contract, so it names the operations by itself. Whether it forgets one is compared here, and whether its
// checks call each: `schemas.open` of the contract, and the mutants of tests/conformance for all.

test("the suite has the operations of the specification and no others", () => {
  const named = [...contractNames, ...extensionNames].map((name) => [pathOf(name), writes(name)]);
  const expected = Object.values<Operation>(declared).map((op) => [op.path, isWrite(op)]);
  expect(named.toSorted()).toEqual(expected.toSorted());
});
