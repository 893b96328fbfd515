import type { CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { type Defaults as DefaultFields, defaultsOf, withDefaults } from "../../api/defaults.js";
import { useSubmit } from "../../api/submitting.js";
import { differing } from "../../drafts/differing.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { SectionForm, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { t } from "../../texts/current.js";

/** What a new event of a calendar begins with. */
export function Defaults({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const [initial] = useState(() => defaultsOf(calendar));
  const form = useForm(`defaults ${calendar.id}`, initial);
  const { fields, set } = form;
  const submit = useSubmit();
  const save = async (): Promise<void> => {
    const write = async (
      changes: Partial<DefaultFields>,
      options?: { readonly idempotencyKey: string },
    ): Promise<CalendarDetails> => {
      const custom_data = withDefaults(await api.calendars.get(calendar.id), changes);
      return api.calendars.update(calendar.id, { custom_data }, options);
    };
    const saved = await submit.run((options) => write(differing(initial, fields), options));
    if (saved === undefined) return;
    form.saved();
    notify(t.defaults.saved, () => write(differing(fields, initial)));
  };
  return (
    <SectionForm form={form} failure={submit.failure} onSave={save}>
      <h2>{t.defaults.title}</h2>
      <p class="soft">{t.defaults.lead}</p>
      <div class="columns">
        <TextField
          label={t.defaults.length}
          type="number"
          value={fields.length}
          onChange={(length) => set({ length })}
        />
        <ChoiceField
          label={t.event.reminder}
          value={fields.reminder}
          options={Object.entries(t.event.reminders)}
          onChange={(reminder) => set({ reminder })}
        />
      </div>
      <TextField label={t.event.place} value={fields.location} onChange={(location) => set({ location })} />
    </SectionForm>
  );
}
