import type { IncomingMessage } from "node:http";
import { type AnyOperationId, isWrite, type Operation } from "@kalends/spec";
import { authorOf, type Principal } from "../accounts/principal.js";
import type { Database } from "../db/database.js";
import type { About } from "../db/kept-answers.js";
import { recordOf } from "./access-log.js";
import type { Call } from "./call.js";
import { ApiError } from "./errors.js";
import { countOf } from "./guards.js";
import type { Restricted, WriteDatabase } from "./handler.js";
import type { PrintedBody } from "./json.js";

// What the headers of a write ask for: that it is done once (Idempotency-Key), and only if the event is as the caller has seen it (If-Match).

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
  const { id: operation, op } = route;
  const accountId = principal?.accountId;
  const behalf = {
    owner: recordOf(res).accountId,
    by: principal && { ...authorOf(principal, operation), ...toldBy(params) },
  };
  const key = ownKey(idempotencyKeyOf(op, req), principal, operation);
  const ifMatch = req.headers["if-match"];
  const printText = (payload: object) => Buffer.concat(print(keptPayload(op, payload)).parts).toString();
  const about = (): About => {
    const { calendarId, eventId, subscriberId, personId } = recordOf(res);
    const [calendar_id = null, event_id = null] = [calendarId, eventId];
    const [subscriber_id = null, person_id = null] = [subscriberId, personId];
    return { calendar_id, event_id, subscriber_id, person_id };
  };
  const { read, dialect } = db;
  return {
    key,
    db: {
      read,
      dialect,
      query: (sql, values) => db.query(sql, values),
      list: (owner, work) => db.list(owner, work),
      reserve: (table, count) => db.reserve(table, count),
      transaction: (work) => {
        if (key === undefined || accountId === undefined) return db.transaction(work, behalf);
        const write = { accountId, key, operation, params, ifMatch, now, about, print: printText };
        return db.transaction((trx) => services.runOnce(trx, write, () => work(trx)), behalf);
      },
    },
  };
}

/** What an organizer says of whether and how followers are told (extensions X12.1); no other parameter has these names. */
function toldBy({ tell, note }: Restricted["params"]): { readonly isQuiet: boolean; readonly note?: string } {
  return { isQuiet: tell === "false", ...(note !== undefined && { note }) };
}

/** The payload as it is kept for a request that comes again: without a secret that is shown once. */
function keptPayload({ shownOnce }: Operation, payload: object): object {
  return shownOnce === undefined ? payload : { ...payload, [shownOnce]: "" };
}

/** Returns the key under which a write is done once; undefined without one (extensions X2.1). */
function idempotencyKeyOf(op: Operation, req: IncomingMessage): string | undefined {
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
function ownKey(
  key: string | undefined,
  principal: Principal | undefined,
  operation: AnyOperationId,
): string | undefined {
  const { session } = principal ?? {};
  if (key === undefined || session === undefined) return key;
  const { id, personId, tokenId, grantsKey } = session;
  const owner = operation === "sessionEnd" ? `session ${id}` : `${personId ?? ""} ${tokenId ?? ""}`;
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
