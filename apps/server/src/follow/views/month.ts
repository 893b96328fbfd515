import type { CalendarRow, EventRow } from "../../db/rows.js";
import { monthIndex, monthStart } from "../../time/formats.js";
import { type DateWriter, machineTime, write } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { hoursOn, type ShownEvent, shownEvent } from "./shown-events.js";
import { colorClass, inLanguage } from "./upcoming.js";

const daySeconds = 86_400;

/** The years that events may have (rulings R4.2). */
const firstMonth = 1900 * 12;
const lastMonth = 9999 * 12 + 11;

/** Dots in a day of the grid; more would not fit on a phone. */
const mostDots = 3;

/** Lines of the list of days: an event of many days has one on each. */
const mostLines = 300;

export interface Month {
  /** year * 12 + month - 1. */
  readonly index: number;
  /** The present day: midnight on the calendar's wall clock. */
  readonly today: number;
  /** More events than were read. */
  readonly isCut: boolean;
}

/** The month of a query such as 2026-11; undefined when it is none. */
export function parseMonth(text: string): number | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  const index = Number(year) * 12 + Number(month) - 1;
  return index >= firstMonth && index <= lastMonth ? index : undefined;
}

/** One month as a table of days and a list of its events. */
export function monthView(
  calendar: CalendarRow,
  rows: readonly EventRow[],
  { index, today, isCut }: Month,
  language: Language,
  writer: DateWriter,
): Html {
  const words = language.texts.follow;
  const days = daysOf(index);
  const { byDay, isWhole } = eventsByDay(
    rows.map((row) => shownEvent(row, calendar.timezone)),
    days,
  );
  const name = inLanguage(language, write(writer.month, monthStart(index)));
  const listed = days.filter((day) => byDay.has(day));
  const none = listed.length === 0 ? html`<p class="note">${words.noEvents}</p>` : undefined;
  const more = isCut || !isWhole ? html`<p class="note">${words.moreEvents}</p>` : undefined;
  return html`<section id="month" class="card month" aria-labelledby="month-name">
    <div class="month-bar">
      <h2 id="month-name">${name}</h2>
      ${navigation(index, monthIndex(today), language, writer)}
    </div>
    <div class="month-parts">
      ${grid(days, byDay, { today, calendar, language, writer })}
      <div class="agenda">
        ${listed.map((day) => agendaDay(day, byDay.get(day) ?? [], { today, calendar, language, writer }))}
        ${none}${more}
      </div>
    </div>
  </section>`;
}

interface View {
  readonly today: number;
  readonly calendar: CalendarRow;
  readonly language: Language;
  readonly writer: DateWriter;
}

type EventsByDay = ReadonlyMap<number, readonly ShownEvent[]>;

/** Midnights of the month's days. */
function daysOf(index: number): readonly number[] {
  const start = monthStart(index);
  const length = (monthStart(index + 1) - start) / daySeconds;
  return Array.from({ length }, (_, day) => start + day * daySeconds);
}

/** Each event on every day that it covers, from the first day on as far as they fit. */
function eventsByDay(
  events: readonly ShownEvent[],
  days: readonly number[],
): { readonly byDay: EventsByDay; readonly isWhole: boolean } {
  const byDay = new Map<number, ShownEvent[]>();
  let left = mostLines;
  for (const day of days) {
    const found = events.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
    if (found.length > left) return { byDay, isWhole: false };
    left -= found.length;
    if (found.length > 0) byDay.set(day, found);
  }
  return { byDay, isWhole: true };
}

