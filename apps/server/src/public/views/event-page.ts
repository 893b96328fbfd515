import type { PageCalendar } from "../../calendars/public-queries.js";
import { namesOf } from "../../calendars/category-names.js";
import { untilYear9999 } from "../../time/formats.js";
import { toLocal } from "../../time/zones.js";
import { paths } from "../public-paths.js";
import type { ShownEventRow } from "../public-queries.js";
import { addingApps, addLink, appIcon } from "./apps.js";
import {
  type DateFormats,
  dateFormats,
  formatOffset,
  formatRange,
  hoursOn,
  machineTime,
  type ShownEvent,
} from "./dates.js";
import { coverPicture, previewPicture, titleSize, zoneNote } from "./follow-page.js";
import { html, type Html, jsonLd } from "./html.js";
import { layout, type PageContext } from "./layout.js";
import { shareLinks } from "./share.js";
import { type ShownPicture, shownPicture } from "./shown-picture.js";
import { assets } from "./static-files.js";
import { richText, shortText } from "./text.js";
import { categoryNames, inLanguage } from "./upcoming-list.js";

interface EventView extends PageContext {
  readonly calendar: PageCalendar;
  readonly shown: ShownEvent<ShownEventRow>;
  readonly mapOf: (location: string) => string | undefined;
  /** Whether only who has its link sees it. */
  readonly isDraft?: boolean;
}

export function eventPage(view: EventView): Html {
  const { calendar, shown, language, root, isDraft = false } = view;
  const { title, status } = shown.event;
  const t = language.texts.event;
  const isSearchable = calendar.searchable === 1;
  return layout(view, {
    title: t.pageTitle(cancelled(view) + title, calendar.title),
    kind: "event",
    isSearchable,
    head: isDraft ? html`` : html`${openGraph(view)}${isSearchable ? jsonLd(eventData(view)) : undefined}`,
    body: html`<main>
      ${coverPicture(pictureOf(view))}
      <header class="intro">
        <p class="calendarname">
          <a href="${root}${paths.page(calendar.uniquekey)}" dir="auto">${calendar.title}</a>
        </p>
        ${isDraft ? html`<p class="notice">${t.draft}</p>` : undefined}
        ${status === "confirmed" ? undefined : html`<p class="notice ${status}">${t[status]}</p>`}
        <h1 class="${titleSize(title)}" dir="auto">
          ${status === "cancelled" ? html`<s>${title}</s>` : title}
        </h1>
        ${facts(view)}
      </header>
      <div class="side">
        ${status === "cancelled" || isDraft ? undefined : addCard(view)}${isDraft ? undefined : otherWays(view)}
      </div>
      ${about(shown.event)}
    </main>`,
  });
}

/** The word before what a link preview or a tab shows of a cancelled event. */
function cancelled({ shown, language: { texts } }: EventView): string {
  return shown.event.status === "cancelled" ? `${texts.follow.status.cancelled}${texts.colon} ` : "";
}

/** The picture of the event, else that of its calendar or account. */
function pictureOf({ shown, root, theme }: EventView): ShownPicture | undefined {
  return shownPicture(root, shown.event) ?? theme?.cover;
}

function about({ description }: ShownEventRow): Html | undefined {
  if (description.trim() === "") return undefined;
  return html`<p class="text about" dir="auto">${richText(description)}</p>`;
}

