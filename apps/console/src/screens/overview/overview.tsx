import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import { colorIdAt } from "@kalends/spec/colors";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { markOf, useCalendars, useEventColors, usePalettes } from "../../api/calendars.js";
import { roleOn, type Session } from "../../api/session.js";
import { firstWeekday } from "../../dates/words.js";
import { Agenda } from "../../month/agenda.js";
import { DayList } from "../../month/day-list.js";
import { MonthGrid } from "../../month/grid.js";
import { MonthBar } from "../../month/month-bar.js";
import { Week } from "../../month/lazy-week.js";
import { useMonth } from "../../month/reading.js";
import { useSeason } from "../../month/season.js";
import { useView, type View } from "../../month/view.js";
import { ZoneNote } from "../../parts/calendar-tabs.js";
import { Dialog } from "../../parts/dialog.js";
import { Failed, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { go, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

/** The events of all calendars, of which some can be left out. They are changed in their own. */
export function Overview({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.overview.title);
  const { value: calendars, error, reload } = useCalendars();
  return (
    <div class="page wide">
      {calendars === undefined ? <Head /> : undefined}
      {calendars === undefined && error === null ? <Loading /> : undefined}
      {calendars === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {calendars === undefined ? undefined : <Shown calendars={calendars} session={session} />}
    </div>
  );
}

function Head({ onAdd }: { readonly onAdd?: (() => void) | undefined }): JSX.Element {
  return (
    <div class="page-head">
      <h1>{t.overview.title}</h1>
      {onAdd === undefined ? undefined : (
        <button type="button" class="add-event" onClick={onAdd}>
          {t.calendar.newEvent}
        </button>
      )}
    </div>
  );
}

interface ShownProps {
  readonly calendars: readonly CalendarDetails[];
  readonly session: Session;
}

function Shown({ calendars, session }: ShownProps): JSX.Element {
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
  const [adding, setAdding] = useState("");
  const able = calendars.filter(({ id }) => roleOn(session, id) !== "viewer");
  const add = (start: string): void => {
    const [only] = able;
    if (only !== undefined && able.length === 1) addTo(only, start, address);
    else setAdding(start);
  };
  const address = { without: [...hidden].join(","), view: view.kind };
  const onAdd = able.length === 0 ? undefined : add;
  return (
    <>
      <Head onAdd={onAdd && (() => onAdd(view.day))} />
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
      <Events {...{ view, onAdd, colorOf }} calendars={shown} onDay={(day) => show({ day })} />
      {adding === "" ? undefined : (
        <WhichCalendar
          calendars={able}
          colorOf={colorOf}
          onChoose={(calendar) => addTo(calendar, adding, address)}
          onClose={() => setAdding("")}
        />
      )}
    </>
  );
}

/** Goes to the form of a new event in a calendar, which leads back here. @param shown the parts of the address here */
function addTo({ id }: CalendarDetails, start: string, shown: Readonly<Record<string, string>>): void {
  const back = new URLSearchParams(shown).toString();
  go(printAddress(calendarPath(id), { day: start.slice(0, 10), new: start, back }));
}

interface WhichProps {
  readonly calendars: readonly CalendarDetails[];
  readonly colorOf: (id: string) => string;
  readonly onChoose: (calendar: CalendarDetails) => void;
  readonly onClose: () => void;
}

/** Asks which of several calendars a new event is for. */
function WhichCalendar({ calendars, colorOf, onChoose, onClose }: WhichProps): JSX.Element {
  return (
    <Dialog title={t.adding.which} onClose={onClose}>
      <div class="choices">
        {calendars.map((calendar) => (
          <button key={calendar.id} type="button" class="quiet choice" onClick={() => onChoose(calendar)}>
            <span>
              <span class="event-dot" style={{ "--color": colorOf(calendar.id) }} aria-hidden="true" />{" "}
              <span dir="auto">{shownTitle(calendar.title)}</span>
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

interface EventsProps {
  readonly calendars: readonly CalendarDetails[];
  readonly view: View;
  readonly onDay: (day: string) => void;
  readonly onAdd: ((start: string) => void) | undefined;
  /** By the id of a calendar, for events without a colour and a category. */
  readonly colorOf: (id: string) => string;
}

/** Goes to an event in its own calendar. */
function openIn({ id, calendar_id, start_date, shown_start = start_date }: FoundEvent): void {
  go(printAddress(calendarPath(calendar_id), { day: shown_start.slice(0, 10), event: id }));
}

function Events({ calendars, colorOf, ...props }: EventsProps): JSX.Element {
  const { kind } = props.view;
  if (kind === "week")
    return <Week {...props} calendars={calendars} otherColorOf={colorOf} onOpen={openIn} />;
  return kind === "agenda" ? (
    <List {...props} calendars={calendars} colorOf={colorOf} />
  ) : (
    <InMonth {...props} calendars={calendars} colorOf={colorOf} />
  );
}

/** What the list and the month of several calendars have in common. */
function useShared({ calendars, view, colorOf }: EventsProps, events: readonly FoundEvent[]) {
  const ownColorOf = useEventColors(calendars, events);
  return {
    today: view.today,
    colorOf: (event: FoundEvent) => ownColorOf(event) || colorOf(event.calendar_id),
    whereOf: ({ calendar_id }: FoundEvent) => calendars.find(({ id }) => id === calendar_id)?.title ?? "",
    onOpen: openIn,
  };
}

function List(props: EventsProps): JSX.Element {
  const ids = props.calendars.map(({ id }) => id);
  const season = useSeason(ids, props.view.month);
  const shared = useShared(props, season.events);
  const { value, error, reload } = season;
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  return <Agenda {...shared} season={season} shownDay={props.view.day} />;
}

function InMonth(props: EventsProps): JSX.Element {
  const { calendars, view, onDay, onAdd } = props;
  const week = firstWeekday(locale);
  const ids = calendars.map(({ id }) => id);
  const { value, error, reload, isLoading, days } = useMonth(ids, view.month, week);
  const shared = { ...useShared(props, value ?? []), onAdd };
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  return (
    <div class="month-and-day" aria-busy={isLoading}>
      <MonthGrid
        {...shared}
        month={view.month}
        day={view.day}
        firstWeekday={week}
        events={days}
        onDay={onDay}
      />
      <DayList {...shared} day={view.day} events={days.get(view.day) ?? []} />
    </div>
  );
}
