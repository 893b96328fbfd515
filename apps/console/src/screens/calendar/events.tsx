import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useNextEvent } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { addDays, addMonths, type Day, monthOf, weeksOf } from "../../dates/days.js";
import { dayInWords, firstWeekday } from "../../dates/words.js";
import { Agenda, EventRow } from "../../month/agenda.js";
import { byDay } from "../../month/days-of.js";
import { MonthGrid } from "../../month/grid.js";
import { Failed } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { ManyBar } from "./many.js";
import type { View } from "./view.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly view: View;
  readonly colorOf: (event: FoundEvent) => string;
  readonly onDay: (day: Day) => void;
  readonly onAdd: ((day: Day) => void) | undefined;
  readonly onOpen: (event: FoundEvent) => void;
}

/** The days that a month shows, with the weeks at its ends. */
function rangeOf(month: string, week: number): readonly [Day, Day] {
  const weeks = weeksOf(month, week);
  return [weeks[0]?.[0] ?? `${month}-01`, weeks.at(-1)?.at(-1) ?? addDays(`${addMonths(month, 1)}-01`, -1)];
}

export function Events(props: Props): JSX.Element {
  const { calendar, view } = props;
  const week = firstWeekday(locale);
  const [from, to] = rangeOf(view.month, week);
  const { value, error, reload, isLoading } = useLoaded(["events", calendar.id, from, to], () =>
    readMonth(calendar.id, from, addDays(to, 1)),
  );
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  const events = byDay(value ?? [], from, to);
  if (view.kind === "agenda") {
    const ofMonth = new Map([...events].filter(([day]) => monthOf(day) === view.month));
    return (
      <div aria-busy={isLoading}>{value === undefined ? undefined : <List {...props} days={ofMonth} />}</div>
    );
  }
  return (
    <div class="month-and-day" aria-busy={isLoading}>
      <div>
        <MonthGrid
          {...props}
          month={view.month}
          day={view.day}
          today={view.today}
          firstWeekday={week}
          events={events}
        />
        <p class="soft keys">{t.calendar.keys}</p>
      </div>
      <DayList {...props} events={events.get(view.day) ?? []} />
    </div>
  );
}

/** The events of a month with the drafts, as they begin. */
async function readMonth(calendar_id: string, from: Day, to: Day): Promise<readonly FoundEvent[]> {
  const query = { calendar_id, from, to, order_by: "date-asc", wall: "calendar" } as const;
  const [events, drafts] = await Promise.all([
    api.events.list(query).toArray(),
    api.events.list({ ...query, published: "false" }).toArray(),
  ]);
  if (drafts.length === 0) return events;
  return [...events, ...drafts].toSorted((a, b) => a.start_at.localeCompare(b.start_at));
}

/** The list of a month, in which events can be selected. */
function List(props: Props & { readonly days: ReadonlyMap<Day, readonly FoundEvent[]> }): JSX.Element {
  const { calendar, days, onAdd } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const events = [...new Map([...days.values()].flat().map((event) => [event.id, event])).values()];
  const selection = chosen && {
    chosen,
    toggle: (id: string) =>
      setChosen(new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id])),
  };
  return (
    <>
      {onAdd === undefined || events.length === 0 || chosen !== undefined ? undefined : (
        <button type="button" class="quiet select-many" onClick={() => setChosen(new Set())}>
          {t.many.select}
        </button>
      )}
      <Agenda
        days={days}
        today={props.view.today}
        colorOf={props.colorOf}
        onOpen={props.onOpen}
        selection={selection}
      />
      {events.length > 0 ? undefined : <Next id={calendar.id} onDay={props.onDay} />}
      {chosen === undefined ? undefined : (
        <ManyBar {...{ calendar, events, chosen }} onChoose={setChosen} onDone={() => setChosen(undefined)} />
      )}
    </>
  );
}

/** Where the list of a month without events could go on. */
function Next({
  id,
  onDay,
}: {
  readonly id: string;
  readonly onDay: (day: Day) => void;
}): JSX.Element | null {
  const { value: next } = useNextEvent(id);
  if (next === undefined || next === null) return null;
  const day = (next.shown_start ?? next.start_date).slice(0, 10);
  return (
    <button type="button" class="link" onClick={() => onDay(day)}>
      {t.calendars.next}: {dayInWords(locale, day)}
    </button>
  );
}

/** The events of the chosen day, which the keyboard reaches after the grid. */
function DayList({
  view,
  events,
  colorOf,
  onAdd,
  onOpen,
}: Props & { readonly events: readonly FoundEvent[] }): JSX.Element {
  const name = dayInWords(locale, view.day);
  return (
    <section class="day-list" aria-label={name}>
      <h3>{name}</h3>
      {events.length === 0 ? <p class="soft">{t.calendar.none}</p> : undefined}
      <ul>
        {events.map((event) => (
          <EventRow key={event.id} event={event} day={view.day} color={colorOf(event)} onOpen={onOpen} />
        ))}
      </ul>
      {onAdd === undefined ? undefined : (
        <button
          type="button"
          class="quiet"
          aria-label={t.calendar.newEventOn(name)}
          onClick={() => onAdd(view.day)}
        >
          {t.calendar.newEvent}
        </button>
      )}
    </section>
  );
}
