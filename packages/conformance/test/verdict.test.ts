import { expect, test } from "vitest";
import { exitCodes, judge } from "../src/engine/verdict.js";

test("the verdict is the worst that happened", () => {
  const none = { passed: 0, failed: 0, known: 0, skipped: 0, broken: 0, observed: 0 };
  const counts = (required: Partial<typeof none>, recommended: Partial<typeof none> = {}) => ({
    required: { ...none, ...required },
    recommended: { ...none, ...recommended },
    observed: none,
  });
  const calm = {
    interrupted: false,
    leftovers: [],
    strict: false,
    unexpected: false,
    blocked: false,
    incomplete: false,
  };
  expect(judge(counts({ passed: 1 }, { failed: 1 }), calm)).toBe("conforms");
  expect(judge(counts({ passed: 1 }, { failed: 1 }), { ...calm, strict: true })).toBe("fails");
  expect(judge(counts({ passed: 1, failed: 1 }), { ...calm, leftovers: ["1"] })).toBe("fails");
  expect(judge(counts({ passed: 1, failed: 1, broken: 1 }), calm)).toBe("broken");
  expect(judge(counts({ passed: 1, broken: 1 }), { ...calm, interrupted: true })).toBe("interrupted");
  expect(judge(counts({ skipped: 9 }), calm)).toBe("nothing-judged");
  expect(judge(counts({ known: 9 }), calm)).toBe("conforms");
  expect(judge(counts({ passed: 9 }), { ...calm, unexpected: true })).toBe("fails");
  expect(judge(counts({ passed: 9 }), { ...calm, blocked: true })).toBe("unreachable");
  expect(judge(counts({ passed: 9, failed: 1 }), { ...calm, blocked: true })).toBe("fails");
  expect(judge(counts({ passed: 9 }), { ...calm, incomplete: true, leftovers: ["1"] })).toBe("incomplete");
  expect(exitCodes.broken).toBe(5);
});
