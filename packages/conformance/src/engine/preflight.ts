import type { RunOptions } from "../types.js";
import { isItem, list } from "./json.js";
import { hasNext } from "./lists.js";
import type { OperationName } from "./operations.js";
import type { Params, Target } from "./target.js";

/** Why the run cannot begin; `usage` when the options are at fault, not the server. */
export interface Problem {
  readonly message: string;
  readonly usage: boolean;
}

const mostPages = 50;

/** What is wrong with the options themselves; nothing is sent. */
export function wrongOptions(options: RunOptions, ids: readonly string[]): string | undefined {
  const { baseUrl, token, otherToken, knownFailures = {}, subscribersCalendar } = options;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    return "the base URL is not an http or https address";
  const { origin, pathname } = new URL(baseUrl);
  const [before, ...rest] = pathname.split("/api/v1");
  if (rest.length > 0) return `leave /api/v1 out of the base URL: ${origin}${before ?? ""}`;
  if (otherToken !== undefined && otherToken === token)
    return "--other-token is the token of the first account; it must be another account's";
  if (subscribersCalendar !== undefined && !/^[0-9]+$/.test(subscribersCalendar))
    return "--subscribers-calendar is not the id of a calendar";
  const unknown = Object.keys(knownFailures).filter((id) => !ids.includes(id));
  return unknown.length === 0 ? undefined : `the known failures name unknown checks: ${unknown.join(", ")}`;
}

/** The server's clock, or why the server cannot be judged: it does not answer, refuses the token, or is no such service. */
export async function preflight(
  target: Target,
  options: Pick<RunOptions, "otherToken" | "subscribersCalendar">,
): Promise<{ readonly problem?: Problem; readonly serverTime: number }> {
  const accounts = options.otherToken === undefined ? (["first"] as const) : (["first", "other"] as const);
  const probes = await Promise.all(accounts.map((as) => probe(target, as)));
  const message = probes.find((found) => typeof found === "string");
  const serverTime = probes.find((found) => typeof found === "number") ?? 0;
  if (message !== undefined) return { problem: { message, usage: false }, serverTime };
  const { subscribersCalendar: id } = options;
  if (id === undefined || (await exists(target, id))) return { serverTime };
  const absent = `--subscribers-calendar ${id}: the account of --token has no such calendar`;
  return { problem: { message: absent, usage: true }, serverTime };
}

async function probe(target: Target, as: "first" | "other"): Promise<string | number> {
  const which = as === "first" ? "--token" : "--other-token";
  try {
    const answer = await target.call({ exchanges: [] }, "listCalendars", {}, { as });
    const code = isItem(answer.body) && isItem(answer.body["meta"]) ? Number(answer.body["meta"]["code"]) : 0;
    const refused = [answer.status, code].find((status) => status === 401 || status === 403);
    if (refused !== undefined) return `the server refuses the token of ${which} (${refused})`;
    if (answer.status >= 300) return `the list of calendars answers HTTP ${answer.status}`;
    if (!isItem(answer.body)) return "the list of calendars does not answer a JSON object";
    return answer.serverTime;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  }
}

/** Whether any list knows the calendar: one that is broken must not make it look like wrong usage. */
async function exists(target: Target, calendar_id: string): Promise<boolean> {
  const send = (operation: OperationName, params: Params) =>
    target.call({ exchanges: [] }, operation, params).catch(() => undefined);
  for (const operation of ["listSubscribers", "listEvents"] as const) {
    const status = (await send(operation, { calendar_id }))?.status ?? 0;
    if (status < 400 || status > 499) return true;
  }
  for (let page = 1; page <= mostPages; page++) {
    const answer = await send("listCalendars", page === 1 ? {} : { page: String(page) });
    if (answer === undefined || answer.status !== 200) return true;
    const calendars = list(answer.body, "calendars");
    if (calendars.some(({ id }) => String(id) === calendar_id)) return true;
    if (calendars.length === 0 || !hasNext(answer.body)) return false;
  }
  return true;
}
