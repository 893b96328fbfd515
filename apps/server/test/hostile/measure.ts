import { expect, type TestContext } from "vitest";
import { type Operation, type OperationId, operations } from "@kalends/spec";
import { budgetOf } from "../../src/http/limits.js";
import { onPostgres } from "../databases.js";
import type { Exchanged } from "./exchange.js";
import { forgetPeak, memoryOf, type Noticed, scheduleOf, type Target } from "./target.js";

/** What an attack did, as the table shows it. */
export interface Row {
  readonly database: "PostgreSQL" | "SQLite";
  readonly attack: string;
  /** How often each status was answered; 0 is no answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of the largest answer. */
  readonly bytes: number;
  readonly seconds: number;
  /** By how much the memory of the server grew at most, in MB; undefined where the system does not tell. */
  readonly memoryMb: number | undefined;
  /** How many times as long the server took as it would have with a processor of its own. */
  readonly slowness: number;
  readonly alone: Noticed;
  readonly noticed: Noticed;
  readonly isAlive: boolean;
  /** Writes that held SQLite's only writer for longer than their budget. */
  readonly overruns: number;
  /** Exceptions that nothing caught, which the process survived. */
  readonly unexpected: number;
  readonly readyMs?: number | undefined;
}

declare module "vitest" {
  interface TaskMeta {
    rows?: Row[];
  }
}

/** The bounds of a test that runs on a slow machine with two cores. They are not read from http/limits.ts: a limit that is taken out there must show. */
export const bounds = {
  answerBytes: 4_000_000,
  /** Of 100 events with the longest texts, where http/limits.ts gives the reason why an answer has no other limit. */
  longestPageBytes: 28_000_000,
  /** Of a calendar of the world with all its events. */
  fileBytes: 40_000_000,
  silenceMs: 1_000,
  writeMs: 2_000,
  /** Of a list, a feed and a page. */
  readMs: 2_000,
  webhookMs: 3_000,
  memoryMb: 400,
  readyMs: 10_000,
};

/** A machine that is slower than this shows nothing of the server. */
const mostSlowness = 5;

/** What CI runs. */
export const isShort = process.env.KALENDS_HOSTILE_SIZE === "short";

/** Floods are ten times as long with KALENDS_HOSTILE_SIZE=full. */
export const isFull = process.env.KALENDS_HOSTILE_SIZE === "full";

/** The neighbour's times without an attack, measured once for a target. */
const aloneOf = new WeakMap<Target, Noticed>();

async function measureAlone(target: Target): Promise<Noticed> {
  const known = aloneOf.get(target);
  if (known !== undefined) return known;
  const stop = await target.watch();
  await passing(700);
  const alone = await stop();
  aloneOf.set(target, alone);
  return alone;
}

export function passing(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs an attack while the neighbour measures, and adds the row to the table. */
export async function measure(
  { task }: Pick<TestContext, "task">,
  target: Target,
  attack: string,
  run: () => Promise<readonly Exchanged[]>,
): Promise<Row> {
  const alone = await measureAlone(target);
  const counted = await countersOf(target);
  forgetPeak(target.pid);
  const before = memoryOf(target.pid)?.now;
  const schedule = scheduleOf(target.pid);
  const stop = await target.watch();
  const began = performance.now();
  const [ran] = await Promise.allSettled([run()]);
  const answers = ran.status === "fulfilled" ? ran.value : [];
  const seconds = (performance.now() - began) / 1000;
  const peak = memoryOf(target.pid)?.peak;
  const slowness = slownessSince(schedule, target);
  const noticed = await stop();
  const counts = await countersOf(target);
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const row: Row = {
    database: onPostgres ? "PostgreSQL" : "SQLite",
    attack,
    statuses,
    bytes: Math.max(0, ...answers.map(({ bytes }) => bytes)),
    seconds: Math.round(seconds * 10) / 10,
    memoryMb: before === undefined || peak === undefined ? undefined : Math.max(0, Math.round(peak - before)),
    slowness,
    alone,
    noticed,
    isAlive: target.isAlive() && (await target.send({ path: "/healthz" })).status === 200,
    overruns: counts.overruns - counted.overruns,
    unexpected: counts.unexpected - counted.unexpected,
  };
  task.meta.rows = [...(task.meta.rows ?? []), row];
  if (ran.status === "rejected") throw new Error("The attack failed.", { cause: ran.reason });
  return row;
}

function slownessSince(before: ReturnType<typeof scheduleOf>, { pid }: Target): number {
  const { ran, waited } = scheduleOf(pid);
  const all = ran - before.ran + waited - before.waited;
  return ran > before.ran ? Math.min(mostSlowness, all / (ran - before.ran)) : 1;
}

/** What the server has counted since it was started; 0 where it does not count it. */
async function countersOf(target: Target): Promise<Pick<Row, "overruns" | "unexpected">> {
  const { text } = await target.metrics();
  const sumOf = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, "gm"))].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  return {
    overruns: sumOf("kalends_write_overruns_total"),
    unexpected: sumOf("kalends_unexpected_errors_total"),
  };
}

/** Restarts the server, adds to the row how long that took, and asserts that what the attack left behind does not end it. */
export async function expectRestart(
  { task }: Pick<TestContext, "task">,
  target: Target,
  row: Row,
  livesMs = 300,
): Promise<void> {
  const restarted = { ...row, readyMs: await target.restart() };
  task.meta.rows = (task.meta.rows ?? []).map((each) => (each === row ? restarted : each));
  const readyMs = restarted.readyMs ?? Number.POSITIVE_INFINITY;
  expect.soft(readyMs, "ready after a restart").toBeLessThan(bounds.readyMs);
  await passing(livesMs);
  expect.soft(target.isAlive(), "the process is alive after the restart").toBe(true);
}

/** How large the answer of an operation may be. */
export function answerBytesOf(id: OperationId): number {
  const op: Operation = operations[id];
  if (op.fileAnswer !== undefined) return bounds.fileBytes;
  return Number.isFinite(budgetOf(id).bytesAnswered) ? bounds.answerBytes : bounds.longestPageBytes;
}

/** Asserts everything that an attack must not do, all of it, so that a failure shows the whole. */
export function expectBounded(row: Row, answerBytes = bounds.answerBytes): void {
  const { noticed, statuses, slowness } = row; // messages wait for receivers more than for a processor
  const server = Object.keys(statuses).filter((status) => status === "0" || /^5(?!03)/.test(status));
  expect.soft(row.isAlive, "the process is alive").toBe(true);
  expect.soft(row.unexpected, "exceptions that nothing caught").toBe(0);
  expect.soft(server, "failures of the server, or no answer").toEqual([]);
  expect.soft(row.bytes, "bytes answered").toBeLessThanOrEqual(answerBytes);
  expect.soft(noticed.refused, "refused to the neighbour").toEqual({});
  expect.soft(noticed.health.worst, "silence of /healthz").toBeLessThan(bounds.silenceMs * slowness);
  expect.soft(noticed.write.worst, "a write of the neighbour").toBeLessThan(bounds.writeMs * slowness);
  for (const kind of ["list", "feed", "page"] as const)
    expect.soft(noticed[kind].worst, `a ${kind} of the neighbour`).toBeLessThan(bounds.readMs * slowness);
  if (row.memoryMb !== undefined)
    expect.soft(row.memoryMb, "growth of memory in MB").toBeLessThan(bounds.memoryMb);
  expect
    .soft(noticed.webhook.worst, "a webhook of the neighbour")
    .toBeLessThan(bounds.webhookMs * Math.min(2, slowness));
}
