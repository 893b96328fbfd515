import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { invitePerson } from "../../api/people.js";
import type { Role } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { Dialog } from "../../parts/dialog.js";
import { ChoiceField, CopyField, TextField } from "../../parts/fields.js";
import { Fields, useForm } from "../../parts/form.js";
import { t } from "../../texts/current.js";

const roles: readonly Role[] = ["editor", "viewer", "owner"];

/** Makes a person and the link by which she joins. */
export function Invite({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const form = useForm("person", { name: "", role: "editor", calendars: "", sees: "" });
  const { fields, set } = form;
  const calendars = useCalendars().value ?? [];
  const submit = useSubmit();
  const [link, setLink] = useState("");
  const save = async (): Promise<void> => {
    const made = await submit.run(() => invitePerson(fields));
    if (made === undefined) return;
    form.saved();
    setLink(made);
  };
  if (link !== "")
    return (
      <Dialog title={t.people.link} onClose={onClose}>
        <p>{t.people.linkText}</p>
        <CopyField label={t.people.link} value={link} />
      </Dialog>
    );
  return (
    <Fields
      form={form}
      submit={submit}
      title={t.people.invite}
      action={t.people.make}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={t.people.name}
        value={fields.name}
        onChange={(name) => set({ name })}
        error={submit.fields["name"]}
      />
      <ChoiceField
        label={t.people.role}
        value={fields.role}
        options={roles.map((role) => [role, t.people.roles[role]])}
        onChange={(role) => set({ role })}
        error={submit.fields["role"]}
      />
      <ChoiceField
        label={t.people.where}
        value={fields.calendars}
        options={[["", t.people.all], ...calendars.map(({ id, title }) => [id, title] as const)]}
        onChange={(value) => set({ calendars: value })}
        error={submit.fields["calendar_ids"]}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={fields.sees === "true"}
          onChange={(event) => set({ sees: event.currentTarget.checked ? "true" : "" })}
        />
        {t.people.sees}
      </label>
    </Fields>
  );
}
