import { hasIntegerCode, type Operation } from "@kalends/spec";
import { etagOf } from "./answer.js";
import type { Route } from "./call.js";
import { ApiError } from "./errors.js";
import { PrintedBody, printJson } from "./json.js";

/**
 * Returns what prints the payload of an answer, once: a write prints it in its transaction, which an answer that is too large
 * rolls back. @throws ApiError when it is
 */
export function createPrint({ op, budget }: Pick<Route, "op" | "budget">): (payload: object) => PrintedBody {
  let last: { readonly payload: object; readonly body: PrintedBody } | undefined;
  return (payload) => {
    if (last?.payload === payload) return last.body;
    const parts = printJson({ meta: { code: hasIntegerCode(op) ? 200 : "200" }, ...payload });
    const body = new PrintedBody(parts, op.auth === "none" ? etagOf(parts) : undefined);
    if (body.length > budget.bytesAnswered) throw new ApiError("answer_too_large");
    last = { payload, body };
    return body;
  };
}

/** The payload as it is kept for a request that comes again: without a secret that is shown once. */
export function keptPayload({ shownOnce }: Operation, payload: object): object {
  return shownOnce === undefined ? payload : { ...payload, [shownOnce]: "" };
}
