import type { FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Day, type Month, monthOf, weeksOf } from "../dates/days.js";
import { clockInWords, dayInWords, monthInWords, weekdayNames } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import { isAboveHours, spanOf } from "./days-of.js";
import type { DropEvent } from "./dragged.js";
import { dayByKey } from "./keys.js";
import { useDragging } from "./use-dragging.js";

/** Events shown in a day before "+3". */
const most = 3;

/** Those that paper shows, which has no "+3" to follow: style.css hides them on a screen. */
const mostPrinted = 12;

interface Props {
  readonly month: Month;
  /** The day that has the one tab stop. */
  readonly day: Day;
  readonly today: Day;
  readonly firstWeekday: number;
  readonly events: ReadonlyMap<Day, readonly FoundEvent[]>;
  readonly colorOf: (event: FoundEvent) => string;
  readonly onDay: (day: Day) => void;
  /** Undefined where nothing may be added. */
  readonly onAdd: ((day: Day) => void) | undefined;
  readonly onOpen: (event: FoundEvent) => void;
  /** Undefined where nothing may be dragged. */
  readonly onDrop?: DropEvent | undefined;
}

/** The month as a grid: one tab stop, arrows from day to day, over the end of the month too. */
export function MonthGrid(props: Props): JSX.Element {
  const { month, day, firstWeekday, onDay, onAdd } = props;
  const table = useRef<HTMLTableElement>(null);
  const isMoving = useRef(false);
  const clicked = useRef(day);
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day, month]);
  const find = (id: string): FoundEvent | undefined =>
    [...props.events.values()].flat().find((event) => event.id === id);
  useDragging(table, find, props.onDrop);
  const weeks = weeksOf(month, firstWeekday);
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = dayByKey(event.key, day, firstWeekday);
    if (next !== undefined) {
      isMoving.current = true;
      onDay(next);
    } else if (event.key === "Enter" && onAdd !== undefined) onAdd(day);
    else return;
    event.preventDefault();
  };
  return (
    <table
      ref={table}
      role="grid"
      class="month-grid"
      aria-label={monthInWords(locale, month)}
      onKeyDown={press}
    >
      <thead>
        <tr>
          {weeks[0]?.map((each) => {
            const { short, long } = weekdayNames(locale, each);
            return (
              <th key={each} scope="col" abbr={long}>
                {short}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((each) => (
              <DayCell key={each} {...props} of={each} clicked={clicked} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps extends Props {
  readonly of: Day;
  /** The day that was clicked last: a click may turn the month under the pointer. */
  readonly clicked: { current: Day };
}

function DayCell({
  of,
  clicked,
  month,
  day,
  today,
  events,
  colorOf,
  onDay,
  onAdd,
  onOpen,
}: CellProps): JSX.Element {
  const here = events.get(of) ?? [];
  const isChosen = of === day;
  const isOutside = monthOf(of) !== month;
  return (
    <td
      role="gridcell"
      data-day={of}
      class={isOutside ? "outside" : ""}
      tabIndex={isChosen ? 0 : -1}
      aria-selected={isChosen}
      aria-current={of === today ? "date" : undefined}
      // The second click of a double click may be on the day of another month.
      onClickCapture={({ detail }) => {
        if (detail < 2) clicked.current = of;
      }}
      onClick={({ detail }) => (detail < 2 ? onDay(of) : undefined)}
      // A press on a day of another month gives it the focus too: the month turns at its click, not under a drag.
      onFocus={() => (isChosen || isOutside ? undefined : onDay(of))}
      onDblClick={() => onAdd?.(clicked.current)}
    >
      <span class="unseen">{t.calendar.cell(dayInWords(locale, of), here.length)}</span>
      <span class="day-number" aria-hidden="true">
        {Number(of.slice(8))}
      </span>
      <span class="chips" aria-hidden="true">
        {here.slice(0, mostPrinted).map((event) => (
          <Chip key={event.id} event={event} of={of} color={colorOf(event)} onOpen={onOpen} />
        ))}
        {here.length > most ? (
          <span class="more-chips">{t.calendar.more(here.length - most)}</span>
        ) : undefined}
      </span>
    </td>
  );
}

interface ChipProps {
  readonly event: FoundEvent;
  readonly of: Day;
  readonly color: string;
  readonly onOpen: (event: FoundEvent) => void;
}

/** An event in its day, for the pointer; the list beside the grid has it for the keyboard. */
function Chip({ event, of, color, onOpen }: ChipProps): JSX.Element {
  const start = event.shown_start ?? event.start_date;
  const time = event.all_day_event || !start.startsWith(of) ? "" : clockInWords(locale, start);
  return (
    <span
      class={`chip ${event.status}${event.all_day_event ? " all-day" : ""}${event.published ? "" : " draft"}`}
      style={{ "--color": color }}
      title={[shownTitle(event.title), ...event.categories].join(" · ")}
      data-event={event.id}
      data-edge={isAboveHours(event) && spanOf(event)[1] === of ? "side" : ""}
      onClick={(click) => {
        click.stopPropagation();
        onOpen(event);
      }}
    >
      {time === "" ? undefined : <span class="chip-time">{time}</span>}
      <span class="chip-title" dir="auto">
        {shownTitle(event.title)}
      </span>
    </span>
  );
}
