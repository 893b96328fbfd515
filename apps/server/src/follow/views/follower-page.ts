import type { CalendarRow } from "../../db/rows.js";
import { type App, apps } from "../../subscribers/agents.js";
import type { Follower } from "../../subscribers/queries.js";
import { paths } from "../addresses.js";
import { appIcon } from "./app-icons.js";
import { appLinks, type AppLink, appOfLabel } from "./apps.js";
import { paletteBand } from "./follow-page.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { copyField, layout } from "./layout.js";

export interface FollowerView {
  readonly calendar: CalendarRow;
  readonly follower: Follower;
  /** The follower's key: it stands in the addresses of this page and nowhere else. */
  readonly key: string;
  readonly language: Language;
  /** Address of the service, which may end in a path of its own: that path is the root. */
  readonly baseUrl: string;
  readonly root: string;
}

/** The page that belongs to one follower. */
export function followerPage(view: FollowerView): Html {
  const { calendar, follower, language, root } = view;
  const words = language.texts.follower;
  const isOver = follower.unfollowed_at !== null;
  return layout({
    language,
    root,
    title: isOver ? words.stopped : words.pageTitle(calendar.title),
    kind: "follower",
    body: html`${paletteBand(calendar.palette_id)}
      <main>
        <header class="intro">
          <p class="calendarname">${isOver ? words.stopped : words.heading}</p>
          <h1 dir="auto">${calendar.title}</h1>
          ${isOver ? ended(view) : state(view)}
        </header>
        ${isOver ? undefined : subscribe(view)} ${leaving(view)}
        <p><a href="${root}${paths.page(calendar.uniquekey)}">${words.backToCalendar}</a></p>
      </main>`,
  });
}

/** A blocked follower is not told so: what it can see is that its feed is empty. */
function state({ follower, language }: FollowerView): Html {
  const words = language.texts.follower;
  const empty = follower.blocked === 1 ? html`<p class="lead">${words.empty}</p>` : undefined;
  return html`${empty}
    <p class="note">${words.keep}</p>`;
}

function ended({ calendar, language, root }: FollowerView): Html {
  const words = language.texts.follower;
  return html`<p class="lead">${words.stoppedNote}</p>
    <p><a class="button" href="${root}${paths.page(calendar.uniquekey)}">${words.again}</a></p>`;
}

function subscribe(view: FollowerView): Html {
  const { calendar, key, follower, language, baseUrl } = view;
  const words = language.texts.follower;
  const chosen = appOfLabel(follower.calendar_type);
  const feed = baseUrl + paths.feed(key, calendar);
  const others = apps.filter((app) => app !== chosen);
  return html`<section class="card" aria-labelledby="add-title">
      <h2 id="add-title">${appIcon(chosen)} ${words.add(language.texts.apps[chosen].name)}</h2>
      ${appSteps(chosen, feed, calendar, language)}
    </section>
    <section class="card" aria-labelledby="address-title">
      <h2 id="address-title">${words.address}</h2>
      <p class="note">${words.addressNote}</p>
      ${copyField(language, "feed", words.address, feed)}
    </section>
    <section aria-labelledby="other-title">
      <h2 id="other-title">${words.otherApps}</h2>
      ${others.map(
        (app) =>
          html`<details class="other-app">
            <summary>${appIcon(app)} ${language.texts.apps[app].name}</summary>
            <div>${appSteps(app, feed, calendar, language)}</div>
          </details>`,
      )}
    </section>`;
}

function appSteps(app: App, feed: string, calendar: CalendarRow, { texts }: Language): Html {
  const { name, steps, refresh, otherwise } = texts.apps[app];
  const words = texts.follower;
  const labels = { open: words.open(name), addByUrl: words.addByUrl, openYahoo: words.openYahoo };
  const link = ({ kind, href }: AppLink, index: number): Html =>
    html`<p>
      <a class="button${index === 0 ? "" : " quiet"}" href="${href}" rel="noopener noreferrer"
        >${labels[kind]}</a
      >
    </p>`;
  const [first, ...others] = appLinks(app, feed, calendar.calendarname).map(link);
  // Where the address is pasted by hand, the link comes with the alternative.
  const isByHand = app === "ical";
  return html`<ol class="steps">
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    ${isByHand ? undefined : first}
    <p class="refresh">${refresh}</p>
    <p class="note">${otherwise}</p>
    ${isByHand ? first : others}`;
}

function leaving({ key, follower, language, root }: FollowerView): Html {
  const words = language.texts.follower;
  const stop =
    follower.unfollowed_at !== null
      ? undefined
      : html`<section class="leave" aria-labelledby="renew-title">
            <h2 id="renew-title">${words.renew}</h2>
            <p class="note">${words.renewNote}</p>
            <form method="post" action="${root}${paths.renew(key)}">
              <button class="quiet">${words.renewButton}</button>
            </form>
          </section>
          <section class="leave" aria-labelledby="stop-title">
            <h2 id="stop-title">${words.stop}</h2>
            <p class="note">${words.stopNote}</p>
            <form method="post" action="${root}${paths.unfollow(key)}">
              <button class="quiet">${words.stopButton}</button>
            </form>
          </section>`;
  return html`${stop}
    <section class="leave" aria-labelledby="erase-title">
      <h2 id="erase-title">${words.erase}</h2>
      <p class="note">${words.eraseNote}</p>
      <form method="post" action="${root}${paths.deleteData(key)}">
        <button class="quiet danger">${words.eraseButton}</button>
      </form>
    </section>`;
}
