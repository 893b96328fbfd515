import { LRUCache } from "lru-cache";
import { encode } from "uqr";
import { omittedFrom } from "../../calendars/feed-omits.js";
import type { CalendarRow, NewsRow } from "../../db/rows.js";
import { type App, apps } from "../../followers/agents.js";
import { monthIndex } from "../../time/formats.js";
import type { CalendarContent } from "../calendar-page.js";
import { paths } from "../public-paths.js";
import type { UpcomingEvent } from "../public-queries.js";
import { appIcon } from "./apps.js";
import { commonOffset, dateFormats, eventTime, type ShownEvent, shownEvent } from "./dates.js";
import { html, type Html } from "./html.js";
import { categoryBoxes, copyField, type Language, layout, type PageContext } from "./layout.js";
import { monthView, moreLink } from "./month.js";
import { notices } from "./news.js";
import { shareLinks } from "./share.js";
import type { ShownPicture } from "./shown-picture.js";
import { assets } from "./static-files.js";
import { richText, shortText, splitText } from "./text.js";
import { type ShownEntry, upcomingList, upNext } from "./upcoming-list.js";

interface FollowView extends PageContext, CalendarContent {
  /** The apps to offer first; the others are folded. */
  readonly commonApps: readonly App[];
  readonly showsFollowers: boolean;
  readonly isDataDeleted: boolean;
  /** Messages of the organizer; undefined where the service sends no e-mail. */
  readonly news: readonly NewsRow[] | undefined;
}

/** The part of the calendar's description that is visible without a tap. */
const descriptionLength = 600;

export function followPage(view: FollowView): Html {
  const { calendar, language, root, theme, upcoming, month } = view;
  const t = language.texts.follow;
  const shown = upcoming.entries.map(({ event, categories, others }) => ({
    ...shownEvent(event, calendar.timezone),
    categories,
    others: others.map((other) => shownEvent(other, calendar.timezone)),
  }));
  const list = nextList(view, shown);
  return layout(view, {
    title: t.pageTitle(calendar.title),
    kind: "follow",
    isSearchable: calendar.searchable === 1,
    head: openGraph(view, shown),
    body: html`<main>
      ${coverPicture(theme?.cover)}${intro(view)}
      <div class="side">
        ${followCard(view, upNext(calendar, shown, { today: month.today, root }, language))}${sharing(view)}
      </div>
      ${about(view)}
      <section class="next" aria-labelledby="next-title">
        <h2 id="next-title">${t.next}</h2>
        ${list}${moreEvents(view)}${omittedNote(calendar, language)}
      </section>
      ${monthView({ ...view, calendars: [calendar] })}${otherWays(view)}
    </main>`,
  });
}

function nextList(view: FollowView, shown: readonly ShownEntry[]): Html {
  const { calendar, language, root, month, upcoming } = view;
  if (shown.length === 0) return html`<p class="note">${language.texts.follow.noNext}</p>`;
  const offset = commonOffset(shown.flatMap((entry) => [entry, ...entry.others]));
  const { isComplete } = upcoming;
  const options = { today: month.today, showsOffset: offset === undefined, isComplete, root };
  return html`${zoneNote(language, calendar.timezone, offset)}${upcomingList(calendar, shown, options, language)}`;
}

/** Renders the picture of an account, a calendar or an event, as wide as the page. */
export function coverPicture(picture: ShownPicture | undefined): Html | undefined {
  if (picture === undefined) return undefined;
  const { src, srcset, alt } = picture;
  const sizes = "(min-width: 74rem) 69rem, 100vw";
  return html`<img class="cover" src="${src}" srcset="${srcset}" sizes="${sizes}" alt="${alt}" />`;
}

/** Says whose clock the times are of. page.js shows it to readers whose own differs; without a script it always stands there. */
export function zoneNote({ texts }: Language, zone: string, offset: string | undefined): Html {
  const note = `${texts.follow.zone(zone)}${offset === undefined ? "" : ` (${offset})`}`;
  return html`<p class="note" data-zone hidden>${note}</p>`;
}

function moreEvents({ calendar, language, upcoming: { more }, month: { today } }: FollowView) {
  if (more === undefined) return undefined;
  const day = Math.max(today, shownEvent(more, calendar.timezone).firstDay);
  return moreLink(monthIndex(day), { day, page: 1 }, { language });
}

/** What a link to the page shows: its picture, and what is next, and where. */
function openGraph(
  { calendar, language, baseUrl, theme, news, month: { today } }: FollowView,
  shown: readonly ShownEvent<UpcomingEvent>[],
): Html {
  const address = baseUrl + paths.page(calendar.uniquekey);
  const formats = dateFormats(language.locale);
  const [next] = shown.filter(({ event }) => event.status !== "cancelled");
  const parts = next && [eventTime(next, formats, today).text, next.event.title, next.event.location];
  const about =
    calendar.description.trim() === ""
      ? language.texts.follow.metaDescription(calendar.title)
      : calendar.description;
  const description = shortText([...(parts ?? []), about].filter((part) => part !== "").join(" · "), 200);
  const feed =
    news &&
    html`<link
      rel="alternate"
      type="application/atom+xml"
      href="${baseUrl}${paths.news(calendar.uniquekey)}"
    />`;
  return html`<link rel="canonical" href="${address}" />
    ${feed}
    <meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${theme?.name}" />
    <meta property="og:title" content="${calendar.title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address}" />
    ${previewPicture(theme?.cover ?? theme?.logo, baseUrl)}`;
}

