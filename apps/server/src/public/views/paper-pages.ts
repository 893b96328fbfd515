import { monthIndex, monthStart } from "../../time/formats.js";
import { paths } from "../public-paths.js";
import type { UpcomingEvent } from "../public-queries.js";
import { dateFormats, eventTime, formatLocal, formatRange, hours, type ShownEvent } from "./dates.js";
import { qrCode, titleSize } from "./follow-page.js";
import { html, type Html } from "./html.js";
import { paper, type PaperView, sheetHead } from "./paper.js";
import { eventTitle, inLanguage, tile } from "./upcoming-list.js";

interface SeasonView extends PaperView {
  readonly events: readonly ShownEvent<UpcomingEvent>[];
  /** Whether there are more. */
  readonly isCut: boolean;
  /** The current day, as its midnight in local time. */
  readonly today: number;
}

/** All events of the next year as a list, to hang up. */
export function seasonPage(view: SeasonView): Html {
  const { events, isCut, today, language, baseUrl, calendar } = view;
  const t = language.texts.paper;
  const formats = dateFormats(language.locale);
  const months = [...new Set(events.map(({ firstDay }) => monthIndex(Math.max(firstDay, today))))];
  const tables = months.map((index) => {
    const name = inLanguage(language, formatLocal(formats.month, monthStart(index)));
    const own = events.filter(({ firstDay }) => monthIndex(Math.max(firstDay, today)) === index);
    return html`<section>
      <h2>${name}</h2>
      <table class="season-sheet">
        <tbody>
          ${own.map((shown) => seasonRow(shown, view))}
        </tbody>
      </table>
    </section>`;
  });
  const asOf = html`<p class="sheet-of">${t.asOf(formatLocal(formats.dateWithYear, today))}</p>`;
  const more = isCut ? html`<p class="note">${t.more}</p>` : undefined;
  const none = events.length === 0 ? html`<p class="note">${language.texts.portal.none}</p>` : undefined;
  return paper(view, "season", {
    title: t.season,
    body: html`${sheetHead(view, asOf)} ${none}${tables}${more}
      <p class="sheet-foot">${baseUrl}${paths.page(calendar.uniquekey)}</p>`,
  });
}

function seasonRow(shown: ShownEvent<UpcomingEvent>, { language }: SeasonView): Html {
  const formats = dateFormats(language.locale);
  const { event, firstDay, lastDay, isAllDay } = shown;
  const date = formatRange(formats.date, firstDay, lastDay);
  return html`<tr>
    <th scope="row">${inLanguage(language, date)}</th>
    <td class="at">${isAllDay ? undefined : inLanguage(language, hours(shown, formats))}</td>
    <td dir="auto">
      <strong>${eventTitle(event, language)}</strong>${
        event.location === "" ? undefined : html`<span class="place"> · <bdi>${event.location}</bdi></span>`
      }
    </td>
  </tr>`;
}

interface PosterView extends PaperView {
  readonly events: readonly {
    readonly shown: ShownEvent<UpcomingEvent>;
    readonly others: readonly ShownEvent<UpcomingEvent>[];
  }[];
  readonly today: number;
}

/** Dates of a series that a line of the poster names. */
const mostOthers = 3;

/** One page to hang up: whose calendar it is, the code that leads to it, and what is next. */
export function posterPage(view: PosterView): Html {
  const { calendar, events, language, baseUrl, theme } = view;
  const t = language.texts.paper;
  const address = baseUrl + paths.page(calendar.uniquekey);
  const logo =
    theme?.logo && html`<img class="poster-logo" src="${theme.logo.src}" alt="${theme.logo.alt}" />`;
  const cover =
    theme?.cover && html`<img class="poster-cover" src="${theme.cover.large}" alt="${theme.cover.alt}" />`;
  const next =
    events.length === 0
      ? undefined
      : html`<section>
          <h2>${language.texts.follow.next}</h2>
          <ol class="poster-events">
            ${events.map((entry) => posterEvent(entry, view))}
          </ol>
        </section>`;
  return paper(view, "poster", {
    title: t.poster,
    body: html`<header class="poster-head">
        ${logo}
        <div>
          <p dir="auto">${theme?.name}</p>
          <h1 class="${titleSize(calendar.title)}" dir="auto">${calendar.title}</h1>
        </div>
      </header>
      ${cover}
      <section class="poster-scan" aria-labelledby="scan-title">
        ${qrCode(address, language.texts.follow.qrCode)}
        <div>
          <h2 id="scan-title">${t.scan}</h2>
          <p>${t.scanHow}</p>
          <p class="poster-address">${address.replace(/^https?:\/\//, "")}</p>
        </div>
      </section>
      ${next}`,
  });
}

function posterEvent({ shown, others }: PosterView["events"][number], { today, language }: PosterView): Html {
  const formats = dateFormats(language.locale);
  const { event } = shown;
  const { text } = eventTime(shown, formats, today);
  const dates = others
    .slice(0, mostOthers)
    .map((other) => formatLocal(formats.shortDate, other.firstDay).replaceAll(" ", "\u00A0"));
  const also =
    dates.length === 0
      ? undefined
      : html` · ${language.texts.event.also}
        ${inLanguage(language, dates.join(", "))}${others.length > mostOthers ? " …" : ""}`;
  const place = event.location === "" ? undefined : html` · <bdi>${event.location}</bdi>`;
  return html`<li>
    ${tile(shown, language)}<span
      ><strong dir="auto">${eventTitle(event, language)}</strong
      ><span class="poster-when">${inLanguage(language, text)}${place}${also}</span></span
    >
  </li>`;
}