function facts({ calendar, shown, language, mapOf }: EventView): Html {
  const { location, organizer, url } = shown.event;
  const categories = namesOf(shown.event.categories);
  const { event: t, follow, categories: c } = language.texts;
  const row = (name: string, content: Html): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd dir="auto">${content}</dd>
    </div>`;
  const { text, datetime } = timeOf(shown, dateFormats(language.locale));
  const zone = shown.isAllDay
    ? html`<span class="note">${follow.allDay}</span>`
    : zoneNote(language, calendar.timezone, formatOffset(shown.offset));
  const map = mapOf(location);
  const where = html`${richText(location)}${
    map === undefined
      ? undefined
      : html` <a class="map" href="${map}" rel="noopener noreferrer nofollow">${t.map}</a>`
  }`;
  const more =
    url === ""
      ? undefined
      : html`<p>
          <a class="button quiet" href="${url}" rel="noopener noreferrer nofollow ugc">${t.url}</a>
        </p>`;
  const when = html`<time datetime="${datetime}">${inLanguage(language, text)}</time> ${zone}`;
  return html`<dl class="facts">
      ${row(t.when, when)}${location === "" ? undefined : row(t.where, where)}${
        organizer === "" ? undefined : row(follow.organizer, html`${organizer}`)
      }${categories.length === 0 ? undefined : row(c.label, categoryNames(categories))}
    </dl>
    ${more}`;
}

/** The time with its year, so that the page stays true. */
function timeOf(shown: ShownEvent, formats: DateFormats) {
  const { isAllDay, start, end, offset, firstDay, lastDay } = shown;
  const datetime = machineTime(start, isAllDay ? undefined : offset);
  if (!isAllDay && firstDay !== lastDay)
    return { text: formatRange(formats.dateTimeWithYear, start, end), datetime };
  const date = formatRange(formats.longDate, firstDay, lastDay);
  const hours = hoursOn(firstDay, shown, formats);
  return { text: hours === undefined ? date : `${date} · ${hours}`, datetime };
}

function otherWays(view: EventView): Html {
  const { calendar, language, root } = view;
  const t = language.texts.event;
  const address = addressOf(view);
  return html`<section class="share-event" aria-labelledby="share-title">
      <h2 id="share-title">${t.share}</h2>
      ${shareLinks(language, { title: view.shown.event.title, address, id: "event-address" })}
      <p class="printed">${address}</p>
    </section>
    <section aria-labelledby="follow-title">
      <h2 id="follow-title">${t.follow}</h2>
      <p class="note">${t.followNote}</p>
      <p>
        <a class="button quiet" href="${root}${paths.page(calendar.uniquekey)}"
          >${language.texts.follow.heading}</a
        >
      </p>
    </section>`;
}

function addressOf({ calendar, shown, baseUrl }: EventView): string {
  return baseUrl + paths.event(calendar.uniquekey, shown.event.uid);
}

function addCard(view: EventView): Html {
  const { calendar, shown, language, root } = view;
  const { texts } = language;
  const t = texts.event;
  const { uid } = shown.event;
  const page = addressOf(view);
  const links = addingApps.flatMap((app) => {
    const link = addLink(app, shown, page);
    if (link === undefined) return [];
    return html`<li>
      <a class="add" href="${link}" rel="noopener noreferrer nofollow"
        >${appIcon(app)} ${texts.apps[app].name}</a
      >
    </li>`;
  });
  return html`<section class="card" aria-labelledby="add-title">
    <h2 id="add-title">${t.add}</h2>
    <p class="note">${t.addNote}</p>
    <ul class="links">
      <li>
        <a class="add" href="${root}${paths.eventFile(calendar.uniquekey, uid)}" rel="nofollow"
          >${appIcon("ical")} ${t.file}</a
        >
      </li>
      ${links}
    </ul>
  </section>`;
}

function openGraph(view: EventView): Html {
  const { calendar, shown, language, baseUrl } = view;
  const { title, location, description } = shown.event;
  const address = addressOf(view);
  const { text } = timeOf(shown, dateFormats(language.locale));
  const parts = [text, location, description].filter((part) => part.trim() !== "").join(" · ");
  const said = cancelled(view) + shortText(parts, 200);
  return html`<link rel="canonical" href="${address}" />
    <meta name="description" content="${said}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${calendar.title}" />
    <meta property="og:title" content="${cancelled(view)}${title}" />
    <meta property="og:description" content="${said}" />
    <meta property="og:url" content="${address}" />
    ${previewPicture(pictureOf(view) ?? view.theme?.logo, baseUrl)}`;
}

function eventData(view: EventView): object {
  const { calendar, shown, baseUrl } = view;
  const { event, isAllDay, start, offset, firstDay, lastDay } = shown;
  const picture = pictureOf(view);
  const { title, description, location, organizer, status, end_at } = event;
  const end = toLocal(end_at, calendar.timezone);
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    name: title,
    startDate: isAllDay ? machineTime(firstDay) : machineTime(start, offset),
    endDate: isAllDay ? machineTime(lastDay) : machineTime(untilYear9999(end), end - end_at),
    eventStatus: `https://schema.org/${status === "cancelled" ? "EventCancelled" : "EventScheduled"}`,
    url: addressOf(view),
    image: picture === undefined ? baseUrl + assets.image.path : new URL(picture.preview, baseUrl).href,
    // JSON leaves out what is undefined.
    location: location === "" ? undefined : { "@type": "Place", name: location, address: location },
    description: description.trim() === "" ? undefined : description,
    organizer: organizer === "" ? undefined : { "@type": "Organization", name: organizer },
  };
}
