import type { PageCalendar } from "../../calendars/public-queries.js";
import type { KeyedAccount } from "../../db/rows.js";
import { paths } from "../public-paths.js";
import { appOfLabel } from "./apps.js";
import { leaving, subscribe } from "./follower-page.js";
import { html, type Html } from "./html.js";
import { type Language, layout, type PersonView } from "./layout.js";
import { mailSection } from "./news.js";
import { assets } from "./static-files.js";

interface CombinedView extends PersonView {
  readonly account: Pick<KeyedAccount, "name" | "key">;
  /** The label of the app that was chosen. */
  readonly app: string;
  /** Those that may be ticked. */
  readonly calendars: readonly (TickedCalendar & { readonly isFollowed: boolean })[];
}

type TickedCalendar = Pick<PageCalendar, "uniquekey" | "title">;

/** The page of one who follows several calendars by one address (extensions X11.3). */
export function combinedPage(view: CombinedView): Html {
  const { account, key, language, root, baseUrl } = view;
  const { follower: t, portal: p } = language.texts;
  const portal = account.key === "" ? "/" : paths.portal(account.key);
  const followed = view.calendars.filter(({ isFollowed }) => isFollowed);
  const hasUnfollowed = followed.length === 0;
  const feed = baseUrl + paths.feed(key, { calendarname: account.name });
  const steps = {
    ...view,
    name: account.name,
    feed,
    app: appOfLabel(view.app),
    events: `${portal}#next-title`,
  };
  const heading = hasUnfollowed ? p.followsNone : p.follows(followed.length);
  return layout(view, {
    title: `${heading} · ${account.name}`,
    kind: "follower",
    head: html`<link rel="stylesheet" href="${root}${assets.portal.path}" />`,
    body: html`<main>
      <header class="intro">
        <h1 class="long">${heading}</h1>
        <p class="note">${hasUnfollowed ? p.followsNoneNote : t.keep}</p>
      </header>
      ${hasUnfollowed ? undefined : subscribe(steps)} ${choice(view)}
      ${hasUnfollowed ? undefined : mailSection(view.address, { ...view, isWrong: view.isAddressWrong })}
      ${leaving(view, hasUnfollowed)}
      <p><a href="${root}${portal}">${p.back}</a></p>
    </main>`,
  });
}

function choice({ calendars, key, hasChosen, language, root }: CombinedView): Html {
  const t = language.texts.portal;
  const saved = hasChosen
    ? html`<p class="notice" role="status">${language.texts.categories.saved}</p>`
    : undefined;
  return html`<section aria-labelledby="calendars-title" id="calendars">
    <h2 id="calendars-title">${t.which}</h2>
    ${saved}
    <form method="post" action="${root}${paths.calendars(key)}">
      ${calendarBoxes(
        calendars.map((calendar) => ({ ...calendar, isTicked: calendar.isFollowed })),
        root,
        language,
      )}
      <button class="quiet">${language.texts.categories.save}</button>
    </form>
  </section>`;
}

/** Renders a box for each calendar, with a link to its page. */
export function calendarBoxes(
  calendars: readonly (TickedCalendar & { readonly isTicked: boolean })[],
  root: string,
  { texts: { portal: t } }: Language,
): Html {
  const boxes = calendars.map(
    ({ uniquekey, title, isTicked }) =>
      html`<li>
        <label
          ><input
            type="checkbox"
            name="calendar"
            value="${uniquekey}"
            ${isTicked ? html`checked` : undefined}
          /><span dir="auto">${title}</span></label
        ><a href="${root}${paths.page(uniquekey)}" aria-label="${t.pageOf(title)}">${t.page}</a>
      </li>`,
  );
  return html`<fieldset class="calendars">
    <legend class="unseen">${t.which}</legend>
    <ul>
      ${boxes}
    </ul>
  </fieldset>`;
}
