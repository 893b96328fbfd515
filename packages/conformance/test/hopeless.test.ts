import { describe, expect, test } from "vitest";
import { run } from "../src/index.js";
import type { ExitCode } from "../src/types.js";
import { manners, startHopeless } from "./support/hopeless.js";

// Servers that are beyond judging. Each run ends within 30 s, says why, and never with 0.

const longestMs = 30_000;
/** 3: could not be judged. 1: it could, and fails. */
const expected = {
  "never answers": 3,
  "answers garbage": 3,
  "sends one byte a second": 3,
  "redirects for ever": 3,
  "announces more than it sends": 3,
  "announces more than it sends, and waits": 3,
  "announces less than it sends": 3,
  "falls silent after its first answer": 1,
} as const satisfies Record<keyof typeof manners, ExitCode>;

describe.concurrent("a server that", () => {
  for (const name of Object.keys(manners).filter((key): key is keyof typeof manners => key in manners))
    test(
      `${name}: exit code ${expected[name]}`,
      { timeout: longestMs + 5_000 },
      async ({ expect: expectHere }) => {
        const server = await startHopeless(manners[name]);
        const started = performance.now();
        try {
          const report = await run({ baseUrl: server.url, token: "token", otherToken: "other" });
          expectHere(report.exitCode, report.summary).toBe(expected[name]);
          expectHere(performance.now() - started).toBeLessThan(longestMs);
        } finally {
          await server.stop();
        }
      },
    );
});

test("a port where nothing listens is unreachable", async () => {
  const server = await startHopeless(manners["never answers"]);
  await server.stop();
  const report = await run({ baseUrl: server.url, token: "token" });
  expect(report).toMatchObject({ verdict: "unreachable", exitCode: 3 });
});
