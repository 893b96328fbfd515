import type { PageCalendar } from "../calendars/public-queries.js";
import type { NewsRow } from "../db/rows.js";
import type { NewsContent } from "../events/news-changes.js";
import { cacheable, send } from "../http/answer.js";
import { publicOf } from "../http/quota.js";
import { itemOf } from "./mail-render.js";
import { listNews } from "./news-queries.js";
import type { Visit } from "./page.js";
import { paths } from "./public-paths.js";
import { html, type Html, printHtml } from "./views/html.js";

const mostEntries = 30;

/** How long readers may keep the feed, in seconds. */
const keptSeconds = 300;

/** Sends what was announced, cancelled and moved, for readers of feeds (extensions X12.4, RFC 4287). */
export async function sendNewsFeed(visit: Visit, calendar: PageCalendar, clock: () => number): Promise<void> {
  const { req, res, db } = visit;
  const rows = await db.list(publicOf(calendar.account_id), ({ read }) =>
    listNews(read, calendar.id, mostEntries),
  );
  res.vary("Accept-Language");
  res.setHeader("Cache-Control", `private, max-age=${keptSeconds}`);
  const text = printHtml(feed(visit, calendar, rows, clock));
  send(req, res, cacheable("application/atom+xml; charset=utf-8", Buffer.from(inXml(text))));
}

/** XML takes no other characters, however they are written (XML 1.0 2.2). */
function inXml(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

function feed(
  { language, baseUrl }: Visit,
  calendar: PageCalendar,
  rows: readonly NewsRow[],
  clock: () => number,
): Html {
  const { news: t, language: tag, colon } = language.texts;
  const page = baseUrl + paths.page(calendar.uniquekey);
  const self = baseUrl + paths.news(calendar.uniquekey);
  const entries = rows.map((row) => {
    const { title, text } = entryOf(row);
    return html`<entry>
      <id>${self}#${row.id}</id>
      <title>${title}</title>
      <updated>${instant(row.created_at)}</updated>
      <link rel="alternate" href="${page}" />
      <content type="text">${text}</content>
    </entry>`;
  });
  function entryOf({ kind, subject, content }: NewsRow): { readonly title: string; readonly text: string } {
    if (kind === "message") return { title: subject, text: content };
    const { changes, total }: NewsContent = JSON.parse(content);
    const context = { calendar, language, publicUrl: baseUrl, clock };
    const items = changes.map((change) => itemOf(change, context));
    const text = items.map(({ label, title, lines }) => [`${label}${colon} ${title}`, ...lines].join("\n"));
    return { title: t.subject(calendar.title, total), text: text.join("\n\n") || t.many(total) };
  }
  return html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${tag}">
      <id>${self}</id>
      <title>${t.feedTitle(calendar.title)}</title>
      <author><name>${calendar.title}</name></author>
      <updated>${instant(rows[0]?.created_at ?? calendar.created_at)}</updated>
      <link rel="self" href="${self}" />
      <link rel="alternate" href="${page}" />
      ${entries}
    </feed> `;
}

const instant = (unix: number): string => new Date(unix * 1_000).toISOString();
