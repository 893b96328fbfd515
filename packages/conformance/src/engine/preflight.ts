import picomatch from "picomatch";
import type { RunOptions } from "../types.js";
import { isItem } from "./item.js";
import { list } from "./json.js";
import { hasNext } from "./lists.js";
import type { ContractName } from "./operations.js";
import type { Answer, Params, Recorder, Target } from "./target.js";

/** Why the run cannot begin: "wrong-usage" when the options are at fault, "down" when nothing answers at the address. */
export interface Problem {
  readonly message: string;
  readonly verdict: "wrong-usage" | "down" | "unreachable";
}

type Account = "first" | "other";

const optionOf = { first: "--token", other: "--other-token" } as const satisfies Record<Account, string>;
const mostPages = 50;

/**
 * Returns what is wrong with the options; sends nothing. `ids` are those of all checks, `chosen` those that the options select.
 */
export function wrongOptions(
  options: RunOptions,
  ids: readonly string[],
  chosen: readonly string[],
): string | undefined {
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
  if (
    options.concurrency !== undefined &&
    !(Number.isInteger(options.concurrency) && options.concurrency > 0)
  )
    return `--concurrency ${options.concurrency}: expected a whole number from 1`;
  const unknown = Object.keys(knownFailures).filter((id) => !ids.includes(id));
  if (unknown.length > 0) return `the known failures name unknown checks: ${unknown.join(", ")}`;
  return wrongSelection(options, ids, chosen);
}

/** A misspelled pattern must not look like a run in which all is well. */
function wrongSelection(
  { profiles = [], only = [], skip = [], required = false }: RunOptions,
  ids: readonly string[],
  chosen: readonly string[],
): string | undefined {
  for (const [option, patterns] of Object.entries({ "--only": only, "--skip": skip })) {
    const idle = patterns.filter((pattern) => {
      const matches = picomatch(pattern);
      return !ids.some((id) => matches(id));
    });
    if (idle.length > 0) return `${option} ${idle.join(",")}: no check has such an id; "list" prints them`;
  }
  if (chosen.length > 0) return undefined;
  const given = Object.entries({ "--profile": profiles, "--only": only, "--skip": skip })
    .filter(([, values]) => values.length > 0)
    .map(([option, values]) => `${option} ${values.join(",")}`);
  if (required) given.push("--required");
  return `${given.join(" ")}: together they choose no check; "list" prints them`;
}

/**
 * Returns the server's clock, or why the server cannot be judged: it does not answer, refuses the token, or is no such service.
 *
 * @param mark of the run, when it writes: then the tokens must be allowed to
 */
export async function preflight(
  target: Target,
  options: Pick<RunOptions, "otherToken" | "subscribersCalendar">,
  mark?: string,
): Promise<{ readonly problem?: Problem; readonly serverTime: number }> {
  const accounts = options.otherToken === undefined ? (["first"] as const) : (["first", "other"] as const);
  const recorder: Recorder = { exchanges: [] };
  const probes = await Promise.all(accounts.map((as) => probe(target, recorder, as)));
  const serverTime = probes.find((found) => typeof found === "number") ?? 0;
  const unreadable = probes.find((found) => typeof found === "string");
  const message = unreadable ?? (mark === undefined ? undefined : await writeProblem(target, accounts, mark));
  const isDown = recorder.exchanges.every(({ status }) => status === 0);
  if (message !== undefined)
    return { problem: { message, verdict: isDown ? "down" : "unreachable" }, serverTime };
  const { subscribersCalendar: id } = options;
  if (id === undefined || (await exists(target, id))) return { serverTime };
  const absent = `--subscribers-calendar ${id}: the account of --token has no such calendar`;
  return { problem: { message: absent, verdict: "wrong-usage" }, serverTime };
}

async function probe(target: Target, recorder: Recorder, as: Account): Promise<string | number> {
  try {
    const answer = await target.call(recorder, "listCalendars", {}, { as });
    const refused = statuses(answer).find((status) => status === 401 || status === 403);
    if (refused !== undefined) return `the server refuses the token of ${optionOf[as]} (${refused})`;
    if (answer.status >= 300) return `the list of calendars answers HTTP ${answer.status}`;
    if (!isItem(answer.body)) return "the list of calendars does not answer a JSON object";
    return answer.serverTime;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  }
}

/**
 * Returns which token may not write. A calendar without a title makes nothing: the title is mandatory (contract 4.2). Where
 * a server makes it all the same, the run finds it by the mark and deletes it. Any other answer is for the checks to judge.
 */
async function writeProblem(
  target: Target,
  accounts: readonly Account[],
  mark: string,
): Promise<string | undefined> {
  const params = { description: mark, timezone: "Etc/UTC" };
  const answers = await Promise.all(
    accounts.map((as) =>
      target.call({ exchanges: [] }, "createCalendar", params, { as }).catch(() => undefined),
    ),
  );
  const as = accounts.find((_account, index) => statuses(answers[index]).includes(403));
  if (as === undefined) return undefined;
  return `the server refuses writes with the token of ${optionOf[as]} (403): use a token that may write, or --read-only`;
}

/** Returns both statuses of a response: that of HTTP and `meta.code`. */
function statuses(answer: Answer | undefined): readonly number[] {
  const { status = 0, body } = answer ?? {};
  return [status, isItem(body) && isItem(body["meta"]) ? Number(body["meta"]["code"]) : 0];
}

/** Whether any list knows the calendar: one that is broken must not make it look like wrong usage. */
async function exists(target: Target, calendar_id: string): Promise<boolean> {
  const send = (operation: ContractName, params: Params) =>
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
