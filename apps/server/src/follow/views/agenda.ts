import type { PageCalendar } from "../../calendars/public.js";
import { monthIndex } from "../../time/formats.js";
import { paths } from "../addresses.js";
import type { ListedEvent } from "../queries.js";
import { type DateFormats, formatLocal, formatRange, machineTime } from "./dates.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { hoursOn, type ShownEvent } from "./shown-events.js";
import { markClass, eventTitle, inLanguage } from "./upcoming.js";

const daySeconds = 86_400;

/** Days in a row on which the same events last all day: the list shows them once. Days are midnights in local time. */
export interface Run {
  readonly first: number;
  readonly last: number;
  readonly events: readonly ShownEvent<ListedEvent>[];
}

/** Returns the runs of the listed days. The current day is a run of its own, so that it keeps its mark. */
export function runsOf(
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

export interface AgendaView {
  readonly today: number;
  readonly calendar: Pick<PageCalendar, "uniquekey" | "palette_id">;
  readonly language: Language;
  readonly formats: DateFormats;
  /** Path prefix of the service. */
  readonly root: string;
}

/** Returns the id of the element that lists a run. */
export function runId({ first }: Run): string {
  return `day-${new Date(first * 1000).getUTCDate()}`;
}

/** Returns the dates of an event that is in several months: a list shows only the days of one. */
function datesOverMonths({ firstDay, lastDay }: ShownEvent, formats: DateFormats): string | undefined {
  if (monthIndex(firstDay) === monthIndex(lastDay)) return undefined;
  const isOneYear = new Date(firstDay * 1000).getUTCFullYear() === new Date(lastDay * 1000).getUTCFullYear();
  return formatRange(isOneYear ? formats.date : formats.dateWithYear, firstDay, lastDay);
}

/** Renders the events of a run under its date or dates. */
export function agendaRun(run: Run, { today, calendar, language, formats, root }: AgendaView): Html {
  const { first, last, events } = run;
  const t = language.texts.follow;
  const date =
    first === last
      ? html`<time datetime="${machineTime(first)}"
          >${inLanguage(language, formatLocal(formats.date, first))}</time
        >`
      : inLanguage(language, formatRange(formats.date, first, last));
  const mark = first === today ? html` <span class="badge">${t.today}</span>` : undefined;
  const items = events.map((shown) => {
    const found = hoursOn(first, shown, formats);
    const hours = found === undefined ? html`${t.allDay}` : inLanguage(language, found);
    const dates = datesOverMonths(shown, formats);
    const time = dates === undefined ? hours : html`${hours} · ${inLanguage(language, dates)}`;
    return html`<li class="${markClass(calendar, shown.event)}">
      <a class="agenda-title" href="${root}${paths.event(calendar.uniquekey, shown.event.uid)}" dir="auto"
        >${eventTitle(shown.event, language)}</a
      >
      <span class="agenda-time">${time}</span>
    </li>`;
  });
  return html`<div class="agenda-day" id="${runId(run)}">
    <h3>${date}${mark}</h3>
    <ul>
      ${items}
    </ul>
  </div>`;
}
