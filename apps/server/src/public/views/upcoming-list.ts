import { paletteColors } from "../../calendars/palettes.js";
import type { CalendarRow, EventRow } from "../../db/rows.js";
import { paths } from "../public-paths.js";
import { mostDates } from "../calendar-page.js";
import type { ListedEvent, UpcomingEvent } from "../public-queries.js";
import { dateFormats, eventTime, formatLocal, type ShownEvent } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./layout.js";
import { richText, shortText, splitText } from "./text.js";

/** The part of an event's description that is shown; the feed has all of it. */
const descriptionLength = 500;

/** Returns the class with the event's colour; "plain" when the event has none. */
export function colorClass(
  { palette_id }: Pick<CalendarRow, "palette_id">,
  { color_id }: Pick<EventRow, "color_id">,
): string {
  const isKnown = paletteColors(palette_id)[Number(color_id) - 1] !== undefined;
  return isKnown ? `p${palette_id}-${color_id}` : "plain";
}

/** Returns the classes of an event's mark: its colour and, unless it is confirmed, its status, which gives the mark a shape. */
export function markClass(
  calendar: Pick<CalendarRow, "palette_id">,
  event: Pick<EventRow, "color_id" | "status">,
): string {
  const color = colorClass(calendar, event);
  return event.status === "confirmed" ? color : `${event.status} ${color}`;
}

/** Renders the title of an event: struck through when it is cancelled, after a word that says so. */
export function eventTitle({ title, status }: Pick<EventRow, "title" | "status">, { texts }: Language): Html {
  if (status === "confirmed") return html`${title}`;
  // Isolated, so that the title alone decides its direction.
  const word = html`<bdi class="badge ${status}">${texts.follow.status[status]}</bdi>`;
  return status === "cancelled" ? html`${word} <s>${title}</s>` : html`${word} ${title}`;
}

/** Renders a date, marked when its language is not that of the page. */
export function inLanguage({ foreign }: Language, text: string): Html {
  if (foreign === undefined) return html`${text}`;
  return html`<span lang="${foreign.lang}" dir="${foreign.dir}">${text}</span>`;
}

/** Renders the categories of an event, each with a direction of its own. */
export function categoryNames(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index === 0 ? "" : " · "}<bdi>${name}</bdi>`)}`;
}

/** An event with its categories and the next ones of its series. */
export interface ShownEntry extends ShownEvent<UpcomingEvent> {
  readonly categories: readonly string[];
  readonly others: readonly ShownEvent<ListedEvent>[];
}

interface ListOptions {
  /** The current day, as its midnight in local time. */
  readonly today: number;
  /** Whether the times have several offsets from UTC, which readers elsewhere see beside each. */
  readonly showsOffset: boolean;
  /** Whether the dates of each series are all there are. */
  readonly isComplete: boolean;
  readonly root: string;
}

/** Titles at the top of the page leave the button below in sight. */
const topTitleLength = 90;

/** Renders the event that is next, unless it is cancelled, as what a visitor sees first. */
export function upNext(
  { uniquekey }: Pick<CalendarRow, "uniquekey">,
  events: readonly ShownEntry[],
  { today, root }: Pick<ListOptions, "today" | "root">,
  language: Language,
): Html | undefined {
  const [shown] = events.filter(({ event }) => event.status !== "cancelled");
  if (shown === undefined) return undefined;
  const { title, location, uid, status } = shown.event;
  const { text, datetime } = eventTime(shown, dateFormats(language.locale), today);
  const short = { title: shortText(title, topTitleLength), status };
  const place =
    location === ""
      ? undefined
      : html`<span class="location" dir="auto">${shortText(location, topTitleLength)}</span>`;
  return html`<a class="up-next" href="${root}${paths.event(uniquekey, uid)}"
    >${tile(shown, language)}<span class="event-text"
      ><span class="up-next-label">${language.texts.follow.upNext}</span
      ><strong class="event-title" dir="auto">${eventTitle(short, language)}</strong
      ><time datetime="${datetime}">${inLanguage(language, text)}</time>${place}</span
    ></a
  >`;
}

