import type { PageCalendar } from "../../calendars/public-queries.js";
import { daySeconds, monthIndex, monthStart } from "../../time/formats.js";
import { paths } from "../public-paths.js";
import { firstMonth, lastMonth, type Month } from "../calendar-page.js";
import type { DayMark, ListStart } from "../month-events.js";
import type { ListedEvent, MarkedEvent } from "../public-queries.js";
import {
  type DateFormats,
  dateFormats,
  daysBeforeInWeek,
  eventTime,
  formatLocal,
  formatOffset,
  formatRange,
  hoursOn,
  machineTime,
  type ShownEvent,
} from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language, PageContext } from "./layout.js";
import { eventTitle, inLanguage, markClass, offsetNote } from "./upcoming-list.js";

/** Dots per day of the grid; more do not fit on a phone. */
const maxDots = 3;

/** Bars of events of several days, one above the other. */
const maxLanes = 2;

// Links to another month or day stay in the frame of another site; those of events leave it (frame-page.ts).
interface View extends Pick<PageContext, "language" | "root"> {
  readonly calendars: readonly MonthCalendar[];
  /** Of the address: what else it says than the month, such as `q=summer&`. */
  readonly query?: string;
  /** Whether each event names its calendar. */
  readonly namesCalendars?: boolean;
  /** Whether times are in several zones, so that readers elsewhere see the offset beside each. */
  readonly showsOffset?: boolean;
  readonly month: Month;
  readonly formats: DateFormats;
}

type MonthCalendar = Pick<PageCalendar, "id" | "uniquekey" | "palette_id" | "title">;

export function monthView(of: Omit<View, "formats">): Html {
  const { language } = of;
  const formats = dateFormats(language.locale);
  const view = { ...of, formats };
  const { index, today, events, isNamed } = view.month;
  const t = language.texts.follow;
  const { listed, next } = events;
  const runs = runsOf(listed, today, formats);
  const name = inLanguage(language, formatLocal(formats.month, monthStart(index)));
  const none = events.marks.size === 0 ? html`<p class="note">${t.noEvents}</p>` : undefined;
  const more = next === undefined ? undefined : moreLink(index, next, view);
  return html`<section id="month" class="card month" aria-labelledby="month-name">
    <div class="month-bar">
      <h2 id="month-name">${name}</h2>
      ${navigation(view)}
    </div>
    <div class="month-parts">
      ${grid(runs, view)} ${none}
      <details
        class="agenda fold narrow"
        ${isNamed ? html`open` : undefined}
        ${runs.length === 0 ? html`hidden` : undefined}
      >
        <summary>${t.allOfMonth}</summary>
        ${runs.map((run) => agendaRun(run, view))}${more}
      </details>
    </div>
  </section>`;
}

export function moreLink(
  index: number,
  start: ListStart,
  { language, query = "" }: Pick<View, "language" | "query">,
): Html {
  const date = formatLocal(dateFormats(language.locale).date, start.day);
  return html`<p>
    <a class="more-events" href="${listAddress(index, start, query)}" target="_self" rel="nofollow"
      >${language.texts.follow.moreEvents(date)}</a
    >
  </p>`;
}

function navigation({ month: { index, today }, language, formats, query = "" }: View): Html {
  const current = monthIndex(today);
  const t = language.texts.follow;
  const link = (to: number, label: string, content: Html, className: string): Html =>
    to < firstMonth || to > lastMonth
      ? html``
      : html`<a
          class="${className}"
          href="?${query}month=${monthText(to)}#month"
          target="_self"
          aria-label="${label}"
          rel="nofollow"
          >${content}</a
        >`;
  const name = (to: number): string => formatLocal(formats.month, monthStart(to));
  const arrow = (path: string): Html =>
    html`<svg class="icon" viewBox="0 0 32 32" aria-hidden="true"><path d="${path}" /></svg>`;
  const back = index === current ? undefined : link(current, t.thisMonth, html`${t.thisMonth}`, "to-today");
  return html`<nav aria-label="${t.month}">
    ${back}${link(index - 1, t.previousMonth(name(index - 1)), arrow("m19 8-8 8 8 8"), "arrow")}${link(
      index + 1,
      t.nextMonth(name(index + 1)),
      arrow("m13 8 8 8-8 8"),
      "arrow",
    )}
  </nav>`;
}

export function monthText(index: number): string {
  return machineTime(monthStart(index)).slice(0, 7);
}

