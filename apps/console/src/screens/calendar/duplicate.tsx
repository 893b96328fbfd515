import type { Event } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { useSubmit } from "../../api/submitting.js";
import { addDays, firstDay, isDay, lastDay } from "../../dates/days.js";
import { dayInWords } from "../../dates/words.js";
import { Dialog } from "../../parts/dialog.js";
import { useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failure } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { isKnownSoon } from "../../parts/soon.js";
import { useTelling } from "../../parts/telling.js";
import { removeNew } from "./undo-series.js";

interface Props {
  readonly event: Event;
  readonly onDone: (day?: string) => void;
  readonly onClose: () => void;
}

/** Copies an event to other dates, at its time of day. */
export function Duplicate({ event, onDone, onClose }: Props): JSX.Element {
  const submit = useSubmit();
  const [day = "", time] = event.start_date.split("T");
  const form = useForm(`copy ${event.id}`, { dates: addDays(day, 7) });
  const dates = form.fields.dates.split(" ");
  const setDates = (next: readonly string[]): void => form.set({ dates: next.join(" ") });
  const filled = dates.filter(isDay);
  const isSoon = filled.some((date) => isKnownSoon({ ...event, start_date: date, end_date: date }));
  const { told, note, question } = useTelling({ calendarIds: [event.calendar_id], concerns: isSoon });
  const copy = async (): Promise<void> => {
    const starts = filled.map((date) => (time === undefined ? date : `${date}T${time}`));
    const ids = await submit.run((options) =>
      api.events.copy(event.id, starts, { ...options, ...told, ...note }),
    );
    if (ids === undefined) return;
    form.saved();
    notify(t.event.duplicated(ids.length), () => removeNew(ids, told));
    onDone(filled[0]);
  };
  return (
    <Dialog title={t.event.duplicate} onClose={onClose}>
      <p class="soft">{t.event.duplicateText}</p>
      <fieldset class="date-list">
        <legend>{t.event.onDates}</legend>
        {dates.map((date, index) => (
          <div key={index}>
            <input
              type="date"
              aria-label={`${t.event.onDates} ${index + 1}`}
              value={date}
              min={firstDay}
              max={lastDay}
              onInput={({ currentTarget: { value } }) => setDates(dates.with(index, value))}
            />
            {!isDay(date) ? undefined : <p class="hint">{dayInWords(locale, date)}</p>}
          </div>
        ))}
      </fieldset>
      {question}
      <Failure text={submit.failure} />
      <div class="dialog-foot">
        <button
          type="button"
          class="quiet"
          onClick={() => setDates([...dates, addDays(filled.at(-1) ?? day, 7)])}
        >
          {t.event.addDate}
        </button>
        <button type="button" disabled={filled.length === 0} onClick={() => void copy()}>
          {t.event.duplicate}
        </button>
      </div>
    </Dialog>
  );
}
