import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useEventColors } from "../api/calendars.js";
import { addDays, type Day, daysBetween } from "../dates/days.js";
import { daysInWords, firstWeekday, hourInWords } from "../dates/words.js";
import { clockOf } from "../dates/zones.js";
import { Failed } from "../parts/states.js";
import { locale, t } from "../texts/current.js";
import type { DropEvent } from "./dragged.js";
import { useDays } from "./reading.js";
import { useDragging } from "./use-dragging.js";
import { DayAbove, DayHours, type DayProps } from "./week-day.js";
import { goByKey } from "./week-keys.js";
import { slotsOf } from "./week-layout.js";

export interface WeekProps extends Pick<DayProps, "view" | "onAdd" | "onOpen"> {
  readonly calendars: readonly CalendarDetails[];
  /** By the id of a calendar, for events without a colour and a category, where there are several calendars. */
  readonly otherColorOf?: (id: string) => string;
  readonly onDay: (day: Day) => void;
  /** Undefined where nothing may be dragged. */
  readonly onDrop?: DropEvent | undefined;
}

/** What a week without events shows first. */
const firstHour = 8;

/** A week with its hours; on a phone, three days of it. */
export function Week(props: WeekProps): JSX.Element {
  const { calendars, view, onAdd, onOpen, onDrop } = props;
  const [from, to] = view.week;
  const ids = calendars.map(({ id }) => id);
  const { value, error, reload, isLoading, days: events } = useDays(ids, from, to);
  const looks = useLooks(props, value ?? []);
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_none, at) => addDays(from, at));
  const ref = useRef<HTMLDivElement>(null);
  const press = useKeys(ref, props);
  useDragging(ref, (id) => value?.find((event) => event.id === id), onDrop);
  useFirstHour(ref, value === undefined ? undefined : earliestOf(days, events));
  if (error !== null && value === undefined) return <Failed error={error} onRetry={reload} />;
  const propsOf = (day: Day) => ({ ...looks, view, onAdd, onOpen, of: day, events: events.get(day) ?? [] });
  return (
    <>
      <div
        ref={ref}
        class="week"
        role="group"
        tabIndex={-1}
        aria-label={daysInWords(locale, view.week)}
        aria-busy={isLoading}
        style={{ "--days": days.length }}
        onKeyDown={press}
      >
        <div class="week-above">
          <span />
          {days.map((day) => (
            <DayAbove key={day} {...propsOf(day)} />
          ))}
        </div>
        <div class="week-body">
          <Hours />
          {days.map((day) => (
            <DayHours key={day} {...propsOf(day)} />
          ))}
        </div>
      </div>
      <p class="soft keys">
        {t.week.keys} {onDrop === undefined ? "" : t.drag.hint}
      </p>
    </>
  );
}

/** What events look like, and the zone of their calendars where that is one. */
function useLooks(
  { calendars, otherColorOf }: WeekProps,
  events: readonly FoundEvent[],
): Pick<DayProps, "timezone" | "colorOf" | "whereOf"> {
  const ownColorOf = useEventColors(calendars, events);
  const zones = new Set(calendars.map(({ timezone }) => timezone));
  const titles = new Map(calendars.map(({ id, title }) => [id, title]));
  return {
    timezone: zones.size === 1 ? calendars[0]?.timezone : undefined,
    colorOf: (event) => ownColorOf(event) || (otherColorOf?.(event.calendar_id) ?? ""),
    whereOf: ({ calendar_id: id }) => (otherColorOf === undefined ? "" : (titles.get(id) ?? "")),
  };
}

/** The names of the hours, at their lines. */
function Hours(): JSX.Element {
  const hours = Array.from({ length: 23 }, (_none, at) => clockOf((at + 1) * 60));
  return (
    <div class="week-axis" aria-hidden="true">
      {hours.map((clock) => (
        <span key={clock}>{hourInWords(locale, `2000-01-01T${clock}`)}</span>
      ))}
    </div>
  );
}

/** The hour that is shown first: a little before the first event of the days. */
function earliestOf(days: readonly Day[], events: ReadonlyMap<Day, readonly FoundEvent[]>): number {
  const starts = days.flatMap((day) => slotsOf(events.get(day) ?? [], day).map(({ from }) => from / 60));
  const hours = starts.filter((hour) => hour > 0); // what began the day before is seen by its end
  return (hours.length === 0 ? firstHour : Math.min(...hours)) - 0.5;
}

/** Scrolls to an hour once, as soon as it is known. */
function useFirstHour(ref: { readonly current: HTMLElement | null }, hour: number | undefined): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    const body = ref.current?.querySelector<HTMLElement>(".week-body");
    if (isDone.current || hour === undefined || body === null || body === undefined) return;
    isDone.current = true;
    ref.current?.scrollTo({ top: (body.offsetHeight / 24) * hour });
  }, [hour]);
}

/** The keys of the week. The focus goes with the day, also to one that is not shown yet. */
function useKeys(
  ref: { readonly current: HTMLElement | null },
  { view, onDay }: WeekProps,
): (event: KeyboardEvent) => void {
  const isMoving = useRef(false);
  const focus = (day: Day): boolean => {
    const stop = ref.current?.querySelector<HTMLElement>(`[data-day="${day}"] [data-stop]`);
    stop?.focus();
    return stop !== undefined && stop !== null;
  };
  useEffect(() => {
    if (isMoving.current && !focus(view.day)) ref.current?.focus(); // a day may have no stop, where nothing may be added
    isMoving.current = false;
  }, [view.day]);
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ref.current === null) return;
    const next = goByKey(event.key, ref.current, view.day, firstWeekday(locale));
    if (next === undefined) return;
    event.preventDefault();
    if (next === "") return;
    isMoving.current = !focus(next);
    onDay(next);
  };
}
