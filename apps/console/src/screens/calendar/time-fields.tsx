import type { JSX } from "preact";
import { Field } from "../../parts/fields.js";
import { t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { moveStart } from "./event-fields.js";

/** Start and end in native fields: they show dates as the device does, so Published says them in words. */
export function TimeFields({ fields, set, errors }: BodyProps): JSX.Element {
  const isAllDay = fields.allDay === "true";
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
          onDay={(startDay) => set(moveStart(fields, { startDay }))}
          onTime={(startTime) => set(moveStart(fields, { startTime }))}
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
