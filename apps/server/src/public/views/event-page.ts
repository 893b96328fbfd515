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
import { titleSize } from "./follow-page.js";
import { html, type Html, jsonLd } from "./html.js";
import { copyField, layout, type PageContext } from "./layout.js";
import { assets } from "./static-files.js";
import { richText, shortText } from "./text.js";
import { categoryNames, inLanguage } from "./upcoming-list.js";

interface EventView extends PageContext {
  readonly calendar: PageCalendar;
  readonly shown: ShownEvent<ShownEventRow>;
  /** Whether only who has its link sees it. */
  readonly isDraft?: boolean;
}

export function eventPage(view: EventView): Html {
  const { calendar, shown, language, root, theme, isDraft = false } = view;
  const { title, status } = shown.event;
  const t = language.texts.event;
  const isSearchable = calendar.searchable === 1;
  return layout({
    language,
    root,
    theme,
    title: t.pageTitle(title, calendar.title),
    kind: "event",
    isSearchable,
    head: isDraft ? html`` : html`${openGraph(view)}${isSearchable ? jsonLd(eventData(view)) : undefined}`,
    body: html`<main>
      <header class="intro">
        <p class="calendarname">
          <a href="${root}${paths.page(calendar.uniquekey)}" dir="auto">${calendar.title}</a>
        </p>
        ${isDraft ? html`<p class="notice">${t.draft}</p>` : undefined}
        ${status === "confirmed" ? undefined : html`<p class="notice">${t[status]}</p>`}
        <h1 class="${titleSize(title)}" dir="auto">
          ${status === "cancelled" ? html`<s>${title}</s>` : title}
        </h1>
        ${facts(view)}
      </header>
      ${status === "cancelled" || isDraft ? undefined : addCard(view)}${isDraft ? undefined : otherWays(view)}
    </main>`,
  });
}

function facts({ calendar, shown, language }: EventView): Html {
  const { location, organizer, description } = shown.event;
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
    : html`<span class="note">${follow.zone(calendar.timezone)} (${formatOffset(shown.offset)})</span>`;
  const when = html`<time datetime="${datetime}">${inLanguage(language, text)}</time> ${zone}`;
  return html`<dl class="facts">
      ${row(t.when, when)}${location === "" ? undefined : row(t.where, richText(location))}${
        organizer === "" ? undefined : row(follow.organizer, html`${organizer}`)
      }${categories.length === 0 ? undefined : row(c.label, categoryNames(categories))}
    </dl>
    ${description.trim() === "" ? undefined : html`<p class="text" dir="auto">${richText(description)}</p>`}`;
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
      ${copyField(language, "event-address", t.address, address)}
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
  const said = shortText([text, location, description].filter((part) => part.trim() !== "").join(" · "), 200);
  return html`<link rel="canonical" href="${address}" />
    <meta name="description" content="${said}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${calendar.title}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${said}" />
    <meta property="og:url" content="${address}" />
    <meta property="og:image" content="${baseUrl}${assets.image}" />
    <meta name="twitter:card" content="summary" />`;
}

function eventData(view: EventView): object {
  const { calendar, shown, baseUrl } = view;
  const { event, isAllDay, start, offset, firstDay, lastDay } = shown;
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
    image: baseUrl + assets.image,
    // JSON leaves out what is undefined.
    location: location === "" ? undefined : { "@type": "Place", name: location, address: location },
    description: description.trim() === "" ? undefined : description,
    organizer: organizer === "" ? undefined : { "@type": "Organization", name: organizer },
  };
}
