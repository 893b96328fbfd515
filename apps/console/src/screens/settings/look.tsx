import type { CalendarChanges, CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { differing } from "../../drafts/differing.js";
import { AccentField } from "../../parts/accent-field.js";
import { failureText, SectionForm, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { PagePreview } from "../../parts/page-preview.js";
import { PictureField } from "../../parts/pictures.js";
import { t } from "../../texts/current.js";

const lookOf = ({ accent, picture_id, picture_alt, listed }: CalendarDetails) => ({
  accent,
  picture_id,
  picture_alt,
  listed: String(listed),
});

type LookFields = ReturnType<typeof lookOf>;

function changesOf(from: LookFields, to: LookFields): CalendarChanges {
  const { listed, ...look } = differing(from, to);
  return { ...look, ...(listed === undefined ? {} : { listed: listed === "true" ? "true" : "false" }) };
}

/** What of the calendar's pages is not as the profile has it, and whether the portal shows it. */
export function Look({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const [initial] = useState(() => lookOf(calendar));
  const form = useForm(`look ${calendar.id}`, initial);
  const { fields, set } = form;
  const submit = useSubmit();
  const save = async (): Promise<void> => {
    const saved = await submit.run((options) =>
      api.calendars.update(calendar.id, changesOf(initial, fields), options),
    );
    if (saved === undefined) return;
    form.saved();
    notify(t.calendars.saved, () => api.calendars.update(calendar.id, changesOf(fields, initial)));
  };
  return (
    <SectionForm form={form} failure={failureText(submit)} onSave={save}>
      <h2>{t.look.title}</h2>
      <p class="soft">{t.look.lead}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.listed === "true"}
          onChange={({ currentTarget }) => set({ listed: String(currentTarget.checked) })}
        />
        {t.look.listed}
      </label>
      <AccentField
        value={fields.accent}
        none={t.look.noAccent}
        onChange={(accent) => set({ accent })}
        error={submit.fields["accent"]}
      />
      <PictureField
        legend={t.profile.cover}
        hint={t.look.coverHint}
        value={{ id: fields.picture_id, alt: fields.picture_alt }}
        onChange={({ id, alt }) => set({ picture_id: id, picture_alt: alt })}
        error={submit.fields["picture_alt"] ?? submit.fields["picture_id"]}
      />
      <Preview calendar={calendar} fields={fields} />
    </SectionForm>
  );
}

interface PreviewProps {
  readonly calendar: CalendarDetails;
  readonly fields: LookFields;
}

/** The page with what the calendar has of its own, and the rest of the profile. */
function Preview({ calendar, fields }: PreviewProps): JSX.Element | null {
  const account = useLoaded(["account"], () => api.account.get()).value;
  if (account === undefined) return null;
  return (
    <PagePreview
      name={calendar.title}
      accent={fields.accent === "" ? account.accent : fields.accent}
      logo={account.logo_id}
      cover={fields.picture_id === "" ? account.picture_id : fields.picture_id}
      website={account.website}
      imprint={account.imprint_url}
      privacy={account.privacy_url}
    />
  );
}
