import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { firstDay, isDay, lastDay } from "../../dates/days.js";
import { Field } from "../../parts/fields.js";
import { t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { type EventFields, moveStart } from "./event-fields.js";

/** Start and end in native fields: they show dates as the device does, so Published says them in words. */
export function TimeFields({ fields, set, errors }: BodyProps): JSX.Element {
  const isAllDay = fields.allDay === "true";
  const { startDay: day, startTime: time } = fields;
  const last = useRef({ startDay: day, startTime: time });
  if (isDay(day) && time !== "") last.current = { startDay: day, startTime: time };
  const move = (changes: Partial<EventFields>): void => set(moveStart(fields, changes, last.current));
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isAllDay}
          onChange={(event) => set({ allDay: String(event.currentTarget.checked) })}
        />
        {t.event.allDay}
      </label>
      <div class="times">
        <Moment
          name={t.event.start}
          day={fields.startDay}
          time={isAllDay ? undefined : fields.startTime}
          error={errors["start_date"]}
          onDay={(startDay) => move({ startDay })}
          onTime={(startTime) => move({ startTime })}
        />
        <Moment
          name={t.event.end}
          day={fields.endDay}
          time={isAllDay ? undefined : fields.endTime}
          error={errors["end_date"]}
          onDay={(endDay) => set({ endDay })}
          onTime={(endTime) => set({ endTime })}
        />
      </div>
    </>
  );
}

interface MomentProps {
  readonly name: string;
  readonly day: string;
  readonly time: string | undefined;
  readonly error: string | undefined;
  readonly onDay: (day: string) => void;
  readonly onTime: (time: string) => void;
}

function Moment({ name, day, time, error, onDay, onTime }: MomentProps): JSX.Element {
  return (
    <Field label={name} error={error}>
      {(control) => (
        <span class="moment">
          <input
            {...control}
            type="date"
            aria-label={t.event.date(name)}
            value={day}
            min={firstDay}
            max={lastDay}
            onInput={(event) => onDay(event.currentTarget.value)}
          />
          {time === undefined ? undefined : (
            <input
              type="time"
              aria-label={t.event.time(name)}
              value={time}
              onInput={(event) => onTime(event.currentTarget.value)}
            />
          )}
        </span>
      )}
    </Field>
  );
}