function navigation(index: number, present: number, language: Language, writer: DateWriter): Html {
  const words = language.texts.follow;
  const link = (to: number, label: string, content: Html, className: string): Html =>
    to < firstMonth || to > lastMonth
      ? html``
      : html`<a class="${className}" href="?month=${monthName(to)}#month" aria-label="${label}" rel="nofollow"
          >${content}</a
        >`;
  const name = (to: number): string => write(writer.month, monthStart(to));
  const arrow = (path: string): Html =>
    html`<svg class="icon" viewBox="0 0 32 32" aria-hidden="true"><path d="${path}" /></svg>`;
  const back =
    index === present ? undefined : link(present, words.thisMonth, html`${words.thisMonth}`, "to-today");
  return html`<nav aria-label="${words.month}">
    ${back}${link(index - 1, words.previousMonth(name(index - 1)), arrow("m19 8-8 8 8 8"), "arrow")}${link(
      index + 1,
      words.nextMonth(name(index + 1)),
      arrow("m13 8 8 8-8 8"),
      "arrow",
    )}
  </nav>`;
}

/** 2026-11 */
function monthName(index: number): string {
  return machineTime(monthStart(index)).slice(0, 7);
}

function grid(days: readonly number[], byDay: EventsByDay, view: View): Html {
  const { language, writer } = view;
  const first = days[0] ?? 0;
  // 1970-01-01 was a Thursday: weekday 4 of 1 (Monday) to 7.
  const weekday = ((first / daySeconds + 3) % 7) + 1;
  const before = (weekday - writer.firstWeekday + 7) % 7;
  const weeks = Array.from({ length: Math.ceil((before + days.length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, column) => days[week * 7 + column - before]),
  );
  const names = Array.from({ length: 7 }, (_, column) => first + (column - before) * daySeconds);
  const heads = names.map(
    (day) =>
      html`<th scope="col">
        <abbr title="${write(writer.longWeekday, day)}"
          >${inLanguage(language, write(writer.weekday, day))}</abbr
        >
      </th>`,
  );
  const rows = weeks.map(
    (week) =>
      html`<tr>
        ${week.map((day) => dayCell(day, byDay, view))}
      </tr>`,
  );
  return html`<table aria-labelledby="month-name">
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function dayCell(day: number | undefined, byDay: EventsByDay, view: View): Html {
  if (day === undefined) return html`<td></td>`;
  const { today, calendar, language, writer } = view;
  const events = byDay.get(day) ?? [];
  const number = inLanguage(language, write(writer.day, day));
  const current = day === today ? html` aria-current="date"` : html``;
  if (events.length === 0) return html`<td${current}><span class="day">${number}</span></td>`;
  const label = `${write(writer.longDate, day)}: ${language.texts.follow.eventsOnDay(events.length)}`;
  const isFull = events.length > mostDots;
  const dots = events
    .slice(0, isFull ? mostDots - 1 : mostDots)
    .map(({ event }) => html`<i class="dot ${colorClass(calendar, event)}"></i>`);
  const rest = isFull ? html`<i class="dot-more"></i>` : undefined;
  return html`<td${current}><a class="day" href="#day-${new Date(day * 1000).getUTCDate()}" aria-label="${label}">${number}<span class="dots">${dots}${rest}</span></a></td>`;
}

function agendaDay(day: number, events: readonly ShownEvent[], view: View): Html {
  const { today, calendar, language, writer } = view;
  const words = language.texts.follow;
  const mark = day === today ? html` <span class="badge">${words.today}</span>` : undefined;
  const items = events.map((shown) => {
    const found = hoursOn(day, shown, writer);
    const time = found === undefined ? html`${words.allDay}` : inLanguage(language, found);
    return html`<li class="${colorClass(calendar, shown.event)}">
      <i class="dot"></i><span class="agenda-title" dir="auto">${shown.event.title}</span>
      <span class="agenda-time">${time}</span>
    </li>`;
  });
  return html`<div class="agenda-day" id="day-${new Date(day * 1000).getUTCDate()}">
    <h3>
      <time datetime="${machineTime(day)}">${inLanguage(language, write(writer.date, day))}</time>${mark}
    </h3>
    <ul>
      ${items}
    </ul>
  </div>`;
}
