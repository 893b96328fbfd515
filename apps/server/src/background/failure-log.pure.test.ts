import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { logFailure } from "./failure-log.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, logged: () => lines.map(({ request_id, repeated }) => [request_id, repeated]) };
}

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

test("a failure of the storage is logged at once, its repeats once a second with their number, and none is left out", () => {
  const { log, logged } = startLog();
  for (let n = 1; n <= 250; n++) {
    logFailure(log, refused, `request ${n}`, "storage_unavailable");
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(5_000);
  expect(logged()).toStrictEqual([
    ["request 1", undefined],
    ["request 100", 99],
    ["request 200", 100],
    ["request 250", 50],
  ]);
  logFailure(log, refused, "later", "storage_unavailable");
  expect(logged().at(-1)).toStrictEqual(["later", undefined]);
});

test("other failures are each logged, meanwhile too", () => {
  const { log, logged } = startLog();
  logFailure(log, refused, "a", "storage_unavailable");
  for (const id of ["b", "c"]) logFailure(log, new TypeError("a defect"), id, "internal_error");
  expect(logged()).toStrictEqual([
    ["a", undefined],
    ["b", undefined],
    ["c", undefined],
  ]);
});