export function listAddress(index: number, { day, page }: ListStart, query: string): string {
  const from = page === 1 ? "" : `&page=${page}`;
  return `?${query}month=${monthText(index)}&day=${dayNumber(day)}${from}#day-${dayNumber(day)}`;
}

function dayNumber(day: number): number {
  return new Date(day * 1000).getUTCDate();
}

function grid(runs: readonly Run[], view: View): Html {
  const { formats } = view;
  const { days, marks } = view.month.events;
  const first = days[0] ?? 0;
  const before = daysBeforeInWeek(first, formats);
  const weeks = Array.from({ length: Math.ceil((before + days.length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, column) => days[week * 7 + column - before]),
  );
  const names = Array.from({ length: 7 }, (_, column) => first + (column - before) * daySeconds);
  const lanes = lanesOf(days, marks);
  const cell = (day = 0): Cell => ({
    mark: marks.get(day),
    lanes,
    run: runs.find(({ first, last }) => first <= day && day <= last),
  });
  const rows = weeks.map(
    (week) =>
      html`<tr>
        ${week.map((day) => dayCell(day, cell(day), view))}
      </tr>`,
  );
  return html`<table aria-labelledby="month-name">
    <thead>
      <tr>
        ${names.map((day) => weekdayHead(day, view))}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function weekdayHead(day: number, { language, formats }: View): Html {
  return html`<th scope="col">
    <abbr title="${formatLocal(formats.longWeekday, day)}"
      >${inLanguage(language, formatLocal(formats.columnWeekday, day))}</abbr
    >
  </th>`;
}

/** Returns the line on which each event of several days is a bar. It keeps it on all its days; what finds no line has dots. */
function lanesOf(days: readonly number[], marks: ReadonlyMap<number, DayMark>): ReadonlyMap<number, number> {
  const lanes = new Map<number, number>();
  for (const day of days) {
    const events = marks.get(day)?.events ?? [];
    const taken = new Set(events.map(({ event }) => lanes.get(event.id)));
    for (const { event, firstDay, lastDay } of events) {
      const free = Array.from({ length: maxLanes }, (_, lane) => lane).find((lane) => !taken.has(lane));
      if (firstDay === lastDay || lanes.has(event.id) || free === undefined) continue;
      lanes.set(event.id, free);
      taken.add(free);
    }
  }
  return lanes;
}

/** Renders a day's part of each bar, and an empty line above one whose upper neighbour has ended. */
function barsOn(day: number, { mark, lanes }: Cell, view: View): Html | undefined {
  const parts: Html[] = [];
  for (const { event, firstDay, lastDay } of mark?.events ?? []) {
    const lane = lanes.get(event.id);
    const ends = `${day === firstDay ? " from" : ""}${day === lastDay ? " to" : ""}`;
    if (lane !== undefined)
      parts[lane] = html`<i class="bar ${markClass(calendarOf(event, view), event)}${ends}"></i>`;
  }
  if (parts.length === 0) return undefined;
  return html`<span class="bars">${Array.from(parts, (part) => part ?? html`<i class="bar"></i>`)}</span>`;
}

function calendarOf(event: Pick<MarkedEvent, "calendar_id">, { calendars }: View): MonthCalendar {
  const found = calendars.find(({ id }) => id === event.calendar_id);
  if (found === undefined) throw new Error("an event of another calendar is shown");
  return found;
}

interface Cell {
  readonly lanes: ReadonlyMap<number, number>;
  readonly mark: DayMark | undefined;
  /** Where the list on this page has the day; undefined when it has not. */
  readonly run: Run | undefined;
}

function dayCell(day: number | undefined, of: Cell, view: View): Html {
  if (day === undefined) return html`<td></td>`;
  const { language, formats, query = "" } = view;
  const { mark, run, lanes } = of;
  const { index, today, isNamed } = view.month;
  const number = inLanguage(language, formatLocal(formats.day, day));
  const currentMark = day === today ? html` aria-current="date"` : html``;
  if (mark === undefined) return html`<td${currentMark}><span class="day">${number}</span></td>`;
  const { events, isComplete } = mark;
  const date = formatLocal(formats.longDate, day);
  const label = isComplete ? `${date}: ${countOnDay(events, language)}` : date;
  const dotted = events.filter(({ event }) => !lanes.has(event.id));
  const isFull = !isComplete || dotted.length > maxDots;
  const dots = dotted
    .slice(0, isFull ? maxDots - 1 : maxDots)
    .map(({ event }) => html`<i class="dot ${markClass(calendarOf(event, view), event)}"></i>`);
  const rest = isFull ? html`<i class="dot-more"></i>` : undefined;
  const here = isNamed ? "" : `?${query}month=${monthText(index)}`; // where the list is open
  const address = run === undefined ? listAddress(index, { day, page: 1 }, query) : `${here}#${runId(run)}`;
  return html`<td${currentMark}><a class="day" href="${address}" target="_self" aria-label="${label}">${number}${barsOn(day, of, view)}<span class="dots">${dots}${rest}</span></a></td>`;
}

/** How many events a day has, and of what status: what the shapes of the dots show. */
function countOnDay(events: readonly ShownEvent<MarkedEvent>[], { texts }: Language): string {
  const { eventsOnDay, statusOnDay } = texts.follow;
  const ofStatus = (["cancelled", "tentative"] as const).flatMap((status) => {
    const count = events.filter(({ event }) => event.status === status).length;
    return count === 0 ? [] : statusOnDay[status](count);
  });
  return [eventsOnDay(events.length), ...ofStatus].join(", ");
}

/** Days in a row on which the same events last all day: the list shows them once. Days are midnights in local time. */
interface Run {
  readonly first: number;
  readonly last: number;
  readonly events: readonly ShownEvent<ListedEvent>[];
}

/** Returns the runs of the listed days. The current day is a run of its own, so that it keeps its mark. */
function runsOf(
  listed: ReadonlyMap<number, readonly ShownEvent<ListedEvent>[]>,
  today: number,
  formats: DateFormats,
): readonly Run[] {
  const runs: Run[] = [];
  const lastsAllDay = (day: number, events: readonly ShownEvent<ListedEvent>[]): boolean =>
    events.every((shown) => hoursOn(day, shown, formats) === undefined);
  for (const [day, events] of listed) {
    const run = runs.at(-1);
    const goesOn =
      run !== undefined &&
      run.last === day - daySeconds &&
      run.last !== today &&
      day !== today &&
      lastsAllDay(run.last, run.events) &&
      lastsAllDay(day, events) &&
      idsOf(run.events) === idsOf(events);
    if (goesOn) runs[runs.length - 1] = { ...run, last: day };
    else runs.push({ first: day, last: day, events });
  }
  return runs;
}

function idsOf(events: readonly ShownEvent<ListedEvent>[]): string {
  return events.map(({ event }) => event.id).join();
}

function runId({ first }: Run): string {
  return `day-${new Date(first * 1000).getUTCDate()}`;
}

/** Returns when an event is on a day: its hours, or from when to when it is if it is in several months, since a list shows only one. */
function timeOn(day: number, shown: ShownEvent, { formats, month }: View): string | undefined {
  const isOfOneMonth = monthIndex(shown.firstDay) === monthIndex(shown.lastDay);
  return isOfOneMonth ? hoursOn(day, shown, formats) : eventTime(shown, formats, month.today).text;
}

function agendaRun(run: Run, view: View): Html {
  const { language, formats, root, namesCalendars = false, showsOffset = false } = view;
  const { first, last, events } = run;
  const t = language.texts.follow;
  const date =
    first === last
      ? html`<time datetime="${machineTime(first)}"
          >${inLanguage(language, formatLocal(formats.date, first))}</time
        >`
      : inLanguage(language, formatRange(formats.date, first, last));
  const mark = first === view.month.today ? html` <span class="badge">${t.today}</span>` : undefined;
  const items = events.map((shown) => {
    const found = timeOn(first, shown, view);
    const time = found === undefined ? html`${t.allDay}` : inLanguage(language, found);
    const hasHours = found !== undefined && !shown.isAllDay;
    const zone = showsOffset && hasHours ? offsetNote(formatOffset(shown.offset)) : undefined;
    const calendar = calendarOf(shown.event, view);
    const name = namesCalendars
      ? html`<span class="agenda-calendar" dir="auto">${calendar.title}</span>`
      : undefined;
    return html`<li class="${markClass(calendar, shown.event)}">
      <a class="agenda-title" href="${root}${paths.event(calendar.uniquekey, shown.event.uid)}" dir="auto"
        >${eventTitle(shown.event, language)}</a
      >
      <span class="agenda-time">${time}${zone}</span>${name}
    </li>`;
  });
  return html`<div class="agenda-day" id="${runId(run)}">
    <h3>${date}${mark}</h3>
    <ul>
      ${items}
    </ul>
  </div>`;
}
