import { readdirSync } from "node:fs";
import { createCalendarClient } from "@kalends/client";
import { listChecks, run } from "@kalends/conformance";
import type { CheckInfo, Report, RunOptions, Verdict } from "@kalends/conformance";
import { startTestServer, type TestServer } from "@kalends/server/testing";
import { type Fault, type Faults, type Planted, startFaulty } from "./proxy.js";

const folder = new URL(".", import.meta.url);
const files: readonly { readonly faults?: Faults }[] = await Promise.all(
  readdirSync(folder)
    .filter((name) => name !== "gate.ts")
    .map((name) => import(new URL(name, folder).href)),
);
/** Id → fault, of all files of this folder. */
export const faults = joined(files.map((file) => file.faults ?? {}));

/** Joins the faults of several files. @throws Error when two have one id, of which the later would replace the other */
export function joined(tables: readonly Faults[]): Faults {
  const entries = tables.flatMap((table) => Object.entries(table));
  const all = Object.fromEntries(entries);
  for (const [id, fault] of entries) if (all[id] !== fault) throw new Error(`Two faults have the id ${id}.`);
  return all;
}

/** What the suite made of a server with one fault in front of it. */
export interface Outcome {
  readonly id: string;
  readonly fault: Fault;
  readonly verdict: Verdict;
  /** A fault never becomes "not tested". */
  readonly untested: readonly string[];
  /** Failed checks that cite the clause that the fault breaks. */
  readonly killers: readonly string[];
  /** Other failed checks, with what they cite. */
  readonly others: readonly string[];
  readonly broken: readonly string[];
  /** Share of the judged checks that failed. */
  readonly share: number;
}

/** Items a page → server. */
const servers = new Map<number, Promise<TestServer>>();

/** Stops the servers of this file. */
export async function stopServers(): Promise<void> {
  const started = [...servers.values()];
  servers.clear();
  unused.clear();
  for (const server of started) await (await server).close();
}

interface Judged {
  readonly server: TestServer;
  readonly tokens: Readonly<Record<"token" | "readToken" | "otherToken" | "otherReadToken", string>>;
  readonly followed: string;
}

/** Two new accounts, and a calendar with followers. */
async function newJudged(pageSize: number): Promise<Judged> {
  const starting = servers.get(pageSize) ?? startTestServer({ settings: { PAGE_SIZE: String(pageSize) } });
  servers.set(pageSize, starting);
  const server = await starting;
  const [{ token, readToken }, { token: otherToken, readToken: otherReadToken }] = [
    await server.account(),
    await server.account(),
  ];
  const followed = await followedCalendar(server, token, 3 * pageSize + 8);
  return { server, tokens: { token, readToken, otherToken, otherReadToken }, followed };
}

/** Starts a proxy with these faults in front of a server. */
export async function startJudged(planted: readonly Planted[] = [], pageSize = 5, judged?: Judged) {
  const { server, tokens, followed } = judged ?? (await newJudged(pageSize));
  const { url, errors, stop } = await startFaulty(server.baseUrl, planted, { ...tokens, followed });
  return { url, ...tokens, followed, errors, stop };
}

const monthSeconds = 30 * 86_400;

/** More than a page of subscribers, of inactive and of blocked ones. Times are not in the order of the ids. */
async function followedCalendar(server: TestServer, token: string, count: number): Promise<string> {
  const { calendars } = createCalendarClient({ baseUrl: server.baseUrl, token });
  const calendar = await calendars.create({ title: "Followed", timezone: "Pacific/Auckland" });
  const start = Math.floor(Date.now() / 1000) - 5 * monthSeconds;
  const step = Math.floor((4 * monthSeconds) / count);
  const subscribers = Array.from({ length: count }, (_, index) => ({
    calendar_id: calendar.id,
    ...(index % 3 === 0 ? {} : { name: `Follower ${index + 1}`, email: `follower-${index + 1}@example.com` }),
    ...(index % 2 === 0 ? {} : { postal: "1010", city: "Auckland", country: "NZ" }),
    since: new Date((start + ((index * 37) % count) * step) * 1000),
    calendar_type: ["apple", "google", "outlook", "ical"][index % 4],
    active: index % 2 !== 1,
    blocked: index % 5 < 2,
  }));
  await server.addSubscribers(subscribers);
  return calendar.id;
}

