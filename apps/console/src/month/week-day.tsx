import type { FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Day } from "../dates/days.js";
import { dayInWords, timesOn, weekdayNames } from "../dates/words.js";
import { clockChangesOf, clockOf, wallIn } from "../dates/zones.js";
import { locale, t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import { dayMinutes, isAboveHours, spanOf, timesOf } from "./days-of.js";
import type { View } from "./view.js";
import { type Slot, slotsOf } from "./week-layout.js";

export interface DayProps {
  readonly of: Day;
  readonly events: readonly FoundEvent[];
  readonly view: View;
  /** That of all calendars; undefined where they have several. */
  readonly timezone: string | undefined;
  readonly colorOf: (event: FoundEvent) => string;
  /** The name of its calendar, where there are several; else "". */
  readonly whereOf: (event: FoundEvent) => string;
  /** Undefined where nothing may be added. */
  readonly onAdd: ((start: string) => void) | undefined;
  readonly onOpen: (event: FoundEvent) => void;
}

/** A minute as a part of the height of a day. */
const share = (minute: number): string => `${(minute / dayMinutes) * 100}%`;

/** The head of a day: its name, what adds an event, and the events that stand above the hours. */
export function DayAbove({ of, view, events, onAdd, ...props }: DayProps): JSX.Element {
  const name = dayInWords(locale, of);
  return (
    <section class="week-day" data-day={of} aria-label={name}>
      <h3 aria-current={of === view.today ? "date" : undefined}>
        <span class="unseen">{name}</span>
        <span aria-hidden="true">
          {weekdayNames(locale, of).short} <span class="day-number">{Number(of.slice(8))}</span>
        </span>
      </h3>
      {onAdd === undefined ? undefined : (
        <button
          type="button"
          class="quiet icon-only week-add"
          data-stop
          tabIndex={of === view.day ? 0 : -1}
          aria-label={t.calendar.newEventOn(name)}
          onClick={() => onAdd(of)}
        >
          +
        </button>
      )}
      <ul>
        {events.filter(isAboveHours).map((event) => (
          <li key={event.id}>
            <WeekEvent {...props} of={of} event={event} edge={spanOf(event)[1] === of ? "side" : ""} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The hours of a day. A click where nothing is adds an event there. */
export function DayHours({ of, view, events, timezone, onAdd, ...props }: DayProps): JSX.Element {
  const add = (click: MouseEvent & { readonly currentTarget: HTMLElement }): void => {
    if (click.target instanceof Element && click.target.closest("[data-event]") !== null) return;
    const { top, height } = click.currentTarget.getBoundingClientRect();
    const half = Math.floor(((click.clientY - top) / height) * 48);
    onAdd?.(`${of}T${clockOf(Math.min(47, Math.max(0, half)) * 30)}`);
  };
  return (
    <div
      class={onAdd === undefined ? "week-hours" : "week-hours addable"}
      data-day={of}
      data-hours
      onClick={add}
    >
      {timezone === undefined ? undefined : <ClockChanges of={of} timezone={timezone} />}
      <ul aria-label={dayInWords(locale, of)}>
        {slotsOf(events, of).map((slot) => (
          <li key={slot.event.id} style={placeOf(slot)}>
            <WeekEvent
              {...props}
              of={of}
              event={slot.event}
              edge={slot.isEnd ? "bottom" : ""}
              isShort={slot.to - slot.from < 60}
            />
          </li>
        ))}
      </ul>
      {timezone === undefined || of !== view.today ? undefined : <NowLine timezone={timezone} />}
    </div>
  );
}

function placeOf({ from, to, column, columns }: Slot<FoundEvent>): Record<string, string> {
  return {
    top: share(from),
    height: share(to - from),
    insetInlineStart: `${(column / columns) * 100}%`,
    width: `${100 / columns}%`,
  };
}

/** Where the clock of the zone is. */
function NowLine({ timezone }: { readonly timezone: string }): JSX.Element | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  try {
    const [hours = 0, minutes = 0] = wallIn(timezone, now).slice(11).split(":").map(Number);
    return <div class="now-line" aria-hidden="true" style={{ top: share(hours * 60 + minutes) }} />;
  } catch {
    return null; // the browser lacks the zone
  }
}

/** Marks half hours that the clock skips or shows twice. */
function ClockChanges({ of, timezone }: { readonly of: Day; readonly timezone: string }): JSX.Element | null {
  const [changes] = useState(() => clockChangesOf(timezone, of));
  const [first] = changes;
  if (first === undefined) return null;
  return (
    <p class="clock-change" style={{ top: share(first), height: share(changes.length * 30) }}>
      {t.week.clockChange}
    </p>
  );
}

interface EventProps extends Pick<DayProps, "colorOf" | "whereOf" | "onOpen"> {
  readonly of: Day;
  readonly event: FoundEvent;
  /** The edge that lengthens it; "" on a day that it does not end on. */
  readonly edge: "side" | "bottom" | "";
  /** Whether there is room for one line. */
  readonly isShort?: boolean;
}

function WeekEvent({ of, event, edge, isShort = false, colorOf, whereOf, onOpen }: EventProps): JSX.Element {
  const [start, end] = timesOf(event);
  const time = event.all_day_event ? "" : timesOn(locale, { start, end, allDay: false }, of);
  const marks = [t.calendar.status[event.status], event.published ? "" : t.draft.badge];
  const where = [whereOf(event), event.location].filter((text) => text !== "").join(", ");
  return (
    <button
      type="button"
      class={`week-event ${event.status}${event.published ? "" : " draft"}${isShort ? " short" : ""}`}
      style={{ "--color": colorOf(event) }}
      title={[shownTitle(event.title), ...event.categories].join(" · ")}
      data-stop
      data-event={event.id}
      data-edge={edge}
      onClick={() => onOpen(event)}
    >
      <span>
        <span class="chip-title" dir="auto">
          {shownTitle(event.title)}
        </span>
        {time === "" ? undefined : <span class="chip-time"> {time}</span>}
        <span class="unseen">{marks.filter((mark) => mark !== "").map((mark) => `, ${mark}`)}</span>
        {where === "" ? undefined : (
          <span class="week-where soft" dir="auto">
            {" "}
            {where}
          </span>
        )}
      </span>
    </button>
  );
}
