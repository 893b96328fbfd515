import type { CalendarDetails, Sync } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords } from "../../dates/words.js";
import { Confirm } from "../../parts/dialog.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { SectionForm, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";

/** The files that the server fetches into a calendar. */
export function Syncs({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const { value, error, reload } = useLoaded(["syncs", calendar.id], () => api.syncs.list(calendar.id));
  return (
    <section class="card section">
      <h2>{t.syncs.title}</h2>
      <p class="soft">{t.syncs.lead}</p>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      <ul class="plain-rows">
        {value?.map((sync) => (
          <Row key={sync.id} sync={sync} />
        ))}
      </ul>
      <Add calendar={calendar} />
    </section>
  );
}

const intervals = (every: string): readonly (readonly [string, string])[] => {
  const usual = Object.entries(t.syncs.intervals);
  return usual.some(([minutes]) => minutes === every)
    ? usual
    : [...usual, [every, t.syncs.minutes(Number(every))]];
};

/** Why it cannot be fetched: in words of the console, or in those of the server where it has none for the kind. */
function reasonOf({ last_error, last_error_code }: Sync): string {
  const known: Readonly<Record<string, string>> = t.syncs.errors;
  return known[last_error_code] ?? last_error;
}

/** Where the file is, and how the last attempt ended. */
function State({ sync }: { readonly sync: Sync }): JSX.Element {
  const { url, status, last_at: last } = sync;
  const why = reasonOf(sync);
  const isNew = status === "ready" && last === "";
  const isWrong = status === "failing";
  return (
    <>
      <p class="row-title" dir="ltr">
        {url} {isNew ? undefined : <span class="badge">{t.syncs.status[status]}</span>}
      </p>
      <p class="soft">
        {last === "" ? t.syncs.never : t.syncs.last(instantInWords(locale, last))} ·{" "}
        {t.syncs.events(sync.events)}
      </p>
      {isWrong && why !== "" ? <p class="wrong">{why}</p> : undefined}
    </>
  );
}

function Row({ sync }: { readonly sync: Sync }): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const { id, url } = sync;
  const run = async (): Promise<void> => {
    if ((await submit.run((options) => api.syncs.run(id, options))) !== undefined) notify(t.syncs.running);
  };
  const change = async (every: string): Promise<void> => {
    const before = sync.every_minutes;
    const saved = await submit.run((options) => api.syncs.update(id, { every_minutes: every }, options));
    if (saved !== undefined) notify(t.calendars.saved, () => api.syncs.update(id, { every_minutes: before }));
  };
  const remove = async (): Promise<void> => {
    setAsks(false);
    const gone = await submit.run((options) => api.syncs.delete(id, options));
    const again = { calendar_id: sync.calendar_id, url, every_minutes: sync.every_minutes };
    if (gone !== undefined) notify(t.syncs.removed, () => api.syncs.create(again));
  };
  return (
    <li class="row">
      <div>
        <State sync={sync} />
        <Failure text={submit.failure} />
      </div>
      <div class="row-actions">
        <ChoiceField
          label={t.syncs.every}
          value={String(sync.every_minutes)}
          options={intervals(String(sync.every_minutes))}
          onChange={(every) => void change(every)}
        />
        <button type="button" class="quiet" onClick={() => void run()}>
          {t.syncs.run}
        </button>
        <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
          {t.syncs.remove}
        </button>
      </div>
      {asks ? (
        <Confirm
          title={t.syncs.remove}
          text={t.syncs.removeSure}
          action={t.syncs.remove}
          isDanger
          onConfirm={() => void remove()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}

function Add({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const form = useForm(`sync ${calendar.id}`, { url: "", every: "60" });
  const { fields, set } = form;
  const submit = useSubmit();
  const add = async (): Promise<void> => {
    const params = { calendar_id: calendar.id, url: fields.url, every_minutes: fields.every };
    const made = await submit.run((options) => api.syncs.create(params, options));
    if (made === undefined) return;
    form.reset();
    notify(t.syncs.added, () => api.syncs.delete(made.id));
  };
  return (
    <SectionForm form={form} failure={submit.failure} action={t.syncs.add} onSave={add}>
      <TextField
        label={t.syncs.url}
        value={fields.url}
        onChange={(url) => set({ url })}
        error={submit.fields["url"]}
      />
      <ChoiceField
        label={t.syncs.every}
        value={fields.every}
        options={intervals(fields.every)}
        onChange={(every) => set({ every })}
      />
    </SectionForm>
  );
}
