import type { CalendarDetails, Event, SeriesDetails, SeriesScope } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { defaultsOf } from "../../api/defaults.js";
import { statusOf } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { type Submit, useSubmit } from "../../api/submitting.js";
import { isDay, minutesBetween } from "../../dates/days.js";
import { whenInWords } from "../../dates/words.js";
import { Confirm, Dialog } from "../../parts/dialog.js";
import { Fields, useForm } from "../../parts/form.js";
import { TextField } from "../../parts/fields.js";
import { locale, t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { Conflict } from "./conflict.js";
import { type EventFields, fieldsOf, isLongNight, newFields, onChosenDay, whenOf } from "./event-fields.js";
import { MoreFields } from "./more-fields.js";
import { EventLinks, OtherActions } from "./other-actions.js";
import { Publication } from "./publication.js";
import { Published } from "./published.js";
import { RepeatFields } from "./repeat-fields.js";
import { leftOutOf, mistakeOf, readSeries, ruleOf, withoutRule } from "./rule-fields.js";
import { sayMistake } from "./rule-words.js";
import { publishes, saveEvent, type Saving } from "./saving.js";
import { ScopeQuestion } from "./scope-question.js";
import { SeriesFields } from "./series-fields.js";
import { useSoonOfSeries, useTelling } from "../../parts/telling.js";
import { TimeFields } from "./time-fields.js";
import { isTold } from "./told-fields.js";

export interface EditorProps {
  readonly calendar: CalendarDetails;
  /** The event; undefined for a new one. */
  readonly event: Event | undefined;
  /** Its series, where it is of one and that could be read. */
  readonly series: SeriesDetails | undefined;
  /** The day of a new one. */
  readonly day: string;
  readonly canWrite: boolean;
  readonly onClose: (day?: string) => void;
}

/** Makes or changes an event. */
export function Editor({ calendar, event, series, day, canWrite, onClose }: EditorProps): JSX.Element {
  const [initial] = useState(() => {
    if (event === undefined) return newFields(day, calendar.timezone, defaultsOf(calendar));
    const rule = series && { ...readSeries(series, event.start_date), except: leftOutOf(series) };
    return fieldsOf(event, rule);
  });
  const form = useForm<EventFields>(`event ${calendar.id} ${event?.id ?? "new"}`, initial);
  const submit = useSubmit();
  const [asksScope, setAsksScope] = useState(false);
  const [asksLong, setAsksLong] = useState(false);
  const [local, setLocal] = useState<Readonly<Record<string, string>>>({});
  const [scope, setScope] = useState<SeriesScope>("this");
  const fields = series === undefined ? onChosenDay(form.fields) : form.fields;
  const hasSoon = useSoonOfSeries(calendar, event?.series_id);
  const concerns = canWrite && isTold({ event, initial, fields }, hasSoon);
  const telling = useTelling({ calendarIds: [calendar.id], concerns });
  const since = beganWith(event, initial, form.older);
  const saving = { calendar, event, series, fields, scope, telling, ...since };
  const save = async (more: Partial<Saving> = {}): Promise<void> => {
    const done = await submit.run((options) => saveEvent({ ...saving, ...more }, options));
    setAsksScope(false);
    if (done === undefined) return;
    form.saved();
    onClose(done);
  };
  const trySave = async (isMeant = false): Promise<void> => {
    const wrong = check(initial, fields);
    setLocal(wrong);
    setAsksLong(false);
    if (Object.keys(wrong).length > 0) return;
    if (!isMeant && isLongNight(fields)) return setAsksLong(true);
    if (event !== undefined && event.series_id !== "" && !publishes(saving)) setAsksScope(true);
    else await save();
  };
  const errors = { ...submit.fields, ...local };
  const shown = { calendar, event, series, errors, set: form.set };
  if (!canWrite) return <ReadOnly {...shown} fields={initial} onClose={() => onClose()} />;
  return (
    <Fields
      form={form}
      submit={submit}
      size="large"
      title={event === undefined ? t.event.add : t.event.edit}
      action={t.save}
      onSave={() => trySave()}
      onClose={() => onClose()}
      others={
        event === undefined ? undefined : <OtherActions calendar={calendar} event={event} onClose={onClose} />
      }
    >
      <Body {...shown} fields={form.fields} />
      {telling.question}
      {event === undefined ? undefined : <EventLinks calendar={calendar} event={event} />}
      {asksLong ? (
        <LongNight fields={fields} onSave={() => trySave(true)} onClose={() => setAsksLong(false)} />
      ) : undefined}
      <Questions {...{ saving, submit, save, asksScope, setScope }} onClose={() => setAsksScope(false)} />
    </Fields>
  );
}

/**
 * What a save began with. What was typed over an older version is saved as of that one: the server refuses it, and both versions are shown.
 * @param older fields that someone else has changed since, as they were; those of a rule are asked about before each save
 */
function beganWith(
  event: Event | undefined,
  initial: EventFields,
  older: Partial<EventFields>,
): Pick<Saving, "initial" | "updatedTimes"> {
  const before = withoutRule(older);
  if (event === undefined || Object.keys(before).length === 0) return { initial };
  return { initial: { ...initial, ...before }, updatedTimes: Math.max(0, event.updated_times - 1) };
}

interface QuestionsProps {
  readonly saving: Saving;
  readonly submit: Submit;
  readonly asksScope: boolean;
  readonly setScope: (scope: SeriesScope) => void;
  readonly save: (more: Partial<Saving>) => Promise<void>;
  readonly onClose: () => void;
}

/** What a save of an event that is there may ask: which events of a series, and whose version of a field. */
export function Questions({
  saving,
  submit,
  save,
  asksScope,
  setScope,
  onClose,
}: QuestionsProps): JSX.Element | null {
  const { event, initial, fields } = saving;
  if (event === undefined) return null;
  const choose = (scope: SeriesScope): Promise<void> => {
    setScope(scope); // kept for the question about another's changes
    return save({ scope });
  };
  const refused = (error: unknown): void => {
    onClose();
    void submit.run(async () => {
      throw error;
    });
  };
  return (
    <>
      {asksScope ? (
        <ScopeQuestion {...{ saving, event, onClose }} onChoose={choose} onRefused={refused} />
      ) : undefined}
      {statusOf(submit.error) === 412 ? (
        <Conflict event={event} initial={initial} mine={fields} onSave={save} onClose={submit.clear} />
      ) : undefined}
    </>
  );
}

/** Without what was typed when it could still be saved. */
function ReadOnly({ onClose, ...props }: BodyProps & { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title={props.fields.title} onClose={onClose} size="large">
      <fieldset disabled>
        <Body {...props} />
      </fieldset>
    </Dialog>
  );
}

interface LongProps {
  readonly fields: EventFields;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
}

/** "It would last 22.5 hours: …". */
function LongNight({ fields, onSave, onClose }: LongProps): JSX.Element {
  const when = whenOf(fields);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const hours = number.format(minutesBetween(when.start, when.end) / 60);
  return (
    <Confirm
      title={t.event.long.title}
      text={t.event.long.text(whenInWords(locale, when), hours)}
      action={t.event.long.save}
      onConfirm={() => void onSave()}
      onClose={onClose}
    />
  );
}

/** What a browser can see without the server, which decides. */
function check(initial: EventFields, fields: EventFields): Readonly<Record<string, string>> {
  if (fields.title.trim() === "") return { title: t.errors.required };
  const times = wrongTimes(fields);
  if (times !== undefined) return times;
  if (fields.published === "at" && fields.publishAt === "") return { publish_at: t.errors.required };
  const mistake = ruleOf(initial) === ruleOf(fields) ? undefined : mistakeOf(fields);
  if (mistake !== undefined) return { [mistake[0]]: sayMistake(mistake) };
  const { start, end } = whenOf(fields);
  return end < start ? { end_date: t.errors.endBeforeStart } : {};
}

/** A date or a time that is missing, or of a year that no month shows. */
function wrongTimes(fields: EventFields): Readonly<Record<string, string>> | undefined {
  const { startDay, startTime, endDay, endTime, allDay } = fields;
  const isEmpty = (day: string, time: string): boolean => day === "" || (allDay !== "true" && time === "");
  if (isEmpty(startDay, startTime)) return { start_date: t.errors.required };
  if (!isDay(startDay)) return { start_date: t.errors.years };
  if (isEmpty(endDay, endTime)) return { end_date: t.errors.required };
  return isDay(endDay) ? undefined : { end_date: t.errors.years };
}

function Body(props: BodyProps): JSX.Element {
  const { event, fields, set, errors } = props;
  const initialPublished =
    event === undefined || event.published ? "true" : event.publish_at === "" ? "false" : "at";
  return (
    <>
      {event === undefined || event.sync_id === "" ? undefined : <p class="notice">{t.syncs.note}</p>}
      <TextField
        label={t.event.title}
        value={fields.title}
        onChange={(title) => set({ title })}
        error={errors["title"]}
      />
      <TimeFields {...props} />
      {props.series === undefined ? (
        <RepeatFields {...props} />
      ) : fields.published === initialPublished ? (
        <SeriesFields {...props} series={props.series} />
      ) : (
        <p class="wrong">{t.draft.alone}</p>
      )}
      <TextField
        label={t.event.place}
        list="known-places"
        value={fields.location}
        onChange={(location) => set({ location })}
        error={errors["location"]}
      />
      <Places calendarId={props.calendar.id} />
      <Published {...props} fields={props.series === undefined ? onChosenDay(fields) : fields} />
      <TextField
        label={t.event.text}
        isLong
        value={fields.description}
        onChange={(description) => set({ description })}
        error={errors["description"]}
      />
      {props.series === undefined || initialPublished !== "true" ? <Publication {...props} /> : undefined}
      <MoreFields {...props} />
    </>
  );
}

/** The places of the events that were made last, as suggestions. */
function Places({ calendarId }: { readonly calendarId: string }): JSX.Element {
  const { value } = useLoaded(["places", calendarId], async () => {
    const events = await api.events.list({ calendar_id: calendarId }).toArray({ limit: 100 });
    return [...new Set(events.map(({ location }) => location))].filter((place) => place !== "");
  });
  return (
    <datalist id="known-places">
      {value?.map((place) => (
        <option key={place} value={place} />
      ))}
    </datalist>
  );
}
