import { Refusal } from "./errors.js";
import type { Exchange, Service } from "./exchange.js";
import type { Operation } from "./operations.js";
import type { Pair } from "./request.js";

interface Asked {
  readonly operation: Operation;
  readonly inQuery: readonly Pair[];
  readonly inBody: readonly Pair[];
}

/** The account of a request, by its one token (service.md 5, rulings R1.7). */
export function accountOf(
  { accounts, faulty }: Service,
  { received }: Exchange,
  { operation, inQuery, inBody }: Asked,
): string {
  const bearers = received.headers.get("authorization")?.match(/\bBearer +[^\s,]+/gi) ?? [];
  if (bearers.length > 1) throw new Refusal("credentials_ambiguous");
  const bearer = bearers[0]?.replace(/^Bearer +/i, "") ?? "";
  const [given = "", ...others] = [bearer, tokenIn(inQuery), tokenIn(inBody)].filter((token) => token !== "");
  if (others.some((token) => token !== given)) throw new Refusal("credentials_ambiguous");
  if (faulty("M6") && given === "") return "owner";
  if (given === "") throw new Refusal("token_missing");
  const access = Object.entries(accounts).find(
    ([token]) => token === given || (faulty("M7") && token.toLowerCase() === given.toLowerCase()),
  )?.[1];
  if (access === undefined) throw new Refusal("token_unknown");
  if (access.scope === "read" && operation.kind === "write") throw new Refusal("scope_insufficient");
  return access.account;
}

/** The token of one place, empty when there is none; `token[]` is none that is accepted (rulings R1.4). */
function tokenIn(pairs: readonly Pair[]): string {
  const named = pairs.filter(([name]) => name === "token" || name.startsWith("token["));
  if (named.length > 1 || named.some(([name]) => name !== "token"))
    throw new Refusal("parameter_repeated", [{ parameter: "token", message: "must be given once" }]);
  return named[0]?.[1] ?? "";
}
