import type { FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import type { Day } from "../dates/days.js";
import { dayInWords, timesOn } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";

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
          {event.categories.length === 0 ? undefined : (
            <span class="event-place soft" dir="auto">
              {event.categories.join(" · ")}
            </span>
          )}
          {where === undefined ? undefined : <span class="event-place soft">{where}</span>}
          {event.location === "" ? undefined : (
            <span class="event-place soft" dir="auto">
              {event.location}
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
  readonly days: ReadonlyMap<Day, readonly FoundEvent[]>;
  readonly colorOf: (event: FoundEvent) => string;
  readonly onOpen: (event: FoundEvent) => void;
  readonly whereOf?: (event: FoundEvent) => string;
  readonly selection?: Selection | undefined;
}

/** The days that have events, one after another. */
export function Agenda({ days, today, colorOf, onOpen, whereOf, selection }: AgendaProps): JSX.Element {
  const sorted = [...days].toSorted(([a], [b]) => a.localeCompare(b));
  if (sorted.length === 0) return <p class="soft none">{t.calendar.noneInMonth}</p>;
  return (
    <div class="agenda">
      {sorted.map(([day, events]) => (
        <section
          key={day}
          aria-label={dayInWords(locale, day)}
          aria-current={day === today ? "date" : undefined}
        >
          <h3>{dayInWords(locale, day)}</h3>
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
      ))}
    </div>
  );
}
