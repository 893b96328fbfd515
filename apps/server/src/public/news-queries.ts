import type { Db } from "../db/database.js";
import type { NewsRow } from "../db/rows.js";
import type { NewsContent } from "../events/news-changes.js";
import { isWithdrawn } from "../webhooks/mail-queries.js";

// What pages, feeds and messages show of news (extensions X12).

const news = (db: Db) => db<NewsRow>("news");

export async function findNews(db: Db, id: number): Promise<NewsRow | undefined> {
  return news(db).where({ id }).first();
}

/** Messages of calendars that pages show now, newest first. */
export async function listNotices(
  db: Db,
  calendarIds: readonly number[],
  now: number,
): Promise<readonly NewsRow[]> {
  return news(db)
    .whereIn("calendar_id", calendarIds)
    .where({ kind: "message" })
    .where("shown_until", ">", now)
    .orderBy("id", "desc")
    .limit(5);
}

/** Whether all the events that it lists were removed for good. */
function isForgotten({ kind, content }: NewsRow): boolean {
  if (kind === "message") return false;
  const { total }: NewsContent = JSON.parse(content);
  return total === 0;
}

/** News of a calendar for readers of feeds, newest first, without messages that were taken back and events that were removed for good. */
export async function listNews(db: Db, calendar_id: number, limit: number): Promise<readonly NewsRow[]> {
  const rows = await news(db).where({ calendar_id }).orderBy("id", "desc").limit(limit);
  return rows.filter((row) => !isWithdrawn(row) && !isForgotten(row));
}
