import type { PageCalendar } from "../../calendars/public-queries.js";
import { namesOf } from "../../calendars/category-names.js";
import { type App, apps } from "../../followers/agents.js";
import type { Follower } from "../../followers/subscriber-queries.js";
import { paths } from "../public-paths.js";
import { appIcon, type AppLink, appLinks, appOfLabel } from "./apps.js";
import { titleSize } from "./follow-page.js";
import { html, type Html } from "./html.js";
import { mailSection } from "./news.js";
import { categoryBoxes, copyField, layout, type PageContext, type PersonView } from "./layout.js";

interface FollowerView extends PersonView {
  readonly calendar: PageCalendar;
  readonly follower: Follower;
  readonly categories: readonly string[];
}

export function followerPage(view: FollowerView): Html {
  const { calendar, follower, language, root } = view;
  const t = language.texts.follower;
  const hasUnfollowed = follower.unfollowed_at !== null;
  return layout(view, {
    title: hasUnfollowed ? t.stopped : t.pageTitle(calendar.title),
    kind: "follower",
    body: html`<main>
      <header class="intro">
        <p class="calendarname">${hasUnfollowed ? t.stopped : t.heading}</p>
        <h1 class="${titleSize(calendar.title)}" dir="auto">${calendar.title}</h1>
        ${hasUnfollowed ? unfollowedText(view) : statusText(view)}
      </header>
      ${hasUnfollowed ? undefined : subscribe(feedOf(view))} ${hasUnfollowed ? undefined : choice(view)}
      ${hasUnfollowed ? undefined : mailSection(view.address, { ...view, isWrong: view.isAddressWrong })}
      ${leaving(view, hasUnfollowed)}
      <p><a href="${root}${paths.page(calendar.uniquekey)}">${t.backToCalendar}</a></p>
    </main>`,
  });
}

/** A blocked follower sees only that the feed is empty. */
function statusText({ follower, language }: FollowerView): Html {
  const t = language.texts.follower;
  const empty = follower.blocked === 1 ? html`<p class="lead">${t.empty}</p>` : undefined;
  return html`${empty}
    <p class="note">${t.keep}</p>`;
}

function unfollowedText({ calendar, language, root }: FollowerView): Html {
  const t = language.texts.follower;
  return html`<p class="lead">${t.stoppedNote}</p>
    <p><a class="button" href="${root}${paths.page(calendar.uniquekey)}">${t.again}</a></p>`;
}

/** A feed as the person's page offers it to her apps. */
interface FeedView extends Omit<PageContext, "theme"> {
  readonly name: string;
  readonly feed: string;
  readonly app: App;
  /** The path of a page with single events. */
  readonly events: string;
}

function feedOf({ calendar, key, follower, ...view }: FollowerView): FeedView {
  return {
    ...view,
    name: calendar.calendarname,
    feed: view.baseUrl + paths.feed(key, calendar),
    app: appOfLabel(follower.calendar_type),
    events: `${paths.page(calendar.uniquekey)}#next-title`,
  };
}

/** Renders how to add a feed to the app that was chosen, and to the others. */
export function subscribe(view: FeedView): Html {
  const { language, feed, app: chosen } = view;
  const t = language.texts.follower;
  const others = apps.filter((app) => app !== chosen);
  const address = html`<h3 id="address-title">${t.address}</h3>
    ${copyField(language, "feed", t.address, feed)}`;
  const heading = chosen === "ical" ? t.addOther : t.add(language.texts.apps[chosen].name);
  // The steps of these begin with copying the address.
  const isCopied = chosen === "ical" || chosen === "yahoo" || (chosen === "google" && view.isAndroid);
  return html`<section class="card" aria-labelledby="add-title">
      <h2 id="add-title">${appIcon(chosen)} ${heading}</h2>
      ${isCopied ? address : undefined}${appSteps(chosen, view)} ${isCopied ? undefined : address}
    </section>
    <section aria-labelledby="other-title">
      <h2 id="other-title">${t.otherApps}</h2>
      ${others.map(
        (app) =>
          html`<details class="other-app">
            <summary>${appIcon(app)} ${language.texts.apps[app].name}</summary>
            <div>${appSteps(app, view)}</div>
          </details>`,
      )}
    </section>`;
}

