import type { StorageFailure } from "../database.js";
import { codeOf } from "../error-code.js";

/** What a failure of PostgreSQL means to a caller; undefined for anything else. */
export function postgresFailure(error: Error): StorageFailure | undefined {
  const code = codeOf(error);
  if (code === "53100") return "storage_full";
  // Too many connections, out of memory; a statement or a lock took too long; a deadlock or a conflict of transactions.
  if (/^(?:53...|57014|55P03|40P01|40001)$/.test(code) || isFullPooler(error)) return "overloaded";
  return isLostConnection(error) || isTlsFailure(error) || isElsewhere(code)
    ? "storage_unavailable"
    : undefined;
}

/** What PgBouncer says, with the code of a protocol violation, when it has no session, or no place for another client. */
export function isFullPooler(error: Error): boolean {
  return (
    /(?:query_wait_timeout|no more connections allowed)/.test(error.message) && codeOf(error) === "08P01"
  );
}

/** Not let in, not permitted, no such database, a disk that fails, no way to the address, no free descriptor: what only an operator or time can fix. */
function isElsewhere(code: string): boolean {
  return /^(?:28...|3D000|42501|58...|XX00.|E(?:ADDRNOTAVAIL|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|MFILE|NFILE))$/.test(
    code,
  );
}

/** Whether only another connection can answer: the server ended this one, is gone, silent, or takes no writes any more. */
export function isLostConnection(error: unknown): boolean {
  return (
    /^(?:57P0[1-5]|25006|25P03|08...|ECONN.*|EPIPE|ETIMEDOUT)$/.test(codeOf(error)) ||
    isFatal(error) ||
    hasNoSocket(error)
  );
}

/** Whether the socket file of a server on this machine is not there: it exists only while that server runs. */
function hasNoSocket(error: unknown): boolean {
  return (
    codeOf(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "connect"
  );
}

/** Whether the server that a connection leads to has become the wrong one: other connections to it are no better. */
export function isWrongServer(error: unknown): boolean {
  return /^(?:25006|ETIMEDOUT)$/.test(codeOf(error));
}

/** What pg says without a code. "Query read timeout": PostgreSQL itself would have ended the statement by then. */
const words: readonly (readonly [RegExp, code: string])[] = [
  [/^(?:Query read timeout|timeout expired)/, "ETIMEDOUT"],
  [/^(?:Connection (?:terminated|ended)|Client has encountered a connection error)/, "08006"],
  [/^SASL: /, "28P01"], // such as a password that PostgreSQL wants and the URL lacks
  [/^(?:The server does not support|There was an error establishing an) SSL/, "ERR_TLS_REFUSED"],
];

/** Gives an error of pg's own the code that it lacks, while its words still come first: Knex sets the query before them. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== "") return error;
  const [, code] = words.find(([pattern]) => pattern.test(error.message)) ?? [];
  return code === undefined ? error : Object.assign(error, { code });
}

/** A transaction that PostgreSQL rolled back, to untangle several or for an outdated plan, may succeed when it is run again. */
export function mayBeRunAgain(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error)) || hasLostName(error);
}

/** Whether an earlier statement of its transaction failed, which says why. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === "25P02";
}

/**
 * Whether a session cannot use a statement by its name: it does not know it, knows it already, or planned it before a newer server added
 * columns to a table of which it gives all.
 */
export function hasLostName(error: unknown): boolean {
  const isOutdated = error instanceof Error && /cached plan must not change result type/.test(error.message);
  return /^(?:26000|42P05)$/.test(codeOf(error)) || (codeOf(error) === "0A000" && isOutdated);
}

/** Whether the other side could not prove who it is, or speaks no TLS. */
export function isTlsFailure(error: unknown): boolean {
  return /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/.test(codeOf(error));
}

/** A session that PostgreSQL ends with these words is over. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && "severity" in error && /^(?:FATAL|PANIC)$/.test(String(error.severity));
}
