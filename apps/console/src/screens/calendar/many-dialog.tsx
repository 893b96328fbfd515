import type { BatchResult, CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useCalendars } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { sayFailure } from "../../api/failures.js";
import { type Loaded, useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { Colors } from "../../parts/colors.js";
import { Dialog } from "../../parts/dialog.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failure } from "../../parts/states.js";
import { t } from "../../texts/current.js";
import { changeOf, type Chosen, leavesSeries, undoChange, ways } from "./many-change.js";
import { areTold } from "../../parts/soon.js";
import { useTelling } from "../../parts/telling.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly events: readonly FoundEvent[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const nothing: Chosen = { way: "move", days: "0", minutes: "0", value: "" };

/** Changes many events at once, after the server has said of how many it is possible. */
export function ManyDialog({ calendar, events, onDone, onClose }: Props): JSX.Element {
  const form = useForm<Chosen>(`many ${events.map(({ id }) => id).join()}`, nothing);
  const chosen = form.fields;
  const change = changeOf(chosen);
  const submit = useSubmit();
  const { value: tried, error } = useTried(events, chosen);
  const able = events.filter(({ id }) => tried?.event_ids.includes(id) === true);
  const target = chosen.way === "calendar_id" && chosen.value !== "" ? [chosen.value] : [];
  const { told, note, question } = useTelling({
    calendarIds: [calendar.id, ...target],
    concerns: areTold(change, events),
  });
  const save = async (): Promise<void> => {
    if (change === undefined) return;
    const sent = { ...change, ...told, ...note };
    const done = await submit.run((options) => api.events.changeMany(able, sent, options));
    if (done === undefined || !done.done) return;
    form.saved();
    const undo = (): Promise<void> => undoChange(change, able, told);
    notify(t.many.did(able.length), leavesSeries(chosen, able) ? undefined : undo);
    onDone();
  };
  return (
    <Dialog title={t.many.title(events.length)} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ChoiceField
          label={t.many.what}
          value={chosen.way}
          options={ways.map((way) => [way, t.many.ways[way]])}
          onChange={(value) => form.set({ ...nothing, way: ways.find((way) => way === value) ?? "move" })}
        />
        <Value {...{ calendar, chosen }} set={form.set} />
        {question}
        {leavesSeries(chosen, events) ? <p class="wrong">{t.many.noUndo}</p> : undefined}
        <Failure text={error === null ? submit.failure : sayFailure(error)} />
        {tried === undefined || tried === null ? undefined : <Tried tried={tried} events={events} />}
        <div class="dialog-foot">
          <button type="submit" disabled={able.length === 0 || submit.isRunning}>
            {t.many.doIt(able.length)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the change would do: the server tries it with those that it can be done with. */
function useTried(events: readonly FoundEvent[], chosen: Chosen): Loaded<BatchResult | null> {
  const change = changeOf(chosen);
  const ids = events.map(({ id, updated_times }) => `${id}:${updated_times}`);
  return useLoaded(["many", ids.join(), JSON.stringify(change ?? "")], async () =>
    change === undefined ? null : api.events.changeMany(events, change, { dryRun: true, partial: true }),
  );
}

interface ValueProps {
  readonly calendar: CalendarDetails;
  readonly chosen: Chosen;
  readonly set: (more: Partial<Chosen>) => void;
}

/** The fields of a way. */
function Value({ calendar, chosen, set }: ValueProps): JSX.Element | null {
  const { way, days, minutes, value } = chosen;
  const calendars = useCalendars().value?.filter(({ id }) => id !== calendar.id) ?? [];
  const text = { value, hint: t.many.replaces, onChange: (typed: string) => set({ value: typed }) };
  if (way === "move")
    return (
      <div class="times">
        <TextField
          label={t.many.days}
          type="number"
          value={days}
          hint={t.many.moveHint}
          onChange={(typed) => set({ days: typed })}
        />
        <TextField
          label={t.many.minutes}
          type="number"
          value={minutes}
          onChange={(typed) => set({ minutes: typed })}
        />
      </div>
    );
  if (way === "location") return <TextField label={t.event.place} {...text} />;
  if (way === "categories")
    return <TextField label={t.event.categories} {...text} hint={t.event.categoriesHint} />;
  if (way === "color_id")
    return (
      <Colors
        legend={t.event.color}
        paletteId={calendar.palette_id}
        value={value}
        onChange={(id) => set({ value: id })}
      />
    );
  if (way !== "calendar_id") return null;
  return (
    <ChoiceField
      label={t.search.calendar}
      value={value}
      options={[["", "–"], ...calendars.map(({ id, title }) => [id, title] as const)]}
      onChange={(id) => set({ value: id })}
    />
  );
}

function Tried({
  tried,
  events,
}: {
  readonly tried: BatchResult;
  readonly events: readonly FoundEvent[];
}): JSX.Element {
  return (
    <div aria-live="polite">
      <p class="published">{t.many.can(tried.event_ids.length)}</p>
      <ul class="report">
        {tried.failed.map(({ event_id: id, error_type: why }) => (
          <li key={id} class="wrong">
            {t.many.cannot(events.find((event) => event.id === id)?.title ?? id, t.many.why[why])}
          </li>
        ))}
      </ul>
    </div>
  );
}
