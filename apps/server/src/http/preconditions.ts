import { type AnyOperationId, isWrite, type Operation } from "@kalends/spec";
import type { IncomingMessage } from "node:http";
import type { Principal } from "../accounts/principal.js";
import { ApiError } from "./errors.js";
import { countOf } from "./guards.js";

/** Returns the key under which a write is done once; undefined without one (extensions X2.1). */
export function idempotencyKeyOf(op: Operation, req: IncomingMessage): string | undefined {
  const key = req.headers["idempotency-key"];
  if (key === undefined || !isWrite(op)) return undefined;
  if (typeof key !== "string" || !keyForm.test(key) || countOf(req, "idempotency-key") !== 1)
    throw new ApiError("idempotency_key_invalid");
  return key;
}

/** Visible ASCII. */
const keyForm = /^[!-~]{1,255}$/;

/**
 * Returns a key as it is stored. It is of one person, in this session or a later one, and of the same grants: the answer may have what can no longer
 * be seen. A sign-out is of its session. No key of a token has a blank.
 */
export function ownKey(
  key: string | undefined,
  principal: Principal | undefined,
  operation: AnyOperationId,
): string | undefined {
  const { session } = principal ?? {};
  if (key === undefined || session === undefined) return key;
  const { id, personId, tokenId, grantsKey } = session;
  const owner = operation === "endSession" ? `session ${id}` : `${personId ?? ""} ${tokenId ?? ""}`;
  return `${key} ${owner} ${grantsKey}`;
}

type RequireMatch = (event: { readonly updated_times: number }) => void;

/**
 * Returns a function that throws unless the header If-Match, where there is one, names this state of an event (extensions X2.2,
 * RFC 9110 13.1.1). A write that does not look at it must not be done as if it had.
 */
export function preconditionOf(op: Operation, { headers }: IncomingMessage): RequireMatch {
  const condition = headers["if-match"];
  if (condition === undefined || !isWrite(op)) return () => undefined;
  if (op.ifMatch !== true || !conditionForm.test(condition)) throw new ApiError("if_match_invalid");
  if (condition.trim() === "*") return () => undefined;
  const tags = condition.split(",").map((tag) => tag.trim());
  return ({ updated_times }) => {
    if (!tags.includes(`"${updated_times}"`)) throw new ApiError("event_changed");
  };
}

/** `*`, or entity tags, of which a weak one never matches. */
const conditionForm = /^[\t ]*(?:\*|(?:W\/)?"[!#-~]*"(?:[\t ]*,[\t ]*(?:W\/)?"[!#-~]*")*)[\t ]*$/;
