import type { StorageFailure } from "../database.js";
import { codeOf } from "../error-code.js";

export function postgresFailure(error: Error): StorageFailure | undefined {
  const code = codeOf(error);
  if (code === "53100") return "storage_full";
  // Too many connections, out of memory; a statement or a lock took too long; a deadlock or a conflict of transactions.
  if (/^(?:53...|57014|55P03|40P01|40001)$/.test(code) || isFullPooler(error)) return "overloaded";
  return isLostConnection(error) || isTlsFailure(error) || isElsewhere(code)
    ? "storage_unavailable"
    : undefined;
}

/** PgBouncer sends these messages, with the code of a protocol violation, when it has no free session or too many clients. */
export function isFullPooler(error: Error): boolean {
  return (
    /(?:query_wait_timeout|no more connections allowed)/.test(error.message) && codeOf(error) === "08P01"
  );
}

/**
 * Refused or missing logins, rights and databases, disk failures, unreachable addresses, no free descriptor: only an operator
 * or time fixes these.
 */
function isElsewhere(code: string): boolean {
  return /^(?:28...|3D000|42501|58...|XX00.|E(?:ADDRNOTAVAIL|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|MFILE|NFILE))$/.test(
    code,
  );
}

/** Reports whether the connection must be replaced: the server ended it, is gone, is silent, or has become read-only. */
export function isLostConnection(error: unknown): boolean {
  return (
    /^(?:57P0[1-5]|25006|25P03|08...|ECONN.*|EPIPE|ETIMEDOUT)$/.test(codeOf(error)) ||
    isFatal(error) ||
    hasNoSocket(error) ||
    isInRecovery(error)
  );
}

/** Reads that want what only a primary has: HAProxy may lead to a standby shortly before it is promoted. */
function isInRecovery(error: unknown): boolean {
  return codeOf(error) === "55000" && error instanceof Error && /recovery is in progress/.test(error.message);
}

/** The socket file of a local server exists only while the server runs. */
function hasNoSocket(error: unknown): boolean {
  return (
    codeOf(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "connect"
  );
}

/** Reports whether the server itself is the wrong one now, so that all connections to it must be replaced. */
export function isWrongServer(error: unknown): boolean {
  return /^(?:25006|ETIMEDOUT)$/.test(codeOf(error));
}

/** Messages of pg without a code. "Query read timeout": PostgreSQL itself would have ended the statement by then. */
const words: readonly (readonly [RegExp, code: string])[] = [
  [/^(?:Query read timeout|timeout expired)/, "ETIMEDOUT"],
  [/^(?:Connection (?:terminated|ended)|Client has encountered a connection error)/, "08006"],
  [/^SASL: /, "28P01"], // such as a password that PostgreSQL wants and the URL lacks
  [/^(?:The server does not support|There was an error establishing an) SSL/, "ERR_TLS_REFUSED"],
];

/** Adds a code to an error of pg that has none, before Knex prefixes its message with the query. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== "") return error;
  const [, code] = words.find(([pattern]) => pattern.test(error.message)) ?? [];
  return code === undefined ? error : Object.assign(error, { code });
}

/** A transaction that PostgreSQL rolled back, for a conflict or an outdated plan, may succeed when it is retried. */
export function mayBeRunAgain(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error)) || hasLostName(error);
}

/** Reports whether an earlier statement of the transaction failed, which has the cause. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === "25P02";
}

/**
 * Reports whether a session cannot use a prepared statement by its name: the name is unknown or already used, or the plan is
 * outdated because a newer server added columns to a table whose columns it all returns.
 */
export function hasLostName(error: unknown): boolean {
  const isOutdated = error instanceof Error && /cached plan must not change result type/.test(error.message);
  return /^(?:26000|42P05)$/.test(codeOf(error)) || (codeOf(error) === "0A000" && isOutdated);
}

/** Reports whether the server could not prove its identity, or has no TLS. */
export function isTlsFailure(error: unknown): boolean {
  return /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/.test(codeOf(error));
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && "severity" in error && /^(?:FATAL|PANIC)$/.test(String(error.severity));
}
