import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import { colorIdAt } from "@kalends/spec/colors";
import type { JSX } from "preact";
import { markOf, useCalendars, useEventColors, usePalettes } from "../../api/calendars.js";
import { monthOf } from "../../dates/days.js";
import { firstWeekday } from "../../dates/words.js";
import { Agenda } from "../../month/agenda.js";
import { DayList } from "../../month/day-list.js";
import { MonthGrid } from "../../month/grid.js";
import { MonthBar } from "../../month/month-bar.js";
import { useMonth } from "../../month/reading.js";
import { useView, type View } from "../../month/view.js";
import { ZoneNote } from "../../parts/calendar-tabs.js";
import { Failed, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { go, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";

/** The events of all calendars, of which some can be left out: to see what else is on, not to change it. */
export function Overview(): JSX.Element {
  useTitle(t.overview.title);
  const { value: calendars, error, reload } = useCalendars();
  return (
    <div class="page wide">
      <div class="page-head">
        <h1>{t.overview.title}</h1>
      </div>
      {calendars === undefined && error === null ? <Loading /> : undefined}
      {calendars === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {calendars === undefined ? undefined : <Shown calendars={calendars} />}
    </div>
  );
}

function Shown({ calendars }: { readonly calendars: readonly CalendarDetails[] }): JSX.Element {
  const [first] = calendars;
  const [view, show] = useView("/month", first?.timezone ?? "UTC");
  const { query } = useAddress();
  const hidden = new Set((query["without"] ?? "").split(",").filter((id) => id !== ""));
  const palette = usePalettes()[0]?.colors ?? [];
  const colorOf = (id: string): string => {
    const position = calendars.findIndex((each) => each.id === id);
    return markOf(palette[Number(colorIdAt(position, palette.length)) - 1] ?? "");
  };
  const toggle = (id: string): void => {
    if (!hidden.delete(id)) hidden.add(id);
    go(printAddress("/month", { ...query, without: [...hidden].join(",") }), "replace");
  };
  const shown = calendars.filter(({ id }) => !hidden.has(id));
  return (
    <>
      <MonthBar view={view} onShow={show} />
      {first !== undefined && calendars.every(({ timezone }) => timezone === first.timezone) ? (
        <ZoneNote calendar={first} />
      ) : (
        <p class="soft zone-note">{t.overview.zones}</p>
      )}
      <details class="which-calendars">
        <summary>{t.overview.chosen(shown.length, calendars.length)}</summary>
        <ul>
          {calendars.map(({ id, title }) => (
            <li key={id}>
              <label class="check">
                <input type="checkbox" checked={!hidden.has(id)} onChange={() => toggle(id)} />
                <span class="event-dot" style={{ "--color": colorOf(id) }} aria-hidden="true" />
                <span dir="auto">{title}</span>
              </label>
            </li>
          ))}
        </ul>
      </details>
      <Month calendars={shown} view={view} onDay={(day) => show({ day })} colorOf={colorOf} />
    </>
  );
}

interface MonthProps {
  readonly calendars: readonly CalendarDetails[];
  readonly view: View;
  readonly onDay: (day: string) => void;
  /** By the id of a calendar, for events without a colour and a category. */
  readonly colorOf: (id: string) => string;
}

function Month({ calendars, view, onDay, colorOf }: MonthProps): JSX.Element {
  const week = firstWeekday(locale);
  const ids = calendars.map(({ id }) => id);
  const { value, error, reload, isLoading, days } = useMonth(ids, view.month, week);
  const ownColorOf = useEventColors(calendars, value ?? []);
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  const shared = {
    today: view.today,
    colorOf: (event: FoundEvent) => ownColorOf(event) || colorOf(event.calendar_id),
    whereOf: ({ calendar_id }: FoundEvent) => calendars.find(({ id }) => id === calendar_id)?.title ?? "",
    onOpen: ({ id, calendar_id, start_date, shown_start = start_date }: FoundEvent) =>
      go(printAddress(calendarPath(calendar_id), { day: shown_start.slice(0, 10), event: id })),
  };
  if (view.kind === "agenda") {
    const ofMonth = new Map([...days].filter(([day]) => monthOf(day) === view.month));
    return (
      <div aria-busy={isLoading}>
        {value === undefined ? undefined : <Agenda {...shared} days={ofMonth} />}
      </div>
    );
  }
  return (
    <div class="month-and-day" aria-busy={isLoading}>
      <MonthGrid
        {...shared}
        month={view.month}
        day={view.day}
        firstWeekday={week}
        events={days}
        onDay={onDay}
        onAdd={undefined}
      />
      <DayList {...shared} day={view.day} events={days.get(view.day) ?? []} />
    </div>
  );
}