/** Renders the picture of a link preview, 1,200 × 630; without one of the account's it is that of the software. */
export function previewPicture(picture: ShownPicture | undefined, baseUrl: string): Html {
  const image = picture === undefined ? baseUrl + assets.image.path : new URL(picture.preview, baseUrl).href;
  const alt = picture && html`<meta property="og:image:alt" content="${picture.alt}" />`;
  return html`<meta property="og:image" content="${image}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    ${alt}
    <meta name="twitter:card" content="summary_large_image" />`;
}

function intro({ calendar, language, isDataDeleted, showsFollowers, news = [] }: FollowView): Html {
  const { calendarname, title, followers_active: count } = calendar;
  const name =
    calendarname === title ? undefined : html`<p class="calendarname" dir="auto">${calendarname}</p>`;
  const shown = dateFormats(language.texts.language).number.format(count);
  const followers = showsFollowers
    ? html`<p class="followers">${language.texts.follow.followers(count, shown)}</p>`
    : undefined;
  const notice = isDataDeleted
    ? html`<p class="notice" role="status">${language.texts.follower.erased}</p>`
    : undefined;
  return html`<header class="intro">
    ${notice}${name}
    <h1 class="${titleSize(title)}" dir="auto">${title}</h1>
    ${followers} ${notices(news, language)}
  </header>`;
}

function about({ calendar: { description }, language }: FollowView): Html | undefined {
  if (description.trim() === "") return undefined;
  const [beginning, rest] = splitText(description, descriptionLength);
  const more =
    rest === ""
      ? undefined
      : html`<details class="more">
          <summary>${language.texts.follow.readMore}</summary>
          <p class="text" dir="auto">${richText(rest)}</p>
        </details>`;
  return html`<div class="about">
    <p class="text" dir="auto">${richText(beginning)}</p>
    ${more}
  </div>`;
}

function appAbout(app: App, { language: { texts }, isAndroid }: AppsView): string {
  const { next, refresh } = texts.apps[app];
  return `${app === "google" && isAndroid ? texts.android.next : next} ${refresh}`;
}

function appButton(app: App, view: AppsView): Html {
  const { name, where } = view.language.texts.apps[app];
  return html`<li>
    <button class="app" name="app" value="${app}" aria-describedby="about-${app}">
      ${appIcon(app)}<span
        ><span class="app-name">${name}</span> <span class="app-where">${where}</span></span
      >
    </button>
    <p class="app-about" id="about-${app}">${appAbout(app, view)}</p>
  </li>`;
}

/** The button for the app of this device: it is at the beginning, and below the fields that one fills in before. */
function addButton(app: App, { language: { texts } }: AppsView): Html {
  return html`<button class="add-now" name="app" value="${app}" aria-describedby="about-${app}">
    ${appIcon(app)}<span>${texts.follow.add} <span class="app-where">${texts.apps[app].name}</span></span>
  </button>`;
}

function followCard(view: FollowView, next: Html | undefined): Html {
  const { calendar, language, root } = view;
  const t = language.texts.follow;
  // The disabled button catches the Enter key in the two fields, which would choose the first app.
  return html`<section class="card follow-card" aria-labelledby="follow-title">
    <h2 class="unseen" id="follow-title">${t.heading}</h2>
    ${next}
    <form method="post" action="${root}${paths.follow(calendar.uniquekey)}">
      <button disabled hidden></button>
      ${appChoice(view, someEvents(view))}
    </form>
    <p class="note">${t.lead}</p>
    <p class="note">${t.kept}</p>
  </section>`;
}

type AppsView = Pick<FollowView, "language" | "commonApps" | "isAndroid"> & Partial<Pick<FollowView, "news">>;

/** Renders the button for the app of this device, those for the others, and the fields that no one has to fill in. */
export function appChoice(view: AppsView, some?: Html): Html {
  const { commonApps, isAndroid, language } = view;
  const [app = "ical"] = commonApps;
  const others = [...commonApps, ...apps.filter((one) => !commonApps.includes(one))].slice(1);
  return html`${addButton(app, view)}
    <p class="note" id="about-${app}">${appAbout(app, view)}</p>
    ${isAndroid ? androidNote(language) : undefined}
    <details class="more-apps">
      <summary>${language.texts.follow.moreApps}</summary>
      <ul class="apps">
        ${others.map((other) => appButton(other, view))}
      </ul>
    </details>
    ${some} ${aboutYou(app, view)}`;
}

