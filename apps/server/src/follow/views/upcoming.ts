import { paletteColors } from "../../calendars/palettes.js";
import type { CalendarRow, EventRow } from "../../db/rows.js";
import { dateFormats, formatLocal } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { eventTime, type ShownEvent } from "./shown-events.js";
import { richText, splitText } from "./text.js";

/** The part of an event's description that is shown; the feed has all of it. */
const descriptionLength = 500;

/** Returns the class with the event's colour; "plain" when the event has none. */
export function colorClass({ palette_id }: Pick<CalendarRow, "palette_id">, { color_id }: EventRow): string {
  const isKnown = paletteColors(palette_id)[Number(color_id) - 1] !== undefined;
  return isKnown ? `p${palette_id}-${color_id}` : "plain";
}

/** Renders a date, marked when its language is not that of the page. */
export function inLanguage({ foreign }: Language, text: string): Html {
  if (foreign === undefined) return html`${text}`;
  return html`<span lang="${foreign.lang}" dir="${foreign.dir}">${text}</span>`;
}

interface ListOptions {
  /** The current day, as its midnight in local time. */
  readonly today: number;
  /** Whether each event shows its offset from UTC. */
  readonly showsOffset: boolean;
}

/** Renders the upcoming events as a list; those with details can be expanded. */
export function upcomingList(
  calendar: CalendarRow,
  events: readonly ShownEvent[],
  options: ListOptions,
  language: Language,
): Html {
  const items = events.map((shown) => {
    const row = shown.event;
    const head = eventHead(shown, options, language);
    const details = eventDetails(row, language);
    const color = colorClass(calendar, row);
    if (details === undefined)
      return html`<li class="event ${color}"><div class="event-head">${head}</div></li>`;
    return html`<li class="event ${color}">
      <details>
        <summary class="event-head">${head}</summary>
        <div class="event-more">${details}</div>
      </details>
    </li>`;
  });
  return html`<ol class="events">
    ${items}
  </ol>`;
}

function eventHead(shown: ShownEvent, { today, showsOffset }: ListOptions, language: Language): Html {
  const formats = dateFormats(language.locale);
  const { event, firstDay } = shown;
  const { text, offset, datetime } = eventTime(shown, formats, today);
  const location =
    event.location === "" ? undefined : html`<span class="location" dir="auto">${event.location}</span>`;
  const zone =
    offset === undefined || !showsOffset ? undefined : html` <span class="offset">${offset}</span>`;
  const allDay = shown.isAllDay ? html` · ${language.texts.follow.allDay}` : undefined;
  return html`<span class="tile" aria-hidden="true"
      ><span class="tile-month">${inLanguage(language, formatLocal(formats.shortMonth, firstDay))}</span
      ><span class="tile-day">${inLanguage(language, formatLocal(formats.day, firstDay))}</span></span
    ><span class="event-text"
      ><strong class="event-title" dir="auto">${event.title}</strong
      ><time datetime="${datetime}">${inLanguage(language, text)}${allDay}${zone}</time>${location}</span
    >`;
}

/** Returns undefined when the event has no details. */
function eventDetails(event: EventRow, { texts }: Language): Html | undefined {
  const { description, organizer, location } = event;
  const linkedLocation = /https?:\/\//i.test(location)
    ? html`<p dir="auto">${richText(location)}</p>`
    : undefined;
  if (description === "" && organizer === "" && linkedLocation === undefined) return undefined;
  const [beginning, rest] = splitText(description, descriptionLength);
  const text =
    description === ""
      ? undefined
      : html`<p class="text" dir="auto">${richText(beginning)}${rest === "" ? "" : "…"}</p>`;
  const byline =
    organizer === "" ? undefined : html`<p>${texts.follow.organizer}: <bdi>${organizer}</bdi></p>`;
  return html`${text}${linkedLocation}${byline}`;
}
