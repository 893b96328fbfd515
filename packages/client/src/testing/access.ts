import type { IncomingMessage } from "node:http";
import { Refusal } from "./errors.js";
import type { Faulty } from "./faults.js";
import type { Pair } from "./request.js";

export const tokenOfOwner = "Kalends-Model-Token-Owner";
export const tokenOfOther = "Kalends-Model-Token-Other";

const accounts: Readonly<Record<string, string>> = { [tokenOfOwner]: "owner", [tokenOfOther]: "other" };

/** The account of a request, by its one token (service.md 5, rulings R1.7). */
export function accountOf(request: IncomingMessage, pairs: readonly Pair[], faulty: Faulty): string {
  const named = pairs.filter(([name]) => name === "token" || name.startsWith("token["));
  const bearer = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (named.length > 1 || named.some(([name]) => name !== "token"))
    throw new Refusal("parameter_repeated", [{ parameter: "token", message: "must be given once" }]);
  const token = named[0]?.[1] ?? "";
  if (bearer !== undefined && token !== "" && bearer !== token) throw new Refusal("credentials_ambiguous");
  const given = bearer ?? token;
  if (faulty("M6") && given === "") return "owner";
  if (given === "") throw new Refusal("token_missing");
  const account = Object.hasOwn(accounts, given) ? accounts[given] : undefined;
  if (faulty("M7")) {
    const alike = Object.entries(accounts).find(([token]) => token.toLowerCase() === given.toLowerCase());
    if (alike !== undefined) return alike[1];
  }
  if (account === undefined) throw new Refusal("token_unknown");
  return account;
}
