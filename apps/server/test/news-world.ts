import { gatherNews, windowSeconds } from "../src/events/news-job.js";
import type { Database } from "../src/db/open-database.js";
import type { NewsRow, SubscriberRow } from "../src/db/rows.js";
import { addFollower } from "./calls.js";
import type { TestAccount, TestServer } from "./harness.js";

/** Adds a follower whose address is confirmed. */
export async function addReceiver(
  server: TestServer,
  account: TestAccount,
  calendarId: string,
  choice: Partial<Pick<SubscriberRow, "email" | "language" | "categories" | "blocked">> = {},
): Promise<{ readonly id: number; readonly key: string }> {
  const email = choice.email ?? `follower${calendarId}@example.com`;
  return addFollower(server, account, calendarId, { language: "en", ...choice, email, news: 2 });
}

/** Opens the windows of what was changed, lets their time pass, and closes them. */
export async function passWindow(server: TestServer): Promise<void> {
  await gatherNews(server.db, server.now);
  server.now += windowSeconds;
  await gatherNews(server.db, server.now);
}

/** News of a calendar, oldest first, with what they hold. */
export async function newsOf(db: Database, calendarId: string) {
  const rows = await db
    .read<NewsRow>("news")
    .where({ calendar_id: Number(calendarId) })
    .orderBy("id");
  return rows.map(({ content, ...row }) => ({ ...row, ...contentOf(content) }));
}

interface Content {
  readonly total: number;
  readonly changes: readonly { readonly kind: string; readonly title: string; readonly note: string }[];
}

function contentOf(text: string): Content {
  const content: Content = text.startsWith("{") ? JSON.parse(text) : { total: 0, changes: [] };
  return content;
}
