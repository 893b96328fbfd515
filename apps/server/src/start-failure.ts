import { ConfigError } from "./config.js";

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
  return error.message;
}
