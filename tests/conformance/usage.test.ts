import { afterAll, expect, test } from "vitest";
import { run } from "@kalends/conformance";
import { main } from "../../packages/conformance/src/program.js";
import { startJudged, stopServers } from "./faults/gate.js";

// Wrong usage: one line that says what is wrong with the options, exit code 2, and nothing else.

const judged = await startJudged();
afterAll(async () => {
  await judged.stop();
  await stopServers();
});

async function judge(args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const signal = new AbortController().signal;
  const code = await main(args, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    env: { KALENDS_BASE_URL: judged.url, KALENDS_TOKEN: judged.token },
    signal,
  });
  return { code, out, err };
}

test.each([
  { args: ["--only", "events.sav.*"], named: "--only events.sav.*" },
  { args: ["--only", "events.save.*,evnts.*"], named: "--only evnts.*" },
  { args: ["--skip", "time"], named: "--skip time" },
  { args: ["--profile", "http", "--only", "events.save.*"], named: "--profile http --only events.save.*" },
  { args: ["--only", "events.save.*", "--skip", "events.*"], named: "--only events.save.* --skip events.*" },
  { args: ["--concurrency", "0"], named: "'--concurrency <number>' argument '0'" },
  { args: ["--timeout-ms", "0"], named: "'--timeout-ms <number>' argument '0'" },
  { args: ["--concurrency", "two"], named: "'--concurrency <number>' argument 'two'" },
  { args: ["--subscribers-calendar", "999999"], named: "--subscribers-calendar 999999" },
  { args: ["--profile", "htp"], named: "htp" },
  { args: ["--onyl", "events.*"], named: "--onyl" },
])("run $args: names what is wrong, and prints nothing else", async ({ args, named }) => {
  const { code, out, err } = await judge(["run", ...args]);
  expect([code, out]).toEqual([2, []]);
  expect(err).toEqual([expect.stringContaining(named)]);
});

test("the same of a run that a program starts: no check is reported, and the summary says why", async () => {
  const { url: baseUrl, token } = judged;
  for (const [options, named] of [
    [{ concurrency: 0 }, "--concurrency 0"],
    [{ only: ["events.sav.*"] }, "--only events.sav.*"],
  ] as const) {
    const reported: string[] = [];
    const report = await run(
      { baseUrl, token, ...options },
      { onResult: ({ id }) => void reported.push(id) },
    );
    expect([report.verdict, reported]).toEqual(["wrong-usage", []]);
    expect(report.summary).toContain(named);
  }
});
