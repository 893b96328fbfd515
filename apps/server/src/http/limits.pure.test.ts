import { operationIds, operations, isExtension, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { maxBodyBytes } from "./body.js";
import { maxFileBytes } from "./file-body.js";
import { budgetOf, budgets, classOf, exceptions, file, mostEvents, page } from "./limits.js";

// The table of what work may cost (docs/limits.md).

describe("the budget of an operation", () => {
  test.each(operationIds)(
    "%s is that of its class, of a page, of a file, or an exception with a reason",
    (id) => {
      const op: Operation = operations[id];
      const usual = "page" in op.params.shape ? page : op.fileAnswer === undefined ? { reason: "" } : file;
      const { reason, ...other } = exceptions[id] ?? usual;
      const ofClass = budgets[classOf(op)];
      expect(budgetOf(id)).toStrictEqual({ ...ofClass, ...other });
      if (id in exceptions) {
        expect(reason.length).toBeGreaterThan(20);
        expect(other).not.toMatchObject(ofClass);
      }
    },
  );

  test("is decided by what the operation declares, so one that is added is bounded without a word", () => {
    const file = { parameter: "file", mediaType: "text/plain", bytes: 10_000_000 };
    expect(classOf({ kind: "read" })).toBe("read");
    expect(classOf({ kind: "write" })).toBe("write");
    expect(classOf({ kind: "write", file })).toBe("import");
  });

  test("has the sizes that are enforced elsewhere", () => {
    expect(maxBodyBytes).toBe(budgets.write.bytesIn);
    expect(maxFileBytes).toBe(budgets.import.bytesIn);
    for (const id of operationIds) {
      const op: Operation = operations[id];
      expect(budgetOf(id).bytesIn).toBe(op.file?.bytes ?? maxBodyBytes);
    }
  });

  test("of a series has the rows of as many ordinary events as it may have", () => {
    const [event, webhooks, categories] = [1, 10, 16];
    expect(mostEvents.ofSeries * (event + webhooks + categories)).toBeLessThan(
      budgetOf("createSeries").rowsWritten,
    );
  });

  test("is never exceeded by a list of the contract, which may answer no other error", () => {
    const lists = operationIds.filter((id) => "page" in operations[id].params.shape);
    expect(lists.filter((id) => !isExtension(operations[id]))).not.toEqual([]);
    for (const id of lists) expect([id, budgetOf(id).bytesAnswered]).toStrictEqual([id, Infinity]);
  });
});
