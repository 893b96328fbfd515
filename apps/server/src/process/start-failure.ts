import { codeOf } from "../db/error-code.js";
import { ConfigError } from "../settings/config.js";
import { isOpenFilesFailure, openFilesAdvice } from "../db/open-files.js";
import { postgresAdvice, postgresMessage } from "../db/postgres/advice.js";
import { ListenError } from "../http/listen-error.js";

/** Returns the message for an operator when the server or a command cannot start: what failed, and what to fix. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (error instanceof ConfigError) return error.message;
  if (code === "EADDRINUSE")
    return `${error.message}\nAnother process uses that port: stop it, or set PORT to another one.`;
  if (code === "ENOSPC" || code === "SQLITE_FULL")
    return `${error.message}\nThe disk is full: free some space where the database is.`;
  if (isOpenFilesFailure(error)) return `${error.message}\n${openFilesAdvice}`;
  if (error instanceof ListenError) return `${error.message}\n${listenAdvice(code)}`;
  if (code === "EACCES")
    return `${error.message}\nThis user may not use that file or folder: change its owner or mode, or run as another user.`;
  if (code.startsWith("SQLITE_"))
    return `${error.message}\nThe database cannot be opened: check DATABASE_URL, that this user may write to the file and its folder, and the limit of open files (ulimit -n).`;
  const advice = postgresAdvice(error);
  if (advice !== undefined) return `${postgresMessage(error) || code}\n${advice}`;
  return error.message;
}

function listenAdvice(code: string): string {
  if (code === "EACCES") return "Set HOST and PORT to an address that this user may bind.";
  return "The server cannot listen there: set HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them.";
}
