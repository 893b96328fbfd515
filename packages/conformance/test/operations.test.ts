import { contractIds, isWrite, operations as declared } from "@kalends/spec";
import { expect, test } from "vitest";
import { contractNames, isWrite as writes, pathOf } from "../src/engine/operations.js";

// The suite judges by the contract, so it names the operations by itself. Whether it forgets one is compared here, and whether its
// checks call each: `schemas.open`, and the mutants of tests/conformance.

test("the suite has the operations of the contract and no others", () => {
  const named = contractNames.map((name) => [pathOf(name), writes(name)]);
  const expected = contractIds.map((id) => [declared[id].path, isWrite(declared[id])]);
  expect(named.toSorted()).toEqual(expected.toSorted());
});