function choice({ key, follower, categories, hasChosen, language, root }: FollowerView): Html | undefined {
  const t = language.texts.categories;
  const picked = follower.categories === null ? undefined : new Set(namesOf(follower.categories));
  const boxes = categoryBoxes(categories, (name) => picked?.has(name) ?? true, language);
  if (boxes === undefined) return undefined;
  const saved = hasChosen ? html`<p class="notice" role="status">${t.saved}</p>` : undefined;
  return html`<section aria-labelledby="categories-title">
    <h2 id="categories-title">${t.heading}</h2>
    ${saved}
    <form method="post" action="${root}${paths.categories(key)}">
      ${boxes}
      <button class="quiet">${t.save}</button>
    </form>
  </section>`;
}

function appSteps(app: App, view: FeedView): Html {
  const { name: title, feed, language, isAndroid } = view;
  const { texts } = language;
  if (app === "google" && isAndroid) return androidSteps(view);
  const { name, steps, refresh, otherwise } = texts.apps[app];
  const t = texts.follower;
  const labels = {
    open: app === "ical" ? t.openOther : t.open(name),
    addByUrl: t.addByUrl,
    openYahoo: t.openYahoo,
  };
  const link = ({ kind, href }: AppLink, index: number): Html =>
    html`<p>
      <a class="button${index === 0 ? "" : " quiet"}" href="${href}" rel="noopener noreferrer"
        >${labels[kind]}</a
      >
    </p>`;
  const [first, ...others] = appLinks(app, feed, title).map(link);
  // Users paste the address themselves here, so the link is only the alternative.
  const isManual = app === "ical";
  return html`<ol class="steps">
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    ${isManual ? undefined : first}
    <p class="refresh">${refresh}</p>
    <p class="note">${otherwise}</p>
    ${isManual ? first : others}`;
}

/** Google's link fails on Android, so the steps are others, and so are the links. */
function androidSteps({ name, feed, events, language: { texts }, root }: FeedView): Html {
  const { android: t, apps } = texts;
  const link = (href: string, label: string): Html =>
    html`<p><a class="button quiet" href="${href}">${label}</a></p>`;
  return html`<h3>${t.heading}</h3>
    <p class="note">${t.why}</p>
    <ol class="steps">
      ${t.steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    <p class="refresh">${apps.google.refresh}</p>
    <p class="note">${t.otherApp}</p>
    ${appLinks("ical", feed, name).map(({ href }) => link(href, t.openOther))}
    <p class="note">${t.single}</p>
    ${link(root + events, t.openEvents)}`;
}

/** Renders how to change the link, to stop, and to have all data deleted. */
export function leaving(view: Erasable, hasUnfollowed: boolean): Html {
  const { key, language, root } = view;
  const t = language.texts.follower;
  const stop = hasUnfollowed
    ? undefined
    : html`<section class="leave" aria-labelledby="renew-title">
          <h2 id="renew-title">${t.renew}</h2>
          <p class="note">${t.renewNote}</p>
          <form method="post" action="${root}${paths.renew(key)}">
            <button class="quiet">${t.renewButton}</button>
          </form>
        </section>
        <section class="leave" aria-labelledby="stop-title">
          <h2 id="stop-title">${t.stop}</h2>
          <p class="note">${t.stopNote}</p>
          <form method="post" action="${root}${paths.unfollow(key)}">
            <button class="quiet">${t.stopButton}</button>
          </form>
        </section>`;
  return html`${stop} ${eraseSection(view)}`;
}

type Erasable = Pick<PersonView, "key" | "language" | "root">;

export function eraseSection({ key, language, root }: Erasable): Html {
  const t = language.texts.follower;
  return html`<section class="leave" aria-labelledby="erase-title">
    <h2 id="erase-title">${t.erase}</h2>
    <p class="note">${t.eraseNote}</p>
    <details class="confirm">
      <summary class="button quiet danger">${t.erase}</summary>
      <p>${t.eraseConfirm}</p>
      <form method="post" action="${root}${paths.deleteData(key)}">
        <button class="quiet danger">${t.eraseButton}</button>
      </form>
    </details>
  </section>`;
}
