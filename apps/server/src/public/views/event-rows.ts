import type { PageCalendar } from "../../calendars/public-queries.js";
import { type EventSeries, mostDates } from "../calendar-page.js";
import { shownIn } from "../month-events.js";
import { paths } from "../public-paths.js";
import { dateFormats, eventTime, formatLocal } from "./dates.js";
import { html, type Html } from "./html.js";
import type { PageContext } from "./layout.js";
import { colorClass, eventTitle, inLanguage, tile } from "./upcoming-list.js";

interface RowsView extends Pick<PageContext, "language" | "root"> {
  readonly calendars: readonly Pick<PageCalendar, "id" | "uniquekey" | "title" | "timezone" | "palette_id">[];
  /** Whether each event names its calendar. */
  readonly namesCalendars: boolean;
  /** The current day, as its midnight in local time. */
  readonly today: number;
}

/** Renders events of some calendars as a list; each leads to its page. */
export function eventRows(series: readonly EventSeries[], view: RowsView): Html {
  return html`<ol class="events">
    ${series.map((one) => eventRow(one, view))}
  </ol>`;
}

function eventRow({ event, others }: EventSeries, view: RowsView): Html {
  const { calendars, namesCalendars, today, language, root } = view;
  const calendar = calendars.find(({ id }) => id === event.calendar_id);
  if (calendar === undefined) throw new Error("an event of another calendar is shown");
  const show = shownIn({ calendars });
  const shown = show(event);
  const formats = dateFormats(language.locale);
  const { text, datetime } = eventTime(shown, formats, today);
  const allDay = shown.isAllDay ? html` · ${language.texts.follow.allDay}` : undefined;
  const of = namesCalendars ? html`<span class="of-calendar" dir="auto">${calendar.title}</span>` : undefined;
  const place =
    event.location === "" ? undefined : html`<span class="location" dir="auto">${event.location}</span>`;
  const dates = others.slice(0, mostDates).map((row) => formatLocal(formats.shortDate, show(row).firstDay));
  const more = others.length > mostDates ? " …" : "";
  const also =
    dates.length === 0
      ? undefined
      : html`<span class="also"
          >${language.texts.event.also}${language.texts.colon}
          ${inLanguage(language, dates.join(" · ") + more)}</span
        >`;
  return html`<li class="event ${colorClass(calendar, event)}">
    <a class="event-head" href="${root}${paths.event(calendar.uniquekey, event.uid)}"
      >${tile(shown, language)}<span class="event-text"
        >${of}<strong class="event-title" dir="auto">${eventTitle(event, language)}</strong
        ><time datetime="${datetime}">${inLanguage(language, text)}${allDay}</time>${place}${also}</span
      ></a
    >
  </li>`;
}
