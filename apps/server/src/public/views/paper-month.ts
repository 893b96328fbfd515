import { daySeconds, monthIndex, monthStart } from "../../time/formats.js";
import { firstMonth, lastMonth } from "../calendar-page.js";
import type { MonthEvents } from "../month-events.js";
import { paths } from "../public-paths.js";
import type { ListedEvent } from "../public-queries.js";
import {
  type DateFormats,
  dateFormats,
  daysBeforeInWeek,
  formatLocal,
  machineTime,
  type ShownEvent,
} from "./dates.js";
import { html, type Html } from "./html.js";
import { listAddress, monthText } from "./month.js";
import { paper, type PaperView, sheetHead } from "./paper.js";
import { eventTitle, inLanguage, markClass } from "./upcoming-list.js";

interface MonthView extends PaperView {
  readonly month: MonthEvents;
  /** year * 12 + month - 1. */
  readonly index: number;
}

/** A month at A4: each event stands on its day, one of several days is a bar over them. */
export function monthOnPaper(view: MonthView): Html {
  const { month, index, language, baseUrl, calendar } = view;
  const formats = dateFormats(language.locale);
  const name = formatLocal(formats.month, monthStart(index));
  const weeks = weeksOf(month.days, formats);
  const heads = (weeks[0] ?? []).map(
    (day) => html`<th scope="col">${inLanguage(language, formatLocal(formats.longWeekday, day))}</th>`,
  );
  const more =
    month.next === undefined
      ? undefined
      : html`<p class="note">
          <a href="${listAddress(index, month.next, "")}"
            >${language.texts.follow.moreEvents(formatLocal(formats.date, month.next.day))}</a
          >
        </p>`;
  return paper(view, "month", {
    title: name,
    tools: turning(view, formats),
    body: html`${sheetHead(view, html`<p class="sheet-of">${inLanguage(language, name)}</p>`)}
      <div class="sheet-scroll" tabindex="0" role="group" aria-label="${name}">
        <table class="month-sheet">
          <thead>
            <tr>
              ${heads}
            </tr>
          </thead>
          ${weeks.map((week) => weekRows(week, view, formats))}
        </table>
      </div>
      ${more}
      <p class="sheet-foot">${baseUrl}${paths.page(calendar.uniquekey)}</p>`,
  });
}

/** Returns the days of each week, those of the months before and after included. */
function weeksOf(days: readonly number[], formats: DateFormats): readonly (readonly number[])[] {
  const [first = 0] = days;
  const before = daysBeforeInWeek(first, formats);
  const start = first - before * daySeconds;
  const weeks = Math.ceil((before + days.length) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, column) => start + (week * 7 + column) * daySeconds),
  );
}

function turning({ index, language, root, calendar }: MonthView, formats: DateFormats): Html {
  const t = language.texts.follow;
  const link = (to: number, label: (month: string) => string, sign: string): Html | undefined => {
    if (to < firstMonth || to > lastMonth) return undefined;
    const name = formatLocal(formats.month, monthStart(to));
    const address = `${root}${paths.print(calendar.uniquekey)}?month=${monthText(to)}`;
    return html`<li><a href="${address}" rel="nofollow" aria-label="${label(name)}">${sign}</a></li>`;
  };
  return html`<ul>
    ${link(index - 1, t.previousMonth, "←")} ${link(index + 1, t.nextMonth, "→")}
  </ul>`;
}

type Listed = ShownEvent<ListedEvent>;

/** Renders a week: its dates, a row for each line of bars, and what is on each day. */
function weekRows(week: readonly number[], view: MonthView, formats: DateFormats): Html {
  const { month, index, language } = view;
  const isOutside = (day: number): boolean => monthIndex(day) !== index;
  const dates = week.map(
    (day) =>
      html`<th scope="col" class="${isOutside(day) ? "outside" : ""}">
        <time datetime="${machineTime(day)}">${inLanguage(language, formatLocal(formats.day, day))}</time>
      </th>`,
  );
  const all = new Map(week.flatMap((day) => month.listed.get(day) ?? []).map((one) => [one.event.id, one]));
  const long = [...all.values()].filter(({ firstDay, lastDay }) => firstDay !== lastDay);
  const days = week.map((day) => {
    const events = (month.listed.get(day) ?? []).filter(({ firstDay, lastDay }) => firstDay === lastDay);
    const items = events.map((shown) => item(shown, view, formats));
    return html`<td class="${isOutside(day) ? "outside" : ""}">
      ${
        items.length === 0
          ? undefined
          : html`<ul>
              ${items}
            </ul>`
      }
    </td>`;
  });
  return html`<tbody>
    <tr class="day-numbers">
      ${dates}
    </tr>
    ${lanesOf(long, week).map((lane) => barRow(lane, week, view, formats))}
    <tr>
      ${days}
    </tr>
  </tbody>`;
}

/** Puts events of several days on as few lines as there is room for. */
function lanesOf(events: readonly Listed[], week: readonly number[]): readonly (readonly Listed[])[] {
  const lanes: Listed[][] = [];
  const [monday = 0] = week;
  for (const shown of events.toSorted((one, other) => one.firstDay - other.firstDay)) {
    const free = lanes.find((lane) => (lane.at(-1)?.lastDay ?? 0) < Math.max(shown.firstDay, monday));
    if (free === undefined) lanes.push([shown]);
    else free.push(shown);
  }
  return lanes;
}

function barRow(
  lane: readonly Listed[],
  week: readonly number[],
  view: MonthView,
  formats: DateFormats,
): Html {
  const { calendar, language, index } = view;
  const [first = 0] = week;
  const cells: Html[] = [];
  const leaveFree = (from: number, to: number): void => {
    for (const day of week.slice(from, to))
      cells.push(html`<td class="${monthIndex(day) === index ? "" : "outside"}"></td>`);
  };
  let column = 0;
  for (const shown of lane) {
    const { event, firstDay, lastDay } = shown;
    const from = Math.max(0, Math.round((firstDay - first) / daySeconds));
    const to = Math.min(6, Math.round((lastDay - first) / daySeconds));
    leaveFree(column, from);
    const time = firstDay < first ? undefined : startTime(shown, view, formats);
    cells.push(
      html`<td colspan="${to - from + 1}">
        <p class="span ${markClass(calendar, event)}" dir="auto">${time}${eventTitle(event, language)}</p>
      </td>`,
    );
    column = to + 1;
  }
  leaveFree(column, 7);
  return html`<tr class="spans">
    ${cells}
  </tr>`;
}

function item(shown: Listed, view: MonthView, formats: DateFormats): Html {
  return html`<li class="${markClass(view.calendar, shown.event)}" dir="auto">
    ${startTime(shown, view, formats)}${eventTitle(shown.event, view.language)}
  </li>`;
}

/** A cell has room for when an event begins; how long it lasts is on its page. */
function startTime(
  { isAllDay, start }: Listed,
  { language }: MonthView,
  formats: DateFormats,
): Html | undefined {
  if (isAllDay) return undefined;
  return html`<span class="at">${inLanguage(language, formatLocal(formats.time, start))}</span> `;
}
