import { afterAll, expect, test } from "vitest";
import { main } from "../../packages/conformance/src/program.js";
import { startJudged, stopServers } from "./faults/gate.js";

// Tokens with which the suite cannot judge a server.

const judged = await startJudged();
afterAll(async () => {
  await judged.stop();
  await stopServers();
});

async function judge(args: readonly string[]) {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const terminal = { out: print, err: print, env: {}, signal: new AbortController().signal };
  return { code: await main(["run", "--base-url", judged.url, ...args], terminal), output: lines.join("\n") };
}

test("a token that may only read, or a wrong one, ends the run before its checks", async () => {
  const { token, readToken, otherReadToken } = judged;
  const mayNotWrite =
    "(the server refuses writes with the token of --token (403): use a token that may write";
  for (const [args, sentence] of [
    [["--token", readToken], mayNotWrite],
    [["--token", token, "--other-token", otherReadToken], "with the token of --other-token (403)"],
    [["--token", "wrong"], "(the server refuses the token of --token (401))"],
  ] as const) {
    const { code, output } = await judge(args);
    expect([code, output]).toEqual([3, expect.stringContaining(sentence)]);
    expect(output).toMatch(/^0 passed, 0 failed, [0-9]+ skipped$/m);
    expect(output.split("\n").length, output).toBeLessThan(8);
  }
});

test("a token that may only read is enough for checks that only read", async () => {
  for (const args of [["--read-only"], ["--only", "timezones.code-is-an-integer"]]) {
    const { code, output } = await judge(["--token", judged.readToken, "--quiet", ...args]);
    expect(code, output).toBe(0);
  }
});