/** Renders a date as a leaf of a calendar. */
export function tile({ firstDay }: ShownEvent, language: Language): Html {
  const { shortMonth, day } = dateFormats(language.locale);
  return html`<span class="tile" aria-hidden="true"
    ><span class="tile-month">${inLanguage(language, formatLocal(shortMonth, firstDay))}</span
    ><span class="tile-day">${inLanguage(language, formatLocal(day, firstDay))}</span></span
  >`;
}

/** Renders the offset of a time from UTC; page.js shows it to readers whose clock differs. */
export function offsetNote(offset: string | undefined): Html | undefined {
  return offset === undefined ? undefined : html` <span class="offset" data-zone hidden>${offset}</span>`;
}

/** Renders the upcoming events as a list; each can be expanded. */
export function upcomingList(
  calendar: Pick<CalendarRow, "uniquekey" | "palette_id">,
  events: readonly ShownEntry[],
  options: ListOptions,
  language: Language,
): Html {
  const texts = language.texts.event;
  const items = events.map((shown) => {
    const row = shown.event;
    const page = options.root + paths.event(calendar.uniquekey, row.uid);
    return html`<li class="event ${markClass(calendar, row)}">
      <details>
        <summary class="event-head">${eventHead(shown, options, language)}</summary>
        <div class="event-more">
          ${otherDates(calendar, shown, options, language)} ${eventDetails(row, language)}
          <p>
            <a class="open-event" href="${page}"
              >${row.status === "cancelled" ? texts.openCancelled : texts.open}</a
            >
          </p>
        </div>
      </details>
    </li>`;
  });
  return html`<ol class="events">
    ${items}
  </ol>`;
}

function eventHead(
  shown: ShownEntry,
  { today, showsOffset, isComplete }: ListOptions,
  language: Language,
): Html {
  const formats = dateFormats(language.locale);
  const { event, categories } = shown;
  const { text, offset, datetime } = eventTime(shown, formats, today);
  const location =
    event.location === "" ? undefined : html`<span class="location" dir="auto">${event.location}</span>`;
  const names =
    categories.length === 0 ? undefined : html`<span class="names">${categoryNames(categories)}</span>`;
  const zone = showsOffset ? offsetNote(offset) : undefined;
  const allDay = shown.isAllDay ? html` · ${language.texts.follow.allDay}` : undefined;
  const also =
    shown.others.length === 0
      ? undefined
      : html`<span class="also">${alsoOn(shown.others, isComplete, language)}</span>`;
  const when = html`<time datetime="${datetime}">${inLanguage(language, text)}${allDay}${zone}</time>`;
  return html`${tile(shown, language)}<span class="event-text"
      ><strong class="event-title" dir="auto">${eventTitle(event, language)}</strong
      >${when}${location}${names}${also}</span
    >`;
}

/** Names the next dates of a series and says how many follow, which are in the details. */
function alsoOn(others: readonly ShownEvent[], isComplete: boolean, language: Language): Html {
  const { also, alsoMore } = language.texts.event;
  const { shortDate } = dateFormats(language.locale);
  const named = others
    .slice(0, mostDates)
    .map(({ firstDay: day }) => formatLocal(shortDate, day).replaceAll(" ", "\u00a0"));
  const left = others.length - named.length;
  const more = left > 0 || !isComplete ? html` ${alsoMore(isComplete ? left : undefined)}` : undefined;
  return html`${also}${language.texts.colon} ${inLanguage(language, named.join(" · "))}${more}`;
}

/** The dates of a series, each a link to its page. */
function otherDates(
  { uniquekey }: Pick<CalendarRow, "uniquekey">,
  { others }: ShownEntry,
  { root }: ListOptions,
  language: Language,
): Html | undefined {
  if (others.length === 0) return undefined;
  const formats = dateFormats(language.locale);
  const links = others.map(
    (other) =>
      html`<li>
        <a href="${root}${paths.event(uniquekey, other.event.uid)}"
          >${inLanguage(language, formatLocal(formats.date, other.firstDay))}</a
        >
      </li>`,
  );
  return html`<ul class="dates">
    ${links}
  </ul>`;
}

/** Returns undefined when the event has no more than its head shows. */
function eventDetails(event: UpcomingEvent, { texts }: Language): Html | undefined {
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
    organizer === ""
      ? undefined
      : html`<p>${texts.follow.organizer}${texts.colon} <bdi>${organizer}</bdi></p>`;
  return html`${text}${linkedLocation}${byline}`;
}
