import { expect } from "vitest";
import { readlinkSync } from "node:fs";
import { type Answer, request } from "../harness.js";
import type { Machine } from "./machine.js";

/** The machine, and what a step leaves for the steps after it. */
export interface Guide {
  readonly machine: Machine;
  token: string;
  /** The address of a follower's feed. */
  feed: string;
}

/** What is expected of a block. */
export interface Step {
  /** The heading above the block. */
  readonly heading: string;
  readonly shows: string;
  readonly before?: (guide: Guide) => Promise<void>;
  /** @param calls of stand-ins, during the block */
  readonly check: (guide: Guide, output: string, calls: readonly string[]) => Promise<void> | void;
}

export function call(
  { machine, token }: Guide,
  operation: string,
  params: Readonly<Record<string, string>> = {},
  using = token,
): Promise<Answer> {
  const query = new URLSearchParams(params).toString();
  const headers = { Authorization: `Bearer ${using}` };
  return request(`${machine.url}/api/v1/calendars/${operation}/?${query}`, { headers });
}

/** The titles of all calendars, the last saved first. */
export async function titles(guide: Guide): Promise<readonly string[]> {
  const { body } = await call(guide, "list");
  return body.calendars.map(({ title }: { readonly title: string }) => title);
}

/** The name of the release that the link names. */
export const current = ({ machine }: Guide): string =>
  readlinkSync(machine.at("/opt/kalends/current")).split("/").at(-1) ?? "";

export async function untilReady({ machine }: Guide): Promise<void> {
  const status = () =>
    request(`${machine.url}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
}
