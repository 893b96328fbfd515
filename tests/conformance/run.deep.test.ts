import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanup, type Report, run } from "@kalends/conformance";
import { startJudgedServer } from "./our-server.js";
import { startProxy } from "./proxy.js";

let judged: Awaited<ReturnType<typeof startJudgedServer>>;
beforeAll(async () => {
  judged = await startJudgedServer();
});
afterAll(() => judged.stop());

/** Titles of the calendars of both accounts, the oldest first. */
async function titles(): Promise<readonly string[]> {
  const lists = await Promise.all(
    [judged.first, judged.other].map((account) => account.call("listCalendars")),
  );
  return lists
    .flatMap(({ body }) => body.calendars.map(({ title }: { title: string }) => title))
    .toReversed();
}

/** Those that carry the mark of any run. */
async function leftovers(): Promise<readonly string[]> {
  return (await titles()).filter((title) => title.includes("kalconf-"));
}

function failures(report: Report): readonly string[] {
  return report.results
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, message }) => `${id}: ${message ?? ""}`);
}

test("our server conforms in each check, recommendations included", async () => {
  const report = await run({ ...judged.options, strict: true, requireComplete: true });
  expect(failures(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: "conforms", leftovers: [] });
});

test("two runs at once do not disturb each other", async () => {
  // Dates and texts are judged on calendars of their own: they disturb no one.
  const options = { ...judged.options, skip: ["time.*", "text.*"] };
  const reports = await Promise.all([run({ ...options, seed: 1 }), run({ ...options, seed: 2 })]);
  expect(reports.flatMap(failures)).toEqual([]);
  expect(reports.map(({ verdict }) => verdict)).toEqual(["conforms", "conforms"]);
  expect(await leftovers()).toEqual([]);
});

test("without a second account and followers the rest is judged, and the verdict says what was not", async () => {
  const { baseUrl, token } = judged.options;
  const report = await run({ baseUrl, token, profiles: ["subscribers", "isolation"] });
  const skipped = report.results.filter(({ status }) => status === "skipped");
  expect(skipped.length).toBeGreaterThan(30);
  expect(new Set(skipped.map(({ reason }) => reason)).size).toBe(2);
  expect(report.verdict).toBe("conforms");
  expect(report.summary).toMatch(/passed, 0 failed, [1-9][0-9]* not tested/);
});

test("a run in which nothing could be judged is not a pass", async () => {
  const { baseUrl, token } = judged.options;
  for (const only of [["isolation.*"], ["http.observed.*"]])
    expect(await run({ baseUrl, token, only })).toMatchObject({ verdict: "nothing-judged", exitCode: 3 });
});

test("a read-only run sends no write, whatever the path", async () => {
  const proxy = await startProxy(judged.options.baseUrl);
  const report = await run({ ...judged.options, baseUrl: proxy.url, readOnly: true });
  await proxy.stop();
  expect(failures(report)).toEqual([]);
  expect(report.verdict).toBe("conforms");
  expect(report.counts.required.passed).toBeGreaterThan(40);
  expect(proxy.requests.length).toBeGreaterThan(100);
  expect(proxy.requests.filter((request) => /\/(create|save|delete)/.test(request))).toEqual([]);
});

test("an interrupted run deletes what it made and says so", async () => {
  const interruption = new AbortController();
  let writes = 0;
  const proxy = await startProxy(judged.options.baseUrl, (path) => {
    if (path.includes("/create/") && ++writes === 60) interruption.abort();
    return undefined;
  });
  const report = await run({ ...judged.options, baseUrl: proxy.url, signal: interruption.signal });
  await proxy.stop();
  expect(report).toMatchObject({ verdict: "interrupted", exitCode: 130, leftovers: [] });
  expect(report.results.some(({ reason }) => reason === "interrupted")).toBe(true);
  expect(failures(report)).toEqual([]);
  expect(await leftovers()).toEqual([]);
});

