import { authorOf } from "../accounts/principal.js";
import { withBudget } from "../db/budgeted-database.js";
import type { Database } from "../db/database.js";
import { recordOf } from "./access-log.js";
import type { Call } from "./call.js";
import type { Restricted, WriteDatabase } from "./handler.js";
import type { PrintedBody } from "./json.js";
import { idempotencyKeyOf, ownKey } from "./preconditions.js";
import { keptPayload } from "./print.js";

interface Write {
  readonly params: Restricted["params"];
  readonly print: (payload: object) => PrintedBody;
}

/** Returns the database of a write, whose transactions keep to the budget of the operation, and its Idempotency-Key. */
export function writeDatabase(
  { services, route, req, res, now, principal }: Call,
  db: Database,
  { params, print }: Write,
): { readonly db: WriteDatabase<object>; readonly key: string | undefined } {
  const { id, op, budget } = route;
  const { requestId, accountId } = recordOf(res);
  const bounded = withBudget<object>(db, {
    owner: accountId,
    budget,
    by: principal && authorOf(principal, id),
    check: print,
    overran: (ms) => {
      services.overran?.(id);
      services.log.warn(
        { request_id: requestId, operation: id, ms: Math.round(ms) },
        "write held the database",
      );
    },
  });
  const key = ownKey(idempotencyKeyOf(op, req), principal, id);
  const write = {
    key,
    accountId: principal?.accountId,
    operation: id,
    params,
    ifMatch: req.headers["if-match"],
    now,
  };
  const printText = (payload: object) => Buffer.concat(print(keptPayload(op, payload)).parts).toString();
  return { db: services.repeatable(bounded, write, printText), key };
}
