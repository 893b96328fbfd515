import type { PageCalendar } from "../../calendars/public-queries.js";
import { type EventSeries, mostDates } from "../calendar-page.js";
import { shownIn } from "../month-events.js";
import { paths } from "../public-paths.js";
import { commonOffset, dateFormats, eventTime, formatLocal } from "./dates.js";
import { zoneNote } from "./follow-page.js";
import { html, type Html } from "./html.js";
import type { PageContext } from "./layout.js";
import { colorClass, eventTitle, inLanguage, offsetNote, tile } from "./upcoming-list.js";

interface RowsView extends Pick<PageContext, "language" | "root"> {
  readonly calendars: readonly Pick<PageCalendar, "id" | "uniquekey" | "title" | "timezone" | "palette_id">[];
  /** Whether each event names its calendar. */
  readonly namesCalendars: boolean;
  /** The current day, as its midnight in local time. */
  readonly today: number;
}

/** Renders events of some calendars as a list; each leads to its page. Times in several zones have their offset beside each. */
export function eventRows(series: readonly EventSeries[], view: RowsView): Html {
  const { calendars, language } = view;
  const [zone = "", ...otherZones] = new Set(calendars.map(({ timezone }) => timezone));
  const offset = commonOffset(series.map(({ event }) => event).map(shownIn({ calendars })));
  const isOneZone = otherZones.length === 0;
  const showsOffset = !isOneZone || offset === undefined;
  return html`${isOneZone ? zoneNote(language, zone, offset) : undefined}
    <ol class="events">
      ${series.map((one) => eventRow(one, { ...view, showsOffset }))}
    </ol>`;
}

function eventRow({ event, others }: EventSeries, view: RowsView & { readonly showsOffset: boolean }): Html {
  const { calendars, namesCalendars, today, language, root, showsOffset } = view;
  const calendar = calendars.find(({ id }) => id === event.calendar_id);
  if (calendar === undefined) throw new Error("an event of another calendar is shown");
  const show = shownIn({ calendars });
  const shown = show(event);
  const formats = dateFormats(language.locale);
  const { text, offset, datetime } = eventTime(shown, formats, today);
  const zone = showsOffset ? offsetNote(offset) : undefined;
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
        ><time datetime="${datetime}">${inLanguage(language, text)}${allDay}${zone}</time
        >${place}${also}</span
      ></a
    >
  </li>`;
}