test("cleanup deletes what killed runs left, and nothing else", async () => {
  const { first, options } = judged;
  for (const title of ["kalconf-00000001 n1n", "kalconf-00000002 n1n", "My own"])
    await first.call("createCalendar", { title });
  expect(await cleanup({ ...options, olderThanMinutes: 5 })).toEqual({ deleted: [], left: [] });
  expect((await cleanup({ ...options, runId: "kalconf-00000001" })).deleted).toHaveLength(1);
  expect(await leftovers()).toEqual(["kalconf-00000002 n1n"]);
  await first.call("createCalendar", { title: "Ours", description: "Checked by kalconf-run" });
  for (const runId of ["", "a", "kalconf-"])
    await expect(cleanup({ ...options, runId })).rejects.toThrow("is not the runId of a report");
  expect((await cleanup(options)).deleted).toHaveLength(1);
  expect(await titles()).toEqual(["Followed", "My own", "Ours"]);
});

test("a cleanup that cannot read the list says so", async () => {
  let lists = 0;
  const proxy = await startProxy(judged.options.baseUrl, (path) =>
    path.startsWith("/api/v1/calendars/list/") && ++lists > 2 ? "refuse" : undefined,
  );
  await expect(cleanup({ ...judged.options, baseUrl: proxy.url })).rejects.toThrow("could not be read");
  await proxy.stop();
});

test("a server that refuses unknown parameters, which the contract leaves open, fails no required check", async () => {
  const proxy = await startProxy(judged.options.baseUrl, (path) =>
    path.includes("x_unknown=") ? "unknown" : undefined,
  );
  const report = await run({ ...judged.options, baseUrl: proxy.url, only: ["paging.*"] });
  await proxy.stop();
  expect(report.verdict).toBe("conforms");
  const skipped = report.results.filter(({ reason }) => reason === "the server refuses unknown parameters");
  expect(skipped).toHaveLength(3);
});

test("a server that is not there is down, one that refuses the token unreachable", async () => {
  const { options } = judged;
  const gone = await run({ ...options, baseUrl: "http://127.0.0.1:9" });
  expect(gone).toMatchObject({ verdict: "down", exitCode: 2 });
  const refused = await run({ ...options, token: "wrong" });
  expect(refused).toMatchObject({ verdict: "unreachable", exitCode: 3 });
  expect(refused.summary).toContain("refuses the token");
  expect((await run({ ...options, otherToken: "wrong" })).summary).toContain("--other-token");
});

test("a server with a path before /api/v1 is judged there, and nowhere else", async () => {
  const proxy = await startProxy(judged.options.baseUrl);
  const report = await run({ ...judged.options, baseUrl: `${proxy.url}/nowhere/` });
  await proxy.stop();
  expect(report).toMatchObject({ verdict: "unreachable", exitCode: 3 });
  expect(proxy.requests).not.toEqual([]);
  expect(proxy.requests.filter((request) => !/^[A-Z]+ \/nowhere\/api\/v1\//.test(request))).toEqual([]);
});

test("calendars that the server does not delete are reported", async () => {
  const proxy = await startProxy(judged.options.baseUrl, (path) =>
    path.startsWith("/api/v1/calendars/delete/") ? "refuse" : undefined,
  );
  const options = { ...judged.options, baseUrl: proxy.url, only: ["calendars.create.fields"] };
  const report = await run(options);
  await proxy.stop();
  expect(report).toMatchObject({ verdict: "leftovers", exitCode: 4 });
  expect(report.leftovers).toHaveLength(1);
  expect(await leftovers()).toHaveLength(1);
  expect(await cleanup(judged.options)).toEqual({ deleted: report.leftovers, left: [] });
});

test("a server that breaks the contract fails, with the clause and a curl line without the token", async () => {
  const proxy = await startProxy(judged.options.baseUrl, (path) =>
    path.startsWith("/api/v1/calendars/events/save/") ? "refuse" : undefined,
  );
  const report = await run({
    ...judged.options,
    baseUrl: proxy.url,
    only: ["events.save.*", "events.create.*"],
  });
  await proxy.stop();
  expect(report).toMatchObject({ verdict: "fails", exitCode: 1, leftovers: [] });
  const failed = report.results.find(({ id }) => id === "events.save.dates");
  expect(failed).toMatchObject({ status: "failed", clause: "docs/contract.md#4.7" });
  expect(failed?.message).toContain("curl -sS 'http://127.0.0.1:");
  expect(failed?.message).toContain("/api/v1/calendars/events/save/?token=***&event_id=");
});