/** Items a page → what runs have left as it was. */
const unused = new Map<number, Judged[]>();

/** Judges a server with these faults in front of it; small pages make the paging checks quick. A busy machine is no fault. */
export async function judge(
  planted: readonly Planted[],
  { pageSize = 5, ...options }: { readonly pageSize?: number } & Partial<RunOptions> = {},
): Promise<Report> {
  const kept = unused.get(pageSize) ?? [];
  unused.set(pageSize, kept);
  const judged = kept.pop() ?? (await newJudged(pageSize));
  const {
    url: baseUrl,
    token,
    otherToken,
    followed,
    errors,
    stop,
  } = await startJudged(planted, pageSize, judged);
  try {
    const fixed = { baseUrl, token, otherToken, subscribersCalendar: followed, seed: 7, timeoutMs: 60_000 };
    const report = await run({ ...fixed, ...options });
    if (errors.length > 0) throw errors[0];
    if (report.leftovers.length === 0) kept.push(judged);
    return report;
  } finally {
    await stop();
  }
}

/** Runs `checks` on the fault: all, those that cite what it breaks, or one; and a sample of the others. */
export async function judgeFault(id: string, checks: "all" | "citing" | { only: string }): Promise<Outcome> {
  const fault = faults[id];
  if (fault === undefined) throw new Error(`There is no fault ${id}.`);
  const cites = ({ clause }: CheckInfo) => [fault.clause, ...(fault.alsoClauses ?? [])].includes(clause);
  const isChosen = (check: CheckInfo): boolean => {
    if (checks === "all") return true;
    return checks === "citing" ? cites(check) : check.id === checks.only;
  };
  const chosen = listChecks().filter((check) => isChosen(check) || sample.has(check.id));
  const only = chosen.map((check) => check.id);
  const { results, verdict } = await judge([fault], { only });
  const failed = results.filter(({ status }) => status === "failed");
  const judged = results.filter(({ status }) => status === "passed" || status === "failed");
  return {
    id,
    fault,
    verdict,
    untested: results
      .filter(({ status, profile }) => status === "skipped" && profile !== "schemas")
      .map((check) => `${check.id}: ${check.reason ?? ""}`),
    killers: failed.filter(cites).map((check) => check.id),
    others: failed.filter((check) => !cites(check)).map((check) => `${check.id} (${check.clause})`),
    broken: results.flatMap((check) =>
      check.status === "broken" ? [`${check.id}: ${check.message ?? ""}`] : [],
    ),
    share: failed.length / Math.max(1, judged.length),
  };
}

/**
 * These show whether a fault fails nearly everything: one for each kind of request, none of which sends more than five. Each
 * fault is judged by them, so a request here is one for every fault.
 */
export const sample: ReadonlySet<string> = new Set([
  "timezones.code-is-an-integer",
  "schemas.open.listCalendars",
  "http.unknown-parameters",
  "calendars.create.plain-strings",
  "events.create.calendar-is-mandatory",
  "text.line-feed",
]);

/** Runs `work` on all items, `width` at a time; each result is its own promise. */
export function pool<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): ReadonlyMap<Item, Promise<Result>> {
  const started: Promise<Result>[] = [];
  return new Map(
    items.map((item, index) => {
      const turn = started[index - width];
      const result = (turn === undefined ? Promise.resolve() : turn.then(ignore, ignore)).then(() =>
        work(item),
      );
      started.push(result);
      return [item, result];
    }),
  );
}

function ignore(): void {}

/** A fault of the envelope may fail nearly every check; any other that does was not told apart. */
export function isEnvelopeFault({ clause }: Planted): boolean {
  return /^docs\/contract\.md#(1\.\d|2\.1|7\.\d)$/.test(clause);
}
