import type { FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import type { Day } from "../dates/days.js";
import { dayInWords } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import { EventRow } from "./agenda.js";

interface Props {
  readonly day: Day;
  readonly events: readonly FoundEvent[];
  readonly colorOf: (event: FoundEvent) => string;
  /** The name of its calendar, where there are several. */
  readonly whereOf?: (event: FoundEvent) => string;
  /** Undefined where nothing may be added. */
  readonly onAdd?: ((day: Day) => void) | undefined;
  readonly onOpen: (event: FoundEvent) => void;
}

/** The events of the chosen day, which the keyboard reaches after the grid. */
export function DayList({ day, events, colorOf, whereOf, onAdd, onOpen }: Props): JSX.Element {
  const name = dayInWords(locale, day);
  return (
    <section class="day-list" aria-label={name}>
      <h3>{name}</h3>
      {events.length === 0 ? <p class="soft">{t.calendar.none}</p> : undefined}
      <ul>
        {events.map((event) => (
          <EventRow
            key={event.id}
            event={event}
            day={day}
            where={whereOf?.(event)}
            color={colorOf(event)}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {onAdd === undefined ? undefined : (
        <button
          type="button"
          class="quiet"
          aria-label={t.calendar.newEventOn(name)}
          onClick={() => onAdd(day)}
        >
          {t.calendar.newEvent}
        </button>
      )}
    </section>
  );
}
