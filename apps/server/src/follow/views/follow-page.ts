import { paletteColors } from "../../calendars/palettes.js";
import type { CalendarRow, EventRow } from "../../db/rows.js";
import { apps } from "../../subscribers/agents.js";
import { paths } from "../addresses.js";
import { appIcon } from "./app-icons.js";
import { dateWriter } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { copyField, layout } from "./layout.js";
import { type Month, monthView } from "./month.js";
import { qrCode } from "./qr.js";
import { assets } from "./static-files.js";
import { richText, shortText, splitText } from "./text.js";
import { upcomingList } from "./upcoming.js";

/** All that the follow page shows. */
export interface FollowView {
  readonly calendar: CalendarRow;
  readonly language: Language;
  /** Address of the service, which may end in a path of its own: that path is the root. */
  readonly baseUrl: string;
  readonly root: string;
  readonly upcoming: readonly EventRow[];
  readonly month: Month;
  readonly monthEvents: readonly EventRow[];
  /** The visitor comes from deleting what was kept of them. */
  readonly hasLeft: boolean;
}

/** What is shown of the calendar's description before a tap. */
const descriptionLength = 600;

export function followPage(view: FollowView): Html {
  const { calendar, language, root, upcoming, month, monthEvents } = view;
  const writer = dateWriter(language.locale);
  const words = language.texts.follow;
  const list =
    upcoming.length === 0
      ? html`<p class="note">${words.noNext}</p>`
      : upcomingList(calendar, upcoming, month.today, language);
  return layout({
    language,
    root,
    title: words.pageTitle(calendar.title),
    kind: "follow",
    isSearchable: calendar.searchable === 1,
    head: openGraph(view),
    body: html`${paletteBand(calendar.palette_id)}
      <main>
        ${intro(view)}${followCard(view)}
        <section class="next" aria-labelledby="next-title">
          <h2 id="next-title">${words.next}</h2>
          <p class="note">${words.zone(calendar.timezone)}</p>
          ${list}
        </section>
        ${monthView(calendar, monthEvents, month, language, writer)}${otherWays(view)}
      </main>`,
  });
}

/** The calendar's own colours, as a band over its page. */
export function paletteBand(paletteId: string): Html {
  const colors = paletteColors(paletteId);
  const bars = colors.map(
    (color, index) => html`<rect x="${index}" width="1" height="1" fill="#${color}" />`,
  );
  return html`<svg
    class="band"
    viewBox="0 0 ${colors.length} 1"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${bars}
  </svg>`;
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

function intro({ calendar, language, hasLeft }: FollowView): Html {
  const words = language.texts.follow;
  const { calendarname, title, description } = calendar;
  const name =
    calendarname === title ? undefined : html`<p class="calendarname" dir="auto">${calendarname}</p>`;
  const [beginning, rest] = splitText(description, descriptionLength);
  const more =
    rest === ""
      ? undefined
      : html`<details class="more">
          <summary>${words.readMore}</summary>
          <p class="text" dir="auto">${richText(rest)}</p>
        </details>`;
  const text =
    description.trim() === ""
      ? undefined
      : html`<p class="text" dir="auto">${richText(beginning)}</p>
          ${more}`;
  const count = calendar.followers_active;
  const shown = dateWriter(language.texts.language).number.format(count);
  const notice = hasLeft
    ? html`<p class="notice" role="status">${language.texts.follower.erased}</p>`
    : undefined;
  return html`<header class="intro">
    ${notice}${name}
    <h1 dir="auto">${title}</h1>
    <p class="followers">${words.followers(count, shown)}</p>
    ${text}
  </header>`;
}

function followCard({ calendar, language: { texts }, root }: FollowView): Html {
  const words = texts.follow;
  const buttons = apps.map((app) => {
    const { name, where, next, refresh } = texts.apps[app];
    return html`<li>
      <button class="app" name="app" value="${app}" aria-describedby="about-${app}">
        ${appIcon(app)}<span
          ><span class="app-name">${name}</span> <span class="app-where">${where}</span></span
        >
      </button>
      <p class="app-about" id="about-${app}">${next} ${refresh}</p>
    </li>`;
  });
  // The disabled button takes the Enter key in the two fields: it must not choose the first app.
  return html`<section class="card follow-card" aria-labelledby="follow-title">
    <h2 id="follow-title">${words.heading}</h2>
    <p class="lead">${words.lead}</p>
    <form method="post" action="${root}${paths.follow(calendar.uniquekey)}">
      <button disabled hidden></button>
      <details class="about-you">
        <summary>${words.aboutYou}</summary>
        <p class="note" id="about-you-why">${words.aboutYouWhy}</p>
        <label for="name">${words.name}</label>
        <input id="name" name="name" maxlength="255" autocomplete="name" aria-describedby="about-you-why" />
        <label for="email">${words.email}</label>
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
    </form>
    <p class="note">${words.kept}</p>
  </section>`;
}

function otherWays({ calendar, language, baseUrl, root }: FollowView): Html {
  const words = language.texts.follow;
  const feed = paths.anonymousFeed(calendar);
  return html`<section class="share" aria-labelledby="device-title">
      <div>
        <h2 id="device-title">${words.otherDevice}</h2>
        <p class="note">${words.otherDeviceHow}</p>
      </div>
      ${qrCode(baseUrl + paths.page(calendar.uniquekey), words.qrCode)}
    </section>
    <section class="ways" aria-labelledby="ways-title">
      <h2 id="ways-title">${words.otherWays}</h2>
      <h3>${words.download}</h3>
      <p class="note">${words.downloadNote}</p>
      <p><a class="button quiet" href="${root}${feed}?download=1" download>${words.download}</a></p>
      <h3>${words.anonymous}</h3>
      <p class="note">${words.anonymousNote}</p>
      ${copyField(language, "anonymous-feed", words.address, baseUrl + feed)}
      <p><a href="${root}${paths.embed(calendar.uniquekey)}">${words.embed}</a></p>
    </section>`;
}
