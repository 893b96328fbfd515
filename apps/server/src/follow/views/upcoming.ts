import { paletteColors } from "../../calendars/palettes.js";
import type { CalendarRow, EventRow } from "../../db/rows.js";
import { dateWriter, write } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { type ShownEvent, shownEvent, when } from "./shown-events.js";
import { richText, splitText } from "./text.js";

/** What is shown of an event's description; the feed has all of it. */
const descriptionLength = 500;

/** The class that gives an element the event's colour; an event without one has the neutral colour of the stylesheet. */
export function colorClass({ palette_id }: Pick<CalendarRow, "palette_id">, { color_id }: EventRow): string {
  const isKnown = paletteColors(palette_id)[Number(color_id) - 1] !== undefined;
  return isKnown ? `p${palette_id}-${color_id}` : "plain";
}

/** Attributes for dates in a language that the page has no words in. */
export function inLanguage({ foreign }: Language, text: string): Html {
  if (foreign === undefined) return html`${text}`;
  return html`<span lang="${foreign.lang}" dir="${foreign.dir}">${text}</span>`;
}

/** The next events as a list; those with more to tell can be opened. */
export function upcomingList(
  calendar: CalendarRow,
  rows: readonly EventRow[],
  today: number,
  language: Language,
): Html {
  const items = rows.map((row) => {
    const shown = shownEvent(row, calendar.timezone);
    const head = eventHead(shown, today, language);
    const more = eventDetails(row, language);
    const color = colorClass(calendar, row);
    if (more === undefined)
      return html`<li class="event ${color}"><div class="event-head">${head}</div></li>`;
    return html`<li class="event ${color}">
      <details>
        <summary class="event-head">${head}</summary>
        <div class="event-more">${more}</div>
      </details>
    </li>`;
  });
  return html`<ol class="events">
    ${items}
  </ol>`;
}

function eventHead(shown: ShownEvent, today: number, language: Language): Html {
  const writer = dateWriter(language.locale);
  const { event, firstDay } = shown;
  const { text, offset, datetime } = when(shown, writer, today);
  const place =
    event.location === "" ? undefined : html`<span class="place" dir="auto">${event.location}</span>`;
  const zone = offset === undefined ? undefined : html` <span class="offset">${offset}</span>`;
  const allDay = shown.isAllDay ? html` · ${language.texts.follow.allDay}` : undefined;
  return html`<span class="leaf" aria-hidden="true"
      ><span class="leaf-month">${inLanguage(language, write(writer.shortMonth, firstDay))}</span
      ><span class="leaf-day">${inLanguage(language, write(writer.day, firstDay))}</span></span
    ><span class="event-text"
      ><strong class="event-title" dir="auto">${event.title}</strong
      ><time datetime="${datetime}">${inLanguage(language, text)}${allDay}${zone}</time>${place}</span
    >`;
}

/** Undefined when there is nothing beyond the head. */
function eventDetails(event: EventRow, { texts }: Language): Html | undefined {
  const { description, organizer, location } = event;
  const linkedPlace = /https?:\/\//i.test(location)
    ? html`<p dir="auto">${richText(location)}</p>`
    : undefined;
  if (description === "" && organizer === "" && linkedPlace === undefined) return undefined;
  const [beginning, rest] = splitText(description, descriptionLength);
  const text =
    description === ""
      ? undefined
      : html`<p class="text" dir="auto">${richText(beginning)}${rest === "" ? "" : "…"}</p>`;
  const by = organizer === "" ? undefined : html`<p>${texts.follow.organizer}: <bdi>${organizer}</bdi></p>`;
  return html`${text}${linkedPlace}${by}`;
}
