import { codeOf } from "../error-code.js";
import { isFullPooler, isTlsFailure, postgresFailure } from "./failures.js";

const adviceByCode: Readonly<Record<string, string>> = {
  "25006":
    "PostgreSQL takes no writes: it is a standby, or read-only (default_transaction_read_only). Set DATABASE_URL to the primary.",
  "42501":
    "The role of DATABASE_URL lacks a permission: make it the owner of the database (ALTER DATABASE … OWNER TO …) and of the tables of Kalends (REASSIGN OWNED BY … TO …).",
  "53300":
    "PostgreSQL has no connection left: each server opens up to 10. Raise max_connections there or the CONNECTION LIMIT of the role or database, or run fewer servers.",
  "55P03":
    "Another session has locked a table of Kalends for too long: wait until it has ended (pg_stat_activity lists sessions), then try again.",
  ERR_TLS_REFUSED:
    "PostgreSQL refused a TLS connection: turn TLS on there (ssl = on, with a certificate), or add sslmode=disable to DATABASE_URL on a trusted network.",
};

/** Returns what an operator can do about a failure of PostgreSQL; undefined for anything else. Has no values of a query. */
export function postgresAdvice(error: Error): string | undefined {
  const advice = adviceByCode[codeOf(error)];
  if (advice !== undefined) return advice;
  const pooler = adviceOnPooler(error);
  if (pooler !== undefined) return pooler;
  if (isTlsFailure(error))
    return "The TLS certificate of PostgreSQL could not be verified: add sslrootcert=FILE to DATABASE_URL when a private authority issued it, or sslmode=disable on a trusted network.";
  if (postgresFailure(error) !== undefined)
    return "PostgreSQL cannot be used: check DATABASE_URL, that PostgreSQL runs, and that it accepts this user with the password of PGPASSFILE or PGPASSWORD.";
  return undefined;
}

/** PgBouncer has no codes of its own, so its messages are matched. */
function adviceOnPooler(error: Error): string | undefined {
  const [, parameter] = /unsupported startup parameter(?: in options)?: (\w+)/.exec(error.message) ?? [];
  if (parameter !== undefined)
    return `The connection pooler takes no ${parameter} in DATABASE_URL: remove it there, and set it for the role (ALTER ROLE … SET …).`;
  if (error.message.includes("not allowed in statement pooling mode"))
    return "The connection pooler shares its sessions between statements: set its pool_mode to transaction.";
  if (isFullPooler(error))
    return "The connection pooler has no room: raise max_client_conn or default_pool_size there.";
  return undefined;
}

/** Returns what PostgreSQL said, without the query and its values, which Knex sets before it. */
export function postgresMessage({ message }: Error): string {
  return message.split(" - ").at(-1) ?? message;
}
