import { LRUCache } from "lru-cache";
import { encode } from "uqr";
import { omittedFrom } from "../../calendars/feed-omits.js";
import type { CalendarRow } from "../../db/rows.js";
import { type App, apps } from "../../followers/agents.js";
import { monthIndex } from "../../time/formats.js";
import type { CalendarContent } from "../calendar-page.js";
import { paths } from "../public-paths.js";
import { appIcon } from "./apps.js";
import { commonOffset, dateFormats, shownEvent } from "./dates.js";
import { html, type Html } from "./html.js";
import { categoryBoxes, copyField, type Language, layout, type PageContext } from "./layout.js";
import { monthView, moreLink } from "./month.js";
import { assets } from "./static-files.js";
import { richText, shortText, splitText } from "./text.js";
import { upcomingList } from "./upcoming-list.js";

interface FollowView extends PageContext, CalendarContent {
  /** The apps to offer first; the others are folded. */
  readonly commonApps: readonly App[];
  readonly isAndroid: boolean;
  readonly showsFollowers: boolean;
  readonly isDataDeleted: boolean;
}

/** The part of the calendar's description that is visible without a tap. */
const descriptionLength = 600;

export function followPage(view: FollowView): Html {
  const { calendar, language, root, theme, upcoming, month } = view;
  const formats = dateFormats(language.locale);
  const t = language.texts.follow;
  const shown = upcoming.entries.map(({ event, categories, others }) => ({
    ...shownEvent(event, calendar.timezone),
    categories,
    others: others.map((other) => shownEvent(other, calendar.timezone)),
  }));
  const offset = commonOffset(shown.flatMap((entry) => [entry, ...entry.others]));
  const list =
    shown.length === 0
      ? html`<p class="note">${t.noNext}</p>`
      : upcomingList(
          calendar,
          shown,
          { today: month.today, showsOffset: offset === undefined, root },
          language,
        );
  return layout({
    language,
    root,
    theme,
    title: t.pageTitle(calendar.title),
    kind: "follow",
    isSearchable: calendar.searchable === 1,
    head: openGraph(view),
    body: html`<main>
      ${intro(view)}
      <div class="side">${followCard(view)}${otherDevice(view)}</div>
      <section class="next" aria-labelledby="next-title">
        <h2 id="next-title">${t.next}</h2>
        <p class="note">${t.zone(calendar.timezone)}${offset === undefined ? "" : ` (${offset})`}</p>
        ${list}${moreEvents(view)}${omittedNote(calendar, language)}
      </section>
      ${monthView({ ...view, formats })}${otherWays(view)}
    </main>`,
  });
}

function moreEvents({ calendar, language, upcoming: { more }, month: { today } }: FollowView) {
  if (more === undefined) return undefined;
  const day = Math.max(today, shownEvent(more, calendar.timezone).firstDay);
  return moreLink(monthIndex(day), { day, page: 1 }, language);
}

function openGraph({ calendar, language, baseUrl }: FollowView): Html {
  const address = baseUrl + paths.page(calendar.uniquekey);
  const description =
    calendar.description.trim() === ""
      ? language.texts.follow.metaDescription(calendar.title)
      : shortText(calendar.description, 200);
  return html`<link rel="canonical" href="${address}" />
    <meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${calendar.title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address}" />
    <meta property="og:image" content="${baseUrl}${assets.image}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

function intro({ calendar, language, isDataDeleted, showsFollowers }: FollowView): Html {
  const t = language.texts.follow;
  const { calendarname, title, description } = calendar;
  const name =
    calendarname === title ? undefined : html`<p class="calendarname" dir="auto">${calendarname}</p>`;
  const [beginning, rest] = splitText(description, descriptionLength);
  const more =
    rest === ""
      ? undefined
      : html`<details class="more">
          <summary>${t.readMore}</summary>
          <p class="text" dir="auto">${richText(rest)}</p>
        </details>`;
  const text =
    description.trim() === ""
      ? undefined
      : html`<p class="text" dir="auto">${richText(beginning)}</p>
          ${more}`;
  const count = calendar.followers_active;
  const shown = dateFormats(language.texts.language).number.format(count);
  const followers = showsFollowers ? html`<p class="followers">${t.followers(count, shown)}</p>` : undefined;
  const notice = isDataDeleted
    ? html`<p class="notice" role="status">${language.texts.follower.erased}</p>`
    : undefined;
  return html`<header class="intro">
    ${notice}${name}
    <h1 class="${titleSize(title)}" dir="auto">${title}</h1>
    ${followers} ${text}
  </header>`;
}

function appButton(app: App, { language: { texts }, isAndroid }: FollowView): Html {
  const { name, where, next, refresh } = texts.apps[app];
  const about = app === "google" && isAndroid ? texts.android.next : next;
  return html`<li>
    <button class="app" name="app" value="${app}" aria-describedby="about-${app}">
      ${appIcon(app)}<span
        ><span class="app-name">${name}</span> <span class="app-where">${where}</span></span
      >
    </button>
    <p class="app-about" id="about-${app}">${about} ${refresh}</p>
  </li>`;
}

function followCard(view: FollowView): Html {
  const { calendar, categories, language, commonApps, root, isAndroid } = view;
  const t = language.texts.follow;
  const buttons = commonApps.map((app) => appButton(app, view));
  const others = apps.filter((app) => !commonApps.includes(app)).map((app) => appButton(app, view));
  // The disabled button catches the Enter key in the two fields, which would choose the first app.
  return html`<section class="card follow-card" aria-labelledby="follow-title">
    <h2 id="follow-title">${t.heading}</h2>
    <p class="lead">${t.lead}</p>
    <form method="post" action="${root}${paths.follow(calendar.uniquekey)}">
      <button disabled hidden></button>
      ${categoryBoxes(categories, () => true, language)}
      <details class="about-you">
        <summary>${t.aboutYou}</summary>
        <p class="note" id="about-you-why">${t.aboutYouWhy}</p>
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
      </details>
      <ul class="apps">
        ${buttons}
      </ul>
      ${isAndroid ? androidNote(language) : undefined}
      <details class="more-apps">
        <summary>${t.moreApps}</summary>
        <ul class="apps">
          ${others}
        </ul>
      </details>
    </form>
    <p class="note">${t.kept}</p>
  </section>`;
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

function otherDevice({ calendar, language, baseUrl }: FollowView): Html {
  const t = language.texts.follow;
  const page = baseUrl + paths.page(calendar.uniquekey);
  return html`<section class="share" aria-labelledby="device-title">
    <h2 id="device-title">${t.otherDevice}</h2>
    <details class="fold narrow">
      <summary>${t.qrCode}</summary>
      <div class="device">
        <p class="note">${t.otherDeviceHow}</p>
        ${qrCode(page, t.qrCode)}
      </div>
    </details>
    <p class="printed">${page}</p>
  </section>`;
}

function otherWays({ calendar, language, baseUrl, root }: FollowView): Html {
  const t = language.texts.follow;
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
    </details>
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
  const { size, path } = codeOf(text);
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${path}" />
  </svg>`;
}

/** Encoding is slow, and every visitor of a calendar gets the same code. */
const codes = new LRUCache<string, Code>({ max: 200 });

function codeOf(text: string): Code {
  const cached = codes.get(text);
  if (cached !== undefined) return cached;
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const code = { size: size + 2 * quietZone, path: data.map(rowPath).join("") };
  codes.set(text, code);
  return code;
}

function rowPath(row: readonly boolean[], y: number): string {
  const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...line.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`)
    .join("");
}
