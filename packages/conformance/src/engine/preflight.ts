import type { RunOptions } from "../types.js";
import { isItem } from "./json.js";
import type { Target } from "./target.js";

/** The server's clock, or why the server cannot be judged: it does not answer, refuses the token, or is no such service. */
export async function preflight(
  target: Target,
  options: RunOptions,
): Promise<{ readonly problem?: string | undefined; readonly serverTime: number }> {
  const accounts =
    options.otherToken === undefined ? ["first" as const] : ["first" as const, "other" as const];
  const problems = await Promise.all(accounts.map((as) => probe(target, as)));
  const problem = problems.find((found) => typeof found === "string");
  const serverTime = problems.find((found) => typeof found === "number") ?? 0;
  return { problem, serverTime };
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
