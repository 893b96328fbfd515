import { unescape } from "node:querystring";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { refusalOf } from "../webhooks/ssrf-guard.js";

/** Where the file of a sync is, and what its server is shown. */
export type Source = Pick<CalendarSyncRow, "url" | "credentials">;

/** Returns where the file of a sync is; a text that continues after "The URL" when the URL is refused. */
export function sourceOf(text: string, allowsPrivate: boolean): Source | string {
  const sent = text.replace(/^webcals?:/i, "https:"); // what calendar apps write for a file to follow
  const { url, credentials } = URL.canParse(sent) ? apart(sent) : { url: sent, credentials: "" };
  return refusalOf(url, allowsPrivate) ?? { url, credentials };
}

/** Takes the user name and the password out of a URL, which answers and messages show. */
function apart(text: string): Source {
  const url = new URL(text);
  const { username, password } = url;
  if (username === "" && password === "") return { url: text, credentials: "" };
  url.username = url.password = "";
  return { url: url.href, credentials: `${unescape(username)}:${unescape(password)}` };
}
