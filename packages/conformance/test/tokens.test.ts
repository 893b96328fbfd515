import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../src/program.js";
import { startModel } from "./support/model-server.js";

// Tokens with which the suite cannot judge a server.

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.stop());

async function judge(args: readonly string[]) {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const terminal = { out: print, err: print, env: {}, signal: new AbortController().signal };
  return { code: await main(["run", "--base-url", model.url, ...args], terminal), output: lines.join("\n") };
}

test("a token that may only read, or a wrong one, ends the run before its checks", async () => {
  const { token, fake } = model;
  const mayNotWrite =
    "(the server refuses writes with the token of --token (403): use a token that may write";
  for (const [args, sentence] of [
    [["--token", fake.readToken], mayNotWrite],
    [["--token", token, "--other-token", fake.readToken], "with the token of --other-token (403)"],
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
    const { code, output } = await judge(["--token", model.fake.readToken, "--quiet", ...args]);
    expect(code, output).toBe(0);
  }
});
