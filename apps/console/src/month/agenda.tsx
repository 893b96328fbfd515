import type { FoundEvent } from "@kalends/client/extensions";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Day, type Month, monthOf } from "../dates/days.js";
import { dayInWords, monthInWords, timesOn, weekdayNames } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import type { Season } from "./season.js";

interface RowProps {
  readonly event: FoundEvent;
  readonly day: Day;
  readonly color: string;
  readonly onOpen: (event: FoundEvent) => void;
  /** Above its place, where the list has several days or calendars. */
  readonly where?: string | undefined;
  readonly selection?: Selection | undefined;
}

/** Which events are selected, and what selects another. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

/** One event of a list, as a button that opens it. */
export function EventRow({ event, day, color, onOpen, where, selection }: RowProps): JSX.Element {
  const when = {
    start: event.shown_start ?? event.start_date,
    end: event.shown_end ?? event.end_date,
    allDay: event.all_day_event,
  };
  const status = t.calendar.status[event.status];
  const facts = [where ?? "", event.location, event.categories.join(", ")].filter((fact) => fact !== "");
  return (
    <li class={selection === undefined ? "" : "selectable"}>
      {selection === undefined ? undefined : (
        <input
          type="checkbox"
          aria-label={`${shownTitle(event.title)}, ${dayInWords(locale, day)}`}
          checked={selection.chosen.has(event.id)}
          onChange={() => selection.toggle(event.id)}
        />
      )}
      <button type="button" class={`event-row ${event.status}`} onClick={() => onOpen(event)}>
        <span class="event-dot" style={{ "--color": color }} aria-hidden="true" />
        <span class="event-time">
          {event.all_day_event ? t.calendar.allDay : timesOn(locale, when, day)}{" "}
        </span>
        <span class="event-what">
          <span class="event-name" dir="auto">
            {shownTitle(event.title)}
          </span>
          {status === "" ? undefined : <Badge text={status} />}
          {event.series_id === "" ? undefined : <Badge text={t.calendar.series} />}
          {event.sync_id === "" ? undefined : <Badge text={t.syncs.badge} />}
          {event.published ? undefined : <Badge text={t.draft.badge} isDraft />}
          {facts.length === 0 ? undefined : (
            <span class="event-place soft">
              {facts.map((fact, index) => (
                <bdi key={fact}>
                  {index === 0 ? "" : " · "}
                  {fact}
                </bdi>
              ))}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

/** Apart from the title, also in the name that screen readers say. */
function Badge({
  text,
  isDraft = false,
}: {
  readonly text: string;
  readonly isDraft?: boolean;
}): JSX.Element {
  return (
    <>
      {" "}
      <span class={isDraft ? "badge draft" : "badge"}>{text}</span>
    </>
  );
}

interface AgendaProps {
  readonly today: Day;
  /** Of the month to begin with; another month, or another day of the same, is scrolled to. */
  readonly shownDay: Day;
  readonly season: Season;
  readonly colorOf: (event: FoundEvent) => string;
  readonly onOpen: (event: FoundEvent) => void;
  readonly whereOf?: (event: FoundEvent) => string;
  readonly selection?: Selection | undefined;
  /** Beside the name of a month. */
  readonly besideMonth?: (month: Month, events: readonly FoundEvent[]) => JSX.Element;
}

/** The days that have events, one after another, by months. */
export function Agenda({ season, shownDay, besideMonth, ...props }: AgendaProps): JSX.Element {
  const list = useScroll(season, monthOf(shownDay));
  useScrollToDay(list, season, shownDay);
  const { days, value, isLoading, earlier, later } = season;
  const months = new Map<Month, (readonly [Day, readonly FoundEvent[]])[]>();
  for (const [day, events] of days)
    months.set(monthOf(day), [...(months.get(monthOf(day)) ?? []), [day, events]]);
  return (
    <div ref={list} class="agenda" aria-busy={isLoading}>
      {earlier ? (
        <button type="button" class="quiet" onClick={earlier}>
          {t.season.earlier}
        </button>
      ) : undefined}
      {[...months].map(([each, ofMonth]) => (
        <div key={each} class="agenda-month" data-month={each}>
          <div class="month-name">
            <h2>{monthInWords(locale, each)}</h2>
            {besideMonth?.(
              each,
              ofMonth.flatMap(([, events]) => events),
            )}
          </div>
          {ofMonth.map(([day, events]) => (
            <AgendaDay key={day} day={day} events={events} {...props} />
          ))}
        </div>
      ))}
      {value === undefined || later !== null ? undefined : (
        <p class="soft none">{days.size === 0 ? t.calendars.noNext : t.season.noLater}</p>
      )}
      {later && !isLoading ? <More onReach={later} /> : undefined}
    </div>
  );
}

type DayProps = Omit<AgendaProps, "season" | "shownDay" | "besideMonth"> & {
  readonly day: Day;
  readonly events: readonly FoundEvent[];
};

function AgendaDay({ day, events, today, colorOf, onOpen, whereOf, selection }: DayProps): JSX.Element {
  const name = dayInWords(locale, day);
  return (
    <section
      class="agenda-day"
      data-day={day}
      aria-label={name}
      aria-current={day === today ? "date" : undefined}
    >
      <h3>
        <span class="unseen">{name}</span>
        <span class="agenda-weekday" aria-hidden="true">
          {day === today ? t.calendar.today : weekdayNames(locale, day).short}
        </span>
        <span class="agenda-number" aria-hidden="true">
          {Number(day.slice(8))}
        </span>
      </h3>
      <ul>
        {events.map((event) => (
          <EventRow
            key={event.id}
            event={event}
            day={day}
            color={colorOf(event)}
            onOpen={onOpen}
            where={whereOf?.(event)}
            selection={selection}
          />
        ))}
      </ul>
    </section>
  );
}

/** Pixels below the screen at which more is read. */
const ahead = 800;

/** The end of what is read: it asks for more as soon as it comes near, or when it is pressed. */
function More({ onReach }: { readonly onReach: () => void }): JSX.Element {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => (entry?.isIntersecting === true ? onReach() : undefined),
      { rootMargin: `${ahead}px` },
    );
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  });
  return (
    <button ref={ref} type="button" class="quiet" onClick={onReach}>
      {t.season.later}
    </button>
  );
}

/** Scrolls to a month when another one is chosen, and keeps what is on the screen where earlier months are put above it. */
function useScroll({ days, isLoading }: Season, month: Month): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(month);
  const [first = ""] = days.keys();
  const was = useRef({ first, below: 0 });
  useLayoutEffect(() => {
    const page = document.documentElement;
    if (was.current.first > first && first !== "") scrollTo(0, page.scrollHeight - was.current.below);
  }, [first]);
  useEffect(() => {
    const remember = (): void => {
      was.current = { first, below: document.documentElement.scrollHeight - scrollY };
    };
    remember();
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  });
  useEffect(() => {
    if (shown.current === month || isLoading) return;
    shown.current = month;
    const months = [...(list.current?.querySelectorAll<HTMLElement>("[data-month]") ?? [])];
    (months.find(({ dataset }) => (dataset["month"] ?? "") >= month) ?? months.at(-1))?.scrollIntoView();
  }, [month, isLoading]);
  return list;
}

/** Scrolls to another day of the same month, such as that of an event that was just saved, once the events of it are read. */
function useScrollToDay(list: RefObject<HTMLDivElement | null>, { days }: Season, day: Day): void {
  const shown = useRef(day);
  useEffect(() => {
    if (monthOf(shown.current) !== monthOf(day)) shown.current = day;
    const section = list.current?.querySelector(`[data-day="${day}"]`);
    if (shown.current === day || !section) return;
    shown.current = day;
    section.scrollIntoView({ block: "center" });
  }, [day, days]);
}
