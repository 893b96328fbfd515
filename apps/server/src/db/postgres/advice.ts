import { isTlsFailure, postgresFailure } from "./failures.js";

/** What an operator can do about a failure, by its code. */
const adviceByCode: Readonly<Record<string, string>> = {
  "25006":
    "PostgreSQL takes no writes: it is a standby, or read-only (default_transaction_read_only). Set DATABASE_URL to the primary.",
  "42501":
    "The role of DATABASE_URL lacks a permission: make it the owner of the database (ALTER DATABASE … OWNER TO …) and of the tables of Kalends (REASSIGN OWNED BY … TO …).",
  "53300":
    "PostgreSQL has no connection left: each worker of each server opens up to 10. Raise max_connections there or the CONNECTION LIMIT of the role or database, or lower WORKERS.",
  ERR_TLS_REFUSED:
    "PostgreSQL refused a TLS connection: turn TLS on there (ssl = on, with a certificate), or add sslmode=disable to DATABASE_URL on a trusted network.",
};

/** Returns what an operator can do about a failure of PostgreSQL; undefined for anything else. Has no values of a query. */
export function postgresAdvice(error: Error): string | undefined {
  const code = "code" in error ? String(error.code) : "";
  const advice = adviceByCode[code];
  if (advice !== undefined) return advice;
  if (isTlsFailure(error))
    return "The TLS certificate of PostgreSQL could not be verified: add sslrootcert=FILE to DATABASE_URL when a private authority issued it, or sslmode=disable on a trusted network.";
  if (postgresFailure(error) !== undefined)
    return "PostgreSQL cannot be used: check DATABASE_URL, that PostgreSQL runs, and that it accepts this user with the password of the URL or of PGPASSWORD.";
  return undefined;
}

/** Returns what PostgreSQL said, without the query and its values, which Knex sets before it. */
export function postgresMessage({ message }: Error): string {
  return message.split(" - ").at(-1) ?? message;
}
