import { describe, expect, test } from "vitest";
import { run } from "../src/index.js";
import type { ExitCode } from "../src/types.js";
import { manners, startHopeless } from "./support/hopeless.js";

// Servers that are beyond judging. Each run ends after a few requests, says why, and never with 0.

/**
 * So many requests at most, eight at the same time, and each takes at most the time limit of a call: a run with the default of ten
 * seconds ends within thirty. The limit is shorter here, and the requests are counted instead of the seconds, which a busy machine adds to.
 */
const mostRequests = 24;
const timeoutMs = 4_000;
/** 2: does not answer. 3: could not be judged. 1: it could, and fails. */
const expected = {
  "never answers": 2,
  "answers garbage": 2,
  "sends one byte a second": 2,
  "redirects for ever": 3,
  "announces more than it sends": 2,
  "announces more than it sends, and waits": 2,
  "announces less than it sends": 3,
  "falls silent after its first answer": 1,
} as const satisfies Record<keyof typeof manners, ExitCode>;

describe.concurrent("a server that", () => {
  for (const name of Object.keys(manners).filter((key): key is keyof typeof manners => key in manners))
    test(`${name}: exit code ${expected[name]}`, { timeout: 120_000 }, async ({ expect: expectHere }) => {
      const server = await startHopeless(manners[name]);
      try {
        const report = await run({ baseUrl: server.url, token: "token", otherToken: "other", timeoutMs });
        expectHere(report.exitCode, report.summary).toBe(expected[name]);
        expectHere(server.requests()).toBeLessThanOrEqual(mostRequests);
      } finally {
        await server.stop();
      }
    });
});

test("a port where nothing listens is down", async () => {
  // No program has this port, and the system gives it to none.
  const report = await run({ baseUrl: "http://127.0.0.1:4", token: "token" });
  expect(report).toMatchObject({ verdict: "down", exitCode: 2 });
});
