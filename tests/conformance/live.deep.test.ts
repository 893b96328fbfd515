import { expect, test } from "vitest";
import { type Report, run } from "@kalends/conformance";
import { startJudgedServer } from "./our-server.js";
import { type Own, startProxy } from "./proxy.js";

// Servers in use: limits, traffic and data of others, clocks that go wrong. None of it is a fault.

function notPassed(report: Report): readonly string[] {
  return report.results
    .filter(({ status }) => status !== "passed" && status !== "observed")
    .map(({ id, message, reason }) => `${id}: ${message ?? reason}`);
}

test("a server that limits requests is waited for, and judged in full by its own clock, 40 days ahead", async () => {
  const later = 40 * 86_400;
  const judged = await startJudgedServer({}, { later });
  let [left, opensAt, isFull] = [300, 0, false];
  const limit = (): Own => {
    if (left === 0 && (isFull || performance.now() < opensAt)) {
      isFull = false; // one is refused at least, also when the process was stopped for the second
      return { retryAfter: "1" };
    }
    if (left === 0) left = 300;
    left -= 1;
    if (left > 0) return undefined;
    [opensAt, isFull] = [performance.now() + 1_000, true];
    return undefined;
  };
  const proxy = await startProxy(judged.options.baseUrl, limit, { later });
  const waits: number[] = [];
  const options = { ...judged.options, baseUrl: proxy.url, profiles: ["core", "subscribers"] };
  const report = await run(options, { onWait: (seconds) => waits.push(seconds) });
  await proxy.stop();
  await judged.stop();
  expect(notPassed(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: "conforms", leftovers: [] });
  expect(waits.length).toBeGreaterThan(0);
});

test("a server that asks to wait for an hour is not judged, and does not fail", async () => {
  const judged = await startJudgedServer();
  let requests = 0;
  const proxy = await startProxy(judged.options.baseUrl, () =>
    ++requests > 20 ? { retryAfter: "3600" } : undefined,
  );
  const report = await run({ ...judged.options, baseUrl: proxy.url, profiles: ["isolation", "errors"] });
  await proxy.stop();
  await judged.stop();
  expect(report.counts.required.failed + report.counts.recommended.failed).toBe(0);
  expect(report.results.map(({ reason }) => reason)).toContain(
    "the server asks to wait 3600 seconds (HTTP 429)",
  );
  expect(report.exitCode).not.toBe(0);
});

test("people who follow and leave while the run reads them do not confuse it", async () => {
  const judged = await startJudgedServer();
  let changes = 0;
  const proxy = await startProxy(judged.options.baseUrl, async (path) => {
    if (!path.includes("/list/inactive/") || changes === 2) return undefined;
    changes += 1;
    await judged.follow({ active: 0, blocked: 0, subscribed_at: 1_784_000_000, name: "New", city: null });
    return undefined;
  });
  const options = { ...judged.options, baseUrl: proxy.url, concurrency: 1 };
  const report = await run({ ...options, only: ["subscribers.list.inactive"] });
  await proxy.stop();
  await judged.stop();
  expect(changes).toBe(2);
  expect(notPassed(report)).toEqual([]);
});

test("calendars that others make and delete while the run reads page after page do not confuse it", async () => {
  const judged = await startJudgedServer({ PAGE_SIZE: "2" });
  const busy: string[] = [];
  let walks = 0;
  const proxy = await startProxy(judged.options.baseUrl, async (path) => {
    if (!path.includes("/calendars/list/") || walks > 3) return undefined;
    if (path.includes("page=2")) {
      // What was first on page 2 is on page 1 now, which was read before.
      const [calendar_id = ""] = busy.splice(0, 1);
      await judged.first.call("deleteCalendar", { calendar_id });
      return undefined;
    }
    walks += 1;
    if (walks === 1) return undefined; // preflight
    for (let made = busy.length; made < 2; made++)
      busy.unshift((await judged.first.call("createCalendar", { title: "Busy" })).body.calendar.id);
    return undefined;
  });
  const only = ["calendars.create.is-listed"];
  const report = await run({ ...judged.options, baseUrl: proxy.url, only });
  await proxy.stop();
  await judged.stop();
  expect(walks).toBe(4); // preflight, two walks that are disturbed, and a calm one
  expect(notPassed(report)).toEqual([]);
});

test("what else the account has is not judged", async () => {
  const judged = await startJudgedServer();
  // Accepted as an alias (rulings R4.5), though not of the form <Area>/<City>.
  for (const timezone of ["EST5EDT", "GB-Eire"])
    await judged.first.call("createCalendar", { title: "Mine", timezone });
  const report = await run({ ...judged.options, only: ["calendars.*"] });
  await judged.stop();
  expect(notPassed(report)).toEqual([]);
});
