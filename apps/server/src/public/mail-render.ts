import { findAccount } from "../accounts/queries.js";
import { findPageCalendar, type PageCalendar } from "../calendars/public-queries.js";
import { namesOf } from "../calendars/category-names.js";
import type { Database } from "../db/database.js";
import type { MailDeliveryRow } from "../db/rows.js";
import type { NewsChange, NewsContent, TimesAndPlace } from "../events/news-changes.js";
import { mailToken } from "../followers/mail-links.js";
import { toLocal } from "../time/zones.js";
import { isWithdrawn, type Receiver } from "../webhooks/mail-queries.js";
import type { RenderMail } from "../webhooks/mail-sender.js";
import { type Item, type Letter, letterHtml, letterText, nameForStrangers, oneLine } from "./mail-letter.js";
import { findNews } from "./news-queries.js";
import { paths } from "./public-paths.js";
import { dateFormats, eventTime, shownEvent } from "./views/dates.js";
import { type Language, languageOf } from "./views/layout.js";

export interface RenderContext {
  readonly db: Pick<Database, "read">;
  readonly clock: () => number;
  /** Of the installation: links are made with it. */
  readonly secret: string;
  readonly publicUrl: string;
}

type Rendered = NonNullable<Awaited<ReturnType<RenderMail>>>;

/** No program answers them, and no one's absence is told to us (RFC 3834). */
const automatic = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" } as const;

export function printLetter(
  subject: string,
  letter: Letter,
  headers: Readonly<Record<string, string>> = {},
): Rendered {
  return {
    subject: oneLine(subject),
    text: letterText(letter),
    html: letterHtml(letter),
    headers: { ...automatic, ...headers },
  };
}

/** Returns what makes the messages to followers (extensions X12.3). */
export function renderNews(context: RenderContext): RenderMail {
  return async (delivery, receiver) => {
    const calendar = await findPageCalendar(context.db.read, delivery.calendar_id);
    if (calendar === undefined) return undefined;
    const about = { ...context, calendar, receiver, language: languageOf(receiver.language) };
    return delivery.kind === "confirm" ? confirmation(about) : newsLetter(about, delivery);
  };
}

interface About extends RenderContext {
  readonly calendar: PageCalendar;
  readonly receiver: Receiver;
  readonly language: Language;
}

async function confirmation({
  db,
  calendar,
  receiver,
  language,
  secret,
  publicUrl,
}: About): Promise<Rendered> {
  const { news: t, language: tag } = language.texts;
  const account = receiver.isCombined ? await findAccount(db.read, calendar.account_id) : undefined;
  const title = nameForStrangers(account?.name || calendar.title);
  const token = mailToken(secret, { kind: "confirm", ...receiver });
  return printLetter(t.confirmSubject(title), {
    language: tag,
    title: t.confirmTitle,
    paragraphs: [t.confirmText(title)],
    button: { label: t.confirmTitle, url: publicUrl + paths.mailLink("confirm", token) },
    end: [t.confirmNot, t.sentBy(new URL(publicUrl).host)],
  });
}

async function newsLetter(
  about: About,
  { news_id, calendar_id }: MailDeliveryRow,
): Promise<Rendered | undefined> {
  const { calendar, language, publicUrl, receiver, secret } = about;
  const row = await findNews(about.db.read, news_id);
  if (row === undefined || isWithdrawn(row)) return undefined;
  const { news: t, language: tag } = language.texts;
  const title = oneLine(calendar.title, 120);
  const page = publicUrl + paths.page(calendar.uniquekey);
  const stop = publicUrl + paths.mailLink("stop", mailToken(secret, { kind: "stop", ...receiver }));
  const content = row.kind === "message" ? [row.content] : changesFor(row.content, about);
  if (content === undefined) return undefined;
  const isMessage = Array.isArray(content);
  const letter: Letter = {
    language: tag,
    title: isMessage ? oneLine(row.subject) : title,
    paragraphs: isMessage ? content : content.paragraphs,
    items: isMessage ? [] : content.items,
    button: { label: t.open, url: page },
    end: [t.why(title)],
    stop: { label: t.stopLink, url: stop },
  };
  const subject = isMessage ? `${title}: ${oneLine(row.subject)}` : t.subject(title, content.count);
  return printLetter(subject, letter, {
    Precedence: "bulk",
    "List-Id": `<${calendar.uniquekey || calendar_id}.${new URL(publicUrl).hostname}>`,
    "List-Unsubscribe": `<${stop}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
}

/** Returns the changes that concern a follower; undefined when none does. */
function changesFor(text: string, { receiver, ...about }: About) {
  const content: NewsContent = JSON.parse(text);
  const { news: t } = about.language.texts;
  if (content.total === 0) return undefined; // its events were removed for good
  if (content.changes.length === 0)
    return { count: content.total, paragraphs: [t.many(content.total)], items: [] };
  const picked = receiver.categories === null ? undefined : new Set(namesOf(receiver.categories));
  // As in the feed: an event without a category concerns everyone.
  const mine = content.changes.filter(({ categories }) => {
    const names = namesOf(categories);
    return picked === undefined || names.length === 0 || names.some((name) => picked.has(name));
  });
  if (mine.length === 0) return undefined;
  return { count: mine.length, paragraphs: [], items: mine.map((change) => itemOf(change, about)) };
}

export function itemOf(
  change: NewsChange,
  { calendar, language, publicUrl, clock }: Pick<About, "calendar" | "language" | "publicUrl" | "clock">,
): Item {
  const { news: t, colon } = language.texts;
  const today = toLocal(clock(), calendar.timezone);
  const when = (of: TimesAndPlace): string => whenText(of, calendar.timezone, language, today);
  const placeOf = ({ location }: TimesAndPlace): readonly string[] =>
    location === "" ? [] : [oneLine(location, 255)];
  const { before } = change;
  const was = before === undefined ? [] : [[when(before), ...placeOf(before)].join(" · ")];
  return {
    label: t.kinds[change.kind],
    title: oneLine(change.title, 255),
    url: change.hasPage ? publicUrl + paths.event(calendar.uniquekey, change.uid) : undefined,
    lines: [
      when(change),
      ...placeOf(change),
      ...was.map((text) => `${t.before}${colon} ${text}`),
      ...(change.note === "" ? [] : [oneLine(change.note, 500)]),
    ],
  };
}

/** Messages are in one of the languages of the texts, so their dates are too. */
function whenText(of: TimesAndPlace, zone: string, { texts }: Language, today: number): string {
  const { text, offset } = eventTime(shownEvent(of, zone), dateFormats(texts.language), today);
  return offset === undefined ? text : `${text} (${offset})`;
}
