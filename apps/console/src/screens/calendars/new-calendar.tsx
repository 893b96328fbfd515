import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { useSubmit } from "../../api/submitting.js";
import { Fields, useForm } from "../../parts/form.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { notify } from "../../parts/notices.js";
import { useZones } from "../../api/calendars.js";
import { go } from "../../router/location.js";
import { calendarPath } from "../../router/routes.js";
import { t } from "../../texts/current.js";

/** The dialog that makes a calendar, and goes there. */
export function NewCalendar({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm("calendar", { title: "", timezone: here, description: "" });
  const zones = useZones();
  const submit = useSubmit();
  const save = async (): Promise<void> => {
    const made = await submit.run((options) => api.calendars.add({ ...form.fields }, options));
    if (made === undefined) return;
    form.saved();
    onClose();
    notify(t.calendars.created(made.title));
    go(calendarPath(made.id));
  };
  return (
    <Fields
      form={form}
      submit={submit}
      title={t.calendars.add}
      action={t.calendars.create}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={t.calendars.name}
        hint={t.calendars.nameHint}
        value={form.fields.title}
        onChange={(title) => form.set({ title })}
        error={submit.fields["title"]}
      />
      <ChoiceField
        label={t.calendars.zone}
        hint={t.calendars.zoneHint}
        value={form.fields.timezone}
        options={(zones.length === 0 ? [here] : zones).map((zone) => [zone, zone.replaceAll("_", " ")])}
        onChange={(timezone) => form.set({ timezone })}
        error={submit.fields["timezone"]}
      />
      <TextField
        label={t.calendars.description}
        isOptional
        isLong
        value={form.fields.description}
        onChange={(description) => form.set({ description })}
        error={submit.fields["description"]}
      />
    </Fields>
  );
}
