import { allOperationIds, allOperations, isExtension, type Operation, operationIds } from "@kalends/spec";
import { expect, test } from "vitest";
import { answerBytesOf, heavyPartOf, mostAnswerBytes } from "./limits.js";

test("a list of the contract may answer anything, and waits only for what is not cached", () => {
  const lists = operationIds.filter((id) => {
    const op: Operation = allOperations[id];
    return "page" in op.params.shape && !isExtension(op);
  });
  expect(lists).not.toEqual([]);
  for (const id of lists)
    expect([id, answerBytesOf(id), heavyPartOf(id)]).toEqual([id, Infinity, "uncached"]);
});

test("what takes or answers a file passes the limiter, but pictures and imports have one of their own; a write of one event does not", () => {
  for (const id of allOperationIds) {
    const op: Operation = allOperations[id];
    if (
      id !== "picturesCreate" &&
      id !== "calendarsImport" &&
      (op.file !== undefined || op.fileAnswer !== undefined)
    )
      expect([id, heavyPartOf(id)]).toEqual([id, "all"]);
  }
  expect([heavyPartOf("createEvent"), answerBytesOf("createEvent")]).toEqual(["nothing", mostAnswerBytes]);
});
