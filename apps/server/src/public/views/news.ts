import type { PageCalendar } from "../../calendars/public-queries.js";
import type { NewsRow } from "../../db/rows.js";
import { addressState, type NewsFollower } from "../../followers/mail-request-queries.js";
import { paths } from "../public-paths.js";
import { html, type Html } from "./html.js";
import type { Language, PersonView } from "./layout.js";
import { richText } from "./text.js";

// News by e-mail on the public pages (extensions X12): each part is undefined where the service sends none.

/**
 * Messages of the organizer, above everything else of a page.
 * @param calendars those whose names are said, where there are several
 */
export function notices(
  rows: readonly Pick<NewsRow, "subject" | "content" | "calendar_id">[],
  { texts }: Language,
  calendars: readonly Pick<PageCalendar, "id" | "title">[] = [],
): Html | undefined {
  if (rows.length === 0) return undefined;
  const nameOf = (of: number): Html | undefined => {
    const calendar = calendars.find(({ id }) => id === of);
    return calendar && html`<p class="calendarname" dir="auto">${calendar.title}</p>`;
  };
  return html`<section class="card notices" aria-label="${texts.news.notice}">
    ${rows.map(
      ({ subject, content, calendar_id }) =>
        html`<div class="message">
          ${nameOf(calendar_id)}
          <h2 dir="auto">${subject}</h2>
          <p class="text" dir="auto">${richText(content)}</p>
        </div>`,
    )}
  </section>`;
}

/** Returns the first letters of an e-mail address and of its domain: its owner knows them again, whoever else has the link learns no more. */
function masked(address: string): string {
  return address.replace(/(?<=^.|@.)[^@]*/gu, "•••");
}

/** The address of a follower, masked, on their own page: its link is passed on, and apps store it. */
export function mailSection(
  follower: NewsFollower | undefined,
  {
    key,
    isWrong,
    language,
    root,
  }: Pick<PersonView, "key" | "language" | "root"> & { readonly isWrong: boolean },
): Html | undefined {
  if (follower === undefined) return undefined;
  const t = language.texts.news;
  const state = addressState(follower);
  const status =
    state === "none"
      ? undefined
      : html`<p class="notice" role="status">${t[state](masked(follower.email))}</p>`;
  const wrong = isWrong ? html`<p class="wrong" role="alert">${t.wrong}</p>` : undefined;
  const action = root + paths.mail(key);
  return html`<section class="news" aria-labelledby="news-title" id="news">
    <h2 id="news-title">${t.heading}</h2>
    <p class="note">${t.lead}</p>
    ${status}
    <form method="post" action="${action}">
      <label for="news-email">${t.field}</label>
      <input id="news-email" name="email" type="email" maxlength="254" autocomplete="email" required />
      ${wrong}
      <button class="quiet">${state === "confirmed" ? t.change : t.set}</button>
    </form>
    ${state === "none" ? undefined : removeForm(action, language)}
  </section>`;
}

function removeForm(action: string, { texts }: Language): Html {
  return html`<form method="post" action="${action}">
    <button class="quiet" name="remove" value="1">${texts.news.remove}</button>
  </form>`;
}

/** The page of a link in a message: opening it changes nothing, since programs that look for dangerous links open them too. */
export function mailLinkBody(
  { title, lead, button }: { readonly title: string; readonly lead: string; readonly button?: string },
  calendarPage: string,
  { texts }: Language,
): Html {
  const form =
    button === undefined
      ? html`<p><a class="button" href="${calendarPage}">${texts.follower.backToCalendar}</a></p>`
      : html`<form method="post"><button>${button}</button></form>`;
  return html`<main>
    <h1>${title}</h1>
    <p class="lead" dir="auto">${lead}</p>
    ${form}
  </main>`;
}
