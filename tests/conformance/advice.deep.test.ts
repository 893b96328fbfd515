import { run } from "@kalends/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { consoleEnd } from "../../packages/conformance/src/report/console.js";
import { startJudged, stopServers } from "./faults/gate.js";
import { html, json } from "./faults/changes.js";
import type { Answered, Planted } from "./faults/proxy.js";

// Servers that answer GET alone, each with one gap: what a run advises first is that gap.

afterAll(stopServers);

const notFound = (method: string, target: string): Answered =>
  html(404, `<pre>Cannot ${method} ${target.split("?")[0] ?? ""}</pre>`);

/** Frameworks answer so where no route takes a method. */
const getOnly: Planted = {
  clause: "",
  title: "answers no POST",
  instead: async (ask, { pass }) => (ask.method === "POST" ? notFound(ask.method, ask.target) : pass(ask)),
};

/** A route that is missing. */
const without = (missing: string): Partial<Planted> => ({
  instead: async (ask, { pass }) => (ask.path === missing ? notFound(ask.method, ask.target) : pass(ask)),
});

const gaps: readonly (readonly [title: string, gap: Partial<Planted>, advice: string])[] = [
  [
    "has no list of subscribers",
    without("calendars/subscribers/list"),
    "add /api/v1/calendars/subscribers/list/",
  ],
  ["cannot save an event", without("calendars/events/save"), "add /api/v1/calendars/events/save/"],
  ["has no time zones", without("timezones"), "add /api/v1/timezones"],
  ["cannot delete a calendar", without("calendars/delete"), "add /api/v1/calendars/delete/"],
  [
    "has no list of blocked subscribers, and says so in JSON",
    {
      instead: async (ask, { pass }) =>
        ask.path.endsWith("list/blocked") ? json({ meta: { code: "404" } }, 404) : pass(ask),
    },
    "add /api/v1/calendars/subscribers/list/blocked/",
  ],
  [
    "lists events as HTML",
    {
      send: (answered, { path }) =>
        path === "calendars/events/list" ? html(200, "<p>Events</p>") : answered,
    },
    "make /api/v1/calendars/events/list/ answer JSON",
  ],
  [
    "answers errors as HTML",
    { send: (answered) => (answered.status < 400 ? answered : html(answered.status, "<h1>Error</h1>")) },
    "answer errors in JSON",
  ],
  [
    "fails to create events",
    {
      instead: async (ask, { pass }) =>
        ask.path === "calendars/events/create" ? json({ meta: { code: "500" } }, 500) : pass(ask),
    },
    "make /api/v1/calendars/events/create/ succeed",
  ],
  [
    "lets in who has no token",
    {
      ask: ({ params, headers, path }, { token }) => {
        if (!params.get("token") && !headers.authorization && path !== "timezones")
          params.set("token", token);
      },
    },
    "The operations 4.1 to 4.10 need the query parameter token.",
  ],
  [
    "lists calendars without paging",
    { answer: (body, { path }) => void (path === "calendars/list" && delete body.paging) },
    "make /api/v1/calendars/list/ answer with paging",
  ],
];

describe.each(gaps)("a server that %s", (title, gap, advice) => {
  test("is told to fix that first", { timeout: 300_000 }, async () => {
    const planted = { clause: "", title, ...gap };
    const { url: baseUrl, stop, ...judged } = await startJudged([getOnly, planted]);
    const { token, otherToken, followed: subscribersCalendar } = judged;
    const report = await run({ baseUrl, token, otherToken, subscribersCalendar, seed: 7, timeoutMs: 60_000 });
    await stop();
    expect(report.verdict).toBe("fails");
    const [first] = consoleEnd(report).match(/^Fix this first: .*$/m) ?? [];
    expect(first).toContain(advice);
  });
});