function aboutYou(app: App, view: AppsView): Html {
  const { news, follow: t } = view.language.texts;
  const words = view.news === undefined ? t : news;
  return html`<details class="about-you">
    <summary>${words.aboutYou}</summary>
    <p class="note" id="about-you-why">${words.aboutYouWhy}</p>
    <label for="name">${t.name}</label>
    <input id="name" name="name" maxlength="255" autocomplete="name" aria-describedby="about-you-why" />
    <label for="email">${t.email}</label>
    <input
      id="email"
      name="email"
      type="email"
      maxlength="254"
      autocomplete="email"
      aria-describedby="about-you-why"
    />
    ${addButton(app, view)}
  </details>`;
}

function someEvents(view: FollowView): Html | undefined {
  const [app = "ical"] = view.commonApps;
  const boxes = categoryBoxes(view.categories, () => true, view.language);
  if (boxes === undefined) return undefined;
  return html`<details class="some">
    <summary>${view.language.texts.follow.some}</summary>
    ${boxes} ${addButton(app, view)}
  </details>`;
}

function androidNote({ texts: { android: t } }: Language): Html {
  return html`<p class="note">${t.instead} <a href="#next-title">${t.openEvents}</a></p>`;
}

/** Returns the class for a title: long ones are smaller, so that the form stays in sight. */
export function titleSize({ length }: string): string {
  if (length > 120) return "longest";
  return length > 48 ? "long" : "short";
}

/** Tells the owner and others that the feed does not have all events. */
function omittedNote(calendar: Pick<CalendarRow, "feed_cut">, { texts: { follow: t } }: Language) {
  const omits = omittedFrom(calendar);
  return omits === "nothing" ? undefined : html`<p class="note">${t.feedOmits(t.feedOmitted[omits])}</p>`;
}

function sharing({ calendar, language, baseUrl }: FollowView): Html {
  const t = language.texts.follow;
  const address = baseUrl + paths.page(calendar.uniquekey);
  return html`<section class="share" aria-labelledby="share-title">
    <h2 id="share-title">${t.share}</h2>
    ${shareLinks(language, { title: calendar.title, address, id: "page-address" })}
    <details class="fold narrow">
      <summary>${t.otherDevice}</summary>
      <div class="device">
        <p class="note">${t.otherDeviceHow}</p>
        ${qrCode(address, t.qrCode)}
      </div>
    </details>
    <p class="printed">${address}</p>
  </section>`;
}

/** Leads to the portal, where it shows the calendar beside others. */
function portalLink(
  { listed }: Pick<CalendarRow, "listed">,
  { theme, language, root }: Pick<FollowView, "theme" | "language" | "root">,
): Html | undefined {
  if (listed === 0 || theme === undefined || theme.key === "") return undefined;
  return html`<p>
    <a href="${root}${paths.portal(theme.key)}">${language.texts.portal.allOf(theme.name)}</a>
  </p>`;
}

function otherWays({ calendar, language, baseUrl, root, theme }: FollowView): Html {
  const { follow: t, paper } = language.texts;
  const { uniquekey: key } = calendar;
  const feed = paths.anonymousFeed(calendar);
  const download = html`<h3>${t.download}</h3>
    <p class="note">${t.downloadNote}</p>
    <p><a class="button quiet" href="${root}${feed}?download=1" download>${t.download}</a></p>`;
  return html`<section class="ways" aria-labelledby="ways-title">
    <details class="fold">
      <summary><h2 id="ways-title">${t.otherWays}</h2></summary>
      <div class="two">
        ${calendar.events_total === 0 ? undefined : html`<div>${download}</div>`}
        <div>
          <h3>${t.anonymous}</h3>
          <p class="note">${t.anonymousNote}</p>
          ${copyField(language, "anonymous-feed", t.address, baseUrl + feed)}
        </div>
      </div>
      <p><a href="${root}${paths.embed(calendar.uniquekey)}">${t.embed}</a></p>
      <h3>${paper.heading}</h3>
      <p>
        <a href="${root}${paths.print(key)}">${paper.month}</a> ·
        <a href="${root}${paths.season(key)}">${paper.season}</a> ·
        <a href="${root}${paths.poster(key)}">${paper.poster}</a>
      </p>
    </details>
    ${portalLink(calendar, { theme, language, root })}
  </section>`;
}

/** White modules around the code; scanners need four (ISO/IEC 18004). */
const quietZone = 4;

interface Code {
  readonly size: number;
  readonly path: string;
}

/** Renders a QR code as one path. Always dark on white: many scanners cannot read inverted codes. */
export function qrCode(text: string, label: string): Html {
  const { size, path } = codes.memo(text);
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path stroke="#000" d="${path}" />
  </svg>`;
}

/** Encoding is slow, and every visitor of a calendar gets the same code. */
const codes = new LRUCache<string, Code>({ max: 200, memoMethod: codeOf });

function codeOf(text: string): Code {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  return { size: size + 2 * quietZone, path: data.map(rowPath).join("") };
}

/** Draws the dark modules of a row as strokes: half as long as their outlines. */
function rowPath(row: readonly boolean[], y: number): string {
  const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
  let end = 0;
  const strokes = [...line.matchAll(/1+/g)].map(({ 0: run, index }) => {
    const gap = index - end;
    end = index + run.length;
    return `${gap === 0 ? "" : `m${gap} 0`}h${run.length}`;
  });
  return `M${quietZone} ${y + quietZone + 0.5}${strokes.join("")}`;
}
