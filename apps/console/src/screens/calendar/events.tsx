import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Day, Month } from "../../dates/days.js";
import { firstWeekday, monthInWords } from "../../dates/words.js";
import { Agenda } from "../../month/agenda.js";
import { DayList } from "../../month/day-list.js";
import { MonthGrid } from "../../month/grid.js";
import { Week } from "../../month/lazy-week.js";
import { useMonth } from "../../month/reading.js";
import type { DropEvent } from "../../month/dragged.js";
import { useSeason } from "../../month/season.js";
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
  if (view.kind === "agenda") return <List {...props} />;
  if (view.kind === "week") return <Week {...props} calendars={[calendar]} />;
  return <InMonth {...props} />;
}

function InMonth(props: Props): JSX.Element {
  const { calendar, view } = props;
  const week = firstWeekday(locale);
  const { value, error, reload, isLoading, days: events } = useMonth([calendar.id], view.month, week);
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
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

/** The list of a season, in which events can be selected. */
function List({ calendar, view, colorOf, onAdd, onOpen }: Props): JSX.Element {
  const season = useSeason([calendar.id], view.month);
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const { events, value, error, reload } = season;
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    const others = [...(chosen ?? [])].filter((id) => !ids.includes(id));
    setChosen(new Set(isChosen ? [...others, ...ids] : others));
  };
  const selection = chosen && { chosen, toggle: (id: string) => choose([id], !chosen.has(id)) };
  return (
    <>
      {onAdd === undefined || events.length === 0 || chosen !== undefined ? undefined : (
        <button type="button" class="quiet select-many" onClick={() => setChosen(new Set())}>
          {t.many.select}
        </button>
      )}
      <Agenda
        {...{ season, colorOf, onOpen, selection }}
        shownDay={view.day}
        today={view.today}
        {...(chosen === undefined
          ? {}
          : {
              besideMonth: (month, ofMonth) => (
                <AllOf {...{ month, chosen }} events={ofMonth} onChoose={choose} />
              ),
            })}
      />
      {chosen === undefined ? undefined : (
        <ManyBar {...{ calendar, events, chosen }} onDone={() => setChosen(undefined)} />
      )}
    </>
  );
}

interface AllOfProps {
  readonly month: Month;
  readonly events: readonly FoundEvent[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: readonly string[], isChosen: boolean) => void;
}

/** Selects all events of a month. */
function AllOf({ month, events, chosen, onChoose }: AllOfProps): JSX.Element {
  const ids = events.map(({ id }) => id);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={ids.every((id) => chosen.has(id))}
        onChange={({ currentTarget }) => onChoose(ids, currentTarget.checked)}
      />
      {t.many.all(monthInWords(locale, month))}
    </label>
  );
}
