import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { api } from "../../api/client.js";
import { fieldFailures, sayFailure } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { type Day, isDay } from "../../dates/days.js";
import { dayInWords, firstWeekday, shortDay, shortDayOfYear, whenInWords } from "../../dates/words.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { locale, t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { useClockNotes } from "./clock.js";
import { type ClockNote, type EventFields, hasTimes, onChosenDay, whenOf } from "./event-fields.js";
import {
  codeOf,
  exceptOf,
  frequencies,
  isLastOf,
  type Mistake,
  mistakeOf,
  ruleOf,
  weekdayCodes,
} from "./rule-fields.js";
import { LeaveOut } from "./leave-out.js";
import { dayOfMonth, sayMistake, weekdayOf } from "./rule-words.js";

/** How often an event repeats, and which dates that makes: the server computes them. */
export function RepeatFields({ calendar, fields, series, set, errors }: BodyProps): JSX.Element {
  const freq = frequencies.find((each) => each === fields.freq);
  const none: readonly [string, string] =
    series === undefined ? ["", t.series.never] : ["CUSTOM", t.series.asItIs];
  const hasNone = series === undefined || fields.rule !== "";
  const begin = series === undefined ? onChosenDay : (same: EventFields) => same;
  const begun = begin(fields);
  const onExcept = (except: string): void => set({ except });
  return (
    <div class="repeat">
      <ChoiceField
        label={t.series.repeat}
        value={fields.freq}
        options={[
          ...(hasNone ? [none] : []),
          ...frequencies.map((each) => [each, t.series.every[each]] as const),
        ]}
        onChange={(value) => set({ freq: value })}
        error={fields.ends === "until" ? undefined : errors["rrule"]}
      />
      {freq === "WEEKLY" ? (
        <Weekdays fields={fields} set={(changes) => set(begin({ ...fields, ...changes }))} />
      ) : undefined}
      {begun.startDay === fields.startDay ? undefined : (
        <p class="notice">{t.series.firstOn(dayInWords(locale, begun.startDay))}</p>
      )}
      {freq === "MONTHLY" ? <OnDay fields={fields} set={set} /> : undefined}
      {freq === undefined ? undefined : (
        <div class="times">
          <TextField
            label={t.series.howMany[freq]}
            type="number"
            value={fields.interval}
            onChange={(interval) => set({ interval })}
            hint={mistakeIn(fields, "interval")}
            error={errors["interval"]}
          />
          <End {...{ fields, set, errors }} />
        </div>
      )}
      {series === undefined ? undefined : <p class="hint">{t.series.fromHere}</p>}
      {ruleOf(fields) === "" ? (
        <OnceNotes fields={fields} />
      ) : (
        <Dates calendarId={calendar.id} fields={begun} onExcept={onExcept} />
      )}
    </div>
  );
}

type PartProps = Pick<BodyProps, "fields" | "set">;

