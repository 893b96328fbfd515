import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { type Day, isDay } from "../../dates/days.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { notifyFailure } from "../../parts/notices.js";
import { t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

interface Props {
  readonly calendarId: string;
  /** The dates of the series. */
  readonly days: readonly Day[];
  readonly onLeaveOut: (days: readonly Day[]) => void;
}

/** Leaves out many dates at once: those between two days, and those of another calendar, such as that of the school holidays. */
export function LeaveOut({ calendarId, days, onLeaveOut }: Props): JSX.Element {
  const [[from, to], setRange] = useState<readonly [string, string]>(["", ""]);
  const [said, setSaid] = useState("");
  const within = (isOut: (day: Day) => boolean): void => {
    const found = days.slice(1).filter(isOut); // the first date is always one of the series
    setSaid(t.series.leftOutNow(found.length));
    onLeaveOut(found);
  };
  return (
    <div class="leave-out">
      <div class="columns">
        <TextField
          label={t.series.outFrom}
          type="date"
          value={from}
          onChange={(day) => setRange([day, isDay(day) && to < day ? day : to])}
        />
        <TextField label={t.series.outTo} type="date" value={to} onChange={(day) => setRange([from, day])} />
      </div>
      <button
        type="button"
        class="quiet"
        disabled={!isDay(from) || !isDay(to)}
        onClick={() => within((day) => day >= from && day <= to)}
      >
        {t.series.outButton}
      </button>
      <Holidays calendarId={calendarId} days={days} onLeaveOut={within} />
      <p class="hint" role="status">
        {said}
      </p>
    </div>
  );
}

interface HolidaysProps extends Pick<Props, "calendarId" | "days"> {
  readonly onLeaveOut: (isOut: (day: Day) => boolean) => void;
}

/** The days of all whole-day events of another calendar, such as one that is synced from a public file of holidays. */
function Holidays({ calendarId, days, onLeaveOut }: HolidaysProps): JSX.Element | null {
  const { value = [] } = useCalendars();
  const others = value.filter(({ id }) => id !== calendarId);
  const [chosen, setChosen] = useState("");
  if (others.length === 0) return null;
  const choose = async (id: string): Promise<void> => {
    setChosen(id);
    const [from, to] = [days[0], days.at(-1)];
    if (id === "" || from === undefined || to === undefined) return;
    try {
      const events = await api.events
        .list({ calendar_id: id, from, to: `${to}T23:59` })
        .toArray({ limit: 1_000 });
      const free = events.filter((event) => event.all_day_event && event.status !== "cancelled");
      onLeaveOut((day) =>
        free.some(
          ({ start_date: start, end_date: end }) => start.slice(0, 10) <= day && day <= end.slice(0, 10),
        ),
      );
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <ChoiceField
      label={t.series.outHolidays}
      hint={t.series.outHolidaysHint}
      value={chosen}
      options={[["", "–"], ...others.map(({ id, title }) => [id, shownTitle(title)] as const)]}
      onChange={(id) => void choose(id)}
    />
  );
}
