import { ConfigError } from "./config.js";
import { isTlsFailure, postgresFailure } from "./db/postgres/failures.js";

/** What to tell a person when the server or a command cannot start: what failed and what to do. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof ConfigError) return error.message;
  if (code === "EADDRINUSE")
    return `${error.message}\nAnother program uses that port: stop it, or set PORT to another one.`;
  if (code === "EACCES" || code === "EADDRNOTAVAIL")
    return `${error.message}\nSet HOST and PORT to an address that this user may use.`;
  if (code.startsWith("SQLITE_"))
    return `${error.message}\nThe database cannot be opened: check DATABASE_URL, and that this user may write there.`;
  if (isTlsFailure(error))
    return `${error.message || code}\nPostgreSQL did not prove that it is the server of DATABASE_URL: add sslrootcert=FILE where its certificate is of an authority of your own, or sslmode=disable on a network that you trust.`;
  if (postgresFailure(error) !== undefined)
    return `${error.message || code}\nPostgreSQL cannot be used: check DATABASE_URL, and that it runs and lets this server in.`;
  return error.message;
}
