import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useNextEvent } from "../../api/calendars.js";
import { type Day, monthOf } from "../../dates/days.js";
import { dayInWords, firstWeekday } from "../../dates/words.js";
import { Agenda } from "../../month/agenda.js";
import { DayList } from "../../month/day-list.js";
import { MonthGrid } from "../../month/grid.js";
import { Week } from "../../month/lazy-week.js";
import { useMonth } from "../../month/reading.js";
import type { DropEvent } from "../../month/dragged.js";
import { lazy } from "../../parts/lazy.js";
import { Failed } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import type { View } from "../../month/view.js";

/** What changes many events, loaded when some are selected. */
const ManyBar = lazy(async () => (await import("./later.js")).ManyBar);

interface Props {
  readonly calendar: CalendarDetails;
  readonly view: View;
  readonly colorOf: (event: FoundEvent) => string;
  readonly onDay: (day: Day) => void;
  /** Of a day, or of a time. */
  readonly onAdd: ((start: string) => void) | undefined;
  readonly onOpen: (event: FoundEvent) => void;
  /** Undefined where nothing may be changed. */
  readonly onDrop: DropEvent | undefined;
}

export function Events(props: Props): JSX.Element {
  const { calendar, view } = props;
  if (view.kind !== "week") return <InMonth {...props} />;
  return <Week {...props} calendars={[calendar]} />;
}

function InMonth(props: Props): JSX.Element {
  const { calendar, view } = props;
  const week = firstWeekday(locale);
  const { value, error, reload, isLoading, days: events } = useMonth([calendar.id], view.month, week);
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
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
        <p class="soft keys">
          {t.calendar.keys} {props.onDrop === undefined ? "" : t.drag.hint}
        </p>
      </div>
      <DayList {...props} day={view.day} events={events.get(view.day) ?? []} />
    </div>
  );
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