/** The days of a week, that of the start among them. */
function Weekdays({ fields, set }: PartProps): JSX.Element {
  const chosen = new Set((fields.days === "" ? codeOf(fields.startDay) : fields.days).split(","));
  const first = firstWeekday(locale) - 1;
  const toggle = (code: string): void => {
    const next = weekdayCodes.filter((each) => (each === code) !== chosen.has(each));
    if (next.length > 0) set({ days: next.join(",") });
  };
  return (
    <fieldset class="weekdays">
      <legend>{t.series.weekdays}</legend>
      {weekdayCodes.map((_, index) => {
        const code = weekdayCodes[(first + index) % 7] ?? "MO";
        return (
          <label key={code} class="weekday">
            <input
              type="checkbox"
              aria-label={weekdayOf(code)}
              checked={chosen.has(code)}
              onChange={({ currentTarget }) => {
                toggle(code);
                currentTarget.checked ||= chosen.size === 1; // the last one stays
              }}
            />
            <span aria-hidden="true">{weekdayOf(code, "short")}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Which day of each month. */
function OnDay({ fields, set }: PartProps): JSX.Element {
  const { startDay, by } = fields;
  const day = startDay === "" ? "2024-01-01" : startDay;
  const ways = ["", "nth", ...(isLastOf(day) ? ["last"] : [])];
  return (
    <ChoiceField
      label={t.series.dayOfMonth}
      value={by}
      options={ways.map((way) => [way, dayOfMonth(way, day)])}
      onChange={(way) => set({ by: way })}
    />
  );
}

function End({ fields, set, errors }: Pick<BodyProps, "fields" | "set" | "errors">): JSX.Element {
  return (
    <div>
      <ChoiceField
        label={t.series.ends}
        value={fields.ends}
        options={[
          ["count", t.series.endsAfter],
          ["until", t.series.endsOn],
          ["never", t.series.endsNever],
        ]}
        onChange={(ends) => set({ ends })}
      />
      {fields.ends === "count" ? (
        <TextField
          label={t.series.count}
          type="number"
          hint={mistakeIn(fields, "count")}
          value={fields.count}
          onChange={(count) => set({ count })}
          error={errors["count"]}
        />
      ) : undefined}
      {fields.ends === "until" ? (
        <TextField
          label={t.series.until}
          type="date"
          hint={
            mistakeIn(fields, "until") ?? (isDay(fields.until) ? dayInWords(locale, fields.until) : undefined)
          }
          value={fields.until}
          onChange={(until) => set({ until })}
          error={errors["until"] ?? errors["rrule"]}
        />
      ) : undefined}
    </div>
  );
}

/** What is wrong with a field of the rule, while it is typed. */
function mistakeIn(fields: EventFields, name: Mistake[0]): string | undefined {
  const mistake = mistakeOf(fields);
  return mistake?.[0] === name ? sayMistake(mistake) : undefined;
}

/** Dates that are listed before "and 12 more". */
const most = 6;

interface DatesProps {
  readonly calendarId: string;
  readonly fields: EventFields;
  readonly onExcept: (days: string) => void;
}

/** The dates of the rule, and which of them a change of the clock moves. */
function Dates({ calendarId, fields, onExcept }: DatesProps): JSX.Element | null {
  const { start, allDay } = whenOf(fields);
  const rrule = ruleOf(fields);
  const isReady = hasTimes(fields) && mistakeOf(fields) === undefined;
  const { timezone } = fields;
  const { value: read, error } = useLoaded(["dates", isReady ? start : "", timezone, rrule], async () => {
    if (!isReady) return null;
    const all_day_event = allDay ? "true" : "false";
    return api.events.series.preview({ start_date: start, timezone, all_day_event, rrule });
  });
  // While other dates are read those of before stay: what is open in them would close.
  const last = useRef(read);
  last.current = read ?? last.current;
  const value = last.current;
  if (error !== null) return <p class="wrong">{fieldFailures(error)["rrule"] ?? sayFailure(error)}</p>;
  if (value === undefined || value === null) return null;
  const days = value.dates.map((date) => date.slice(0, 10));
  const out = new Set(exceptOf(fields));
  const left = days.filter((day) => !out.has(day));
  const count = value.count - (days.length - left.length);
  return (
    <div>
      <p class="dates" aria-live="polite">
        {t.series.dates(count, value.endless)}{" "}
        {left
          .slice(0, most)
          .flatMap((day, index) => [
            <span key={day}>{shortDay(locale, day) + (index + 1 < count ? "\u00a0·" : "")}</span>,
            " ",
          ])}
        {count > most ? t.series.moreDates(count - most) : ""}
      </p>
      <Notes notes={value.notes.filter(({ date }) => !out.has(date.slice(0, 10)))} />
      <Except
        {...{ calendarId, days, left }}
        elsewhere={[...out].filter((day) => !days.includes(day))}
        onExcept={onExcept}
      />
    </div>
  );
}

interface ExceptProps {
  readonly calendarId: string;
  /** All dates of the rule, and those that are not left out. */
  readonly days: readonly Day[];
  readonly left: readonly Day[];
  /** Days that are left out and are not listed, such as those before this event: they stay so. */
  readonly elsewhere: readonly Day[];
  readonly onExcept: (days: string) => void;
}

/** The dates with a tick at each that takes place, such as in no holidays. */
function Except({ calendarId, days, left, elsewhere, onExcept }: ExceptProps): JSX.Element {
  const out = days.filter((day) => !left.includes(day));
  const leave = (those: readonly Day[]): void =>
    onExcept([...new Set([...elsewhere, ...those])].toSorted().join(","));
  const toggle = (day: Day): void =>
    leave(out.includes(day) ? out.filter((each) => each !== day) : [...out, day]);
  return (
    <details class="more">
      <summary>{out.length === 0 ? t.series.leaveOut : t.series.leftOut(out.length)}</summary>
      <LeaveOut {...{ calendarId, days }} onLeaveOut={(more) => leave([...out, ...more])} />
      <fieldset>
        <legend>{t.series.ticked}</legend>
        <div class="columns">
          {days.map((day, index) => (
            <label key={day} class="check">
              <input
                type="checkbox"
                checked={left.includes(day)}
                disabled={index === 0}
                onChange={() => toggle(day)}
              />
              {shortDayOfYear(locale, day)}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}

function OnceNotes({ fields }: { readonly fields: EventFields }): JSX.Element {
  return (
    <div aria-live="polite">
      <Notes notes={useClockNotes(fields)} />
    </div>
  );
}

function Notes({ notes }: { readonly notes: readonly ClockNote[] }): JSX.Element {
  const say = (wall: string): string => whenInWords(locale, { start: wall, end: wall, allDay: false });
  return (
    <>
      {notes.map(({ date, becomes }) => (
        <p key={date} class="wrong">
          {t.series.becomes(say(date), say(becomes))}
        </p>
      ))}
    </>
  );
}
