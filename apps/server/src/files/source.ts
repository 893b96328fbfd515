import type { CalendarSyncRow } from "../db/import-rows.js";
import { refusalOf } from "../webhooks/ssrf-guard.js";

/** Where the file of a sync is. */
export type Source = Pick<CalendarSyncRow, "url">;

/** Returns where the file of a sync is; a text that continues after "The URL" when the URL is refused. */
export function sourceOf(text: string, allowsPrivate: boolean): Source | string {
  const url = text.replace(/^webcals?:/i, "https:"); // what calendar apps write for a file to follow
  return refusalOf(url, allowsPrivate) ?? { url };
}
