import { operations } from "@kalends/spec";
import type { TestContext } from "vitest";
import { calendarFile } from "../calendar-files.js";
import type { Exchanged } from "./exchange.js";
import { isFull } from "./measure.js";
import { type Target, type TargetOptions, callOf, startTarget } from "./target.js";

/** Runs a test on a server of its own, which ends with it. */
export async function onTarget(
  options: TargetOptions,
  test: (target: Target) => Promise<void>,
): Promise<void> {
  const target = await startTarget(options);
  try {
    await test(target);
  } finally {
    await target.stop();
  }
}

export type Task = Pick<TestContext, "task">;

/** Creates a calendar of the attacker. */
export async function newCalendar(
  target: Target,
  title = "Hostile",
): Promise<{ readonly id: string; readonly uniquekey: string }> {
  const { calendar } = await target.call(operations.createCalendar.path, { title, timezone: "UTC" });
  return { id: String(calendar.id), uniquekey: String(calendar.uniquekey) };
}

/** Sends a file as a body of its own type. */
export function importFile(
  target: Target,
  calendarId: string,
  file: string,
  { query = "", headers = {} }: { readonly query?: string; readonly headers?: Sent } = {},
): Promise<Exchanged> {
  return target.send({
    method: "POST",
    path: `${operations.importCalendar.path}?calendar_id=${calendarId}${query}`,
    headers: {
      Authorization: `Bearer ${target.attackerToken}`,
      "Content-Type": "text/calendar; charset=utf-8",
      ...headers,
    },
    body: file,
  });
}

type Sent = Readonly<Record<string, string>>;

/** Calls an operation as the attacker, whatever comes of it. */
export function attempt(target: Target, path: string, params: Sent, headers: Sent = {}): Promise<Exchanged> {
  const call = callOf(path, params, target.attackerToken);
  return target.send({ ...call, headers: { ...call.headers, ...headers } });
}

/** An attack that takes longer than this has shown what it does, in ms. */
const longEnough = isFull ? 60_000 : 4_000;

/** The same attack many times, so many at once; no new one begins after some seconds. */
export async function flood<T>(
  count: number,
  atOnce: number,
  attack: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  let next = 0;
  const until = performance.now() + longEnough;
  const lane = async (): Promise<void> => {
    while (next < count && performance.now() < until) answers.push(await attack(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return answers;
}

/** A file of `count` events, each of these lines. */
export function fileOf(count: number, lines: (index: number) => readonly string[]): string {
  const events = Array.from({ length: count }, (_, index) =>
    ["BEGIN:VEVENT", ...lines(index), "END:VEVENT"].join("\r\n"),
  );
  return calendarFile(...events);
}

/** The year after this one: series of files are followed for two years, and pages show what is to come. */
export const nextYear = new Date().getUTCFullYear() + 1;
