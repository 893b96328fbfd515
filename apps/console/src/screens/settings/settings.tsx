import type { CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useZones } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { differing } from "../../drafts/differing.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { Dialog } from "../../parts/dialog.js";
import { Palettes } from "../../parts/colors.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { failureText, SectionForm, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { go } from "../../router/location.js";
import { t } from "../../texts/current.js";
import { Categories } from "./categories.js";
import { Defaults } from "./defaults.js";
import { Look } from "./look.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** The texts of a calendar, its zone and its colours, and its deletion. */
export function Settings({ session, id }: Props): JSX.Element {
  const role = roleOn(session, id);
  return (
    <CalendarPage id={id} current="settings">
      {(calendar) => (
        <div class="sections">
          <fieldset class="card section" disabled={role === "viewer"}>
            <Texts key={calendar.date_modified} calendar={calendar} />
          </fieldset>
          <fieldset class="card section" disabled={role === "viewer"}>
            <Look key={calendar.date_modified} calendar={calendar} />
          </fieldset>
          <Categories calendar={calendar} canWrite={role !== "viewer"} />
          <fieldset class="card section" disabled={role === "viewer"}>
            <Defaults key={calendar.date_modified} calendar={calendar} />
          </fieldset>
          {role === "owner" ? <Remove calendar={calendar} /> : undefined}
        </div>
      )}
    </CalendarPage>
  );
}

const textsOf = ({ title, timezone, description, palette_id }: CalendarDetails) => ({
  title,
  timezone,
  description: description.replaceAll("\r\n", "\n"),
  palette_id,
});

function Texts({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const [initial] = useState(() => textsOf(calendar));
  const form = useForm(`settings ${calendar.id}`, initial);
  const { fields, set } = form;
  const submit = useSubmit();
  const zones = useZones();
  const save = async (): Promise<void> => {
    const saved = await submit.run((options) =>
      api.calendars.update(calendar.id, differing(initial, fields), options),
    );
    if (saved === undefined) return;
    form.saved();
    notify(t.calendars.saved, () => api.calendars.update(calendar.id, differing(fields, initial)));
  };
  return (
    <SectionForm form={form} failure={failureText(submit)} onSave={save}>
      <h2>{t.settings.title}</h2>
      <TextField
        label={t.calendars.name}
        value={fields.title}
        onChange={(title) => set({ title })}
        error={submit.fields["title"]}
      />
      <TextField
        label={t.calendars.description}
        isOptional
        isLong
        value={fields.description}
        onChange={(description) => set({ description })}
        error={submit.fields["description"]}
      />
      <ChoiceField
        label={t.calendars.zone}
        hint={t.calendars.zoneHint}
        value={fields.timezone}
        options={[...new Set([fields.timezone, ...zones])].map((zone) => [zone, zone.replaceAll("_", " ")])}
        onChange={(timezone) => set({ timezone })}
        error={submit.fields["timezone"]}
      />
      <Palettes value={fields.palette_id} onChange={(palette_id) => set({ palette_id })} />
    </SectionForm>
  );
}

function Remove({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const submit = useSubmit();
  const remove = async (): Promise<void> => {
    const gone = await submit.run((options) => api.calendars.remove(calendar.id, options));
    if (gone === undefined) return;
    notify(t.settings.removed(calendar.title), () => api.trash.restoreCalendar(calendar.id));
    go("/");
  };
  return (
    <section class="card section">
      <h2>{t.settings.remove}</h2>
      <p class="soft">{t.settings.removeText(calendar.followers_active)}</p>
      <button type="button" class="quiet danger" onClick={() => setOpen(true)}>
        {t.settings.remove} …
      </button>
      {isOpen ? (
        <Dialog title={t.settings.remove} onClose={() => setOpen(false)}>
          <p>{t.settings.removeText(calendar.followers_active)}</p>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed.trim() === calendar.title.trim()) void remove();
            }}
          >
            <TextField
              label={t.settings.typeName(calendar.title)}
              value={typed}
              onChange={setTyped}
              error={submit.failure}
            />
            <div class="dialog-foot">
              <button type="submit" class="danger filled" disabled={typed.trim() !== calendar.title.trim()}>
                {t.event.remove}
              </button>
            </div>
          </form>
        </Dialog>
      ) : undefined}
    </section>
  );
}
