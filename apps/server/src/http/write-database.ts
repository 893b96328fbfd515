import { authorOf } from "../accounts/principal.js";
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

/** Returns the database of a write, whose transactions are on behalf of its account and author, and its Idempotency-Key. */
export function writeDatabase(
  { services, route, req, res, now, principal }: Call,
  db: Database,
  { params, print }: Write,
): { readonly db: WriteDatabase<object>; readonly key: string | undefined } {
  const { id, op } = route;
  const behalf = { owner: recordOf(res).accountId, by: principal && authorOf(principal, id) };
  const { read, dialect } = db;
  const writing: WriteDatabase<object> = {
    read,
    dialect,
    query: (sql, values) => db.query(sql, values),
    list: (owner, work) => db.list(owner, work),
    reserve: (table, count) => db.reserve(table, count),
    transaction: (work) => db.transaction(work, behalf),
  };
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
  return { db: services.repeatable(writing, write, printText), key };
}
