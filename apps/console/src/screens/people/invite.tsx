import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { type Invitation, invitePerson, type Person, updatePerson } from "../../api/people.js";
import type { Role } from "../../api/session.js";
import { type Submit, useSubmit } from "../../api/submitting.js";
import { Dialog } from "../../parts/dialog.js";
import { ChoiceField, CopyField, TextField } from "../../parts/fields.js";
import { Fields, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { t } from "../../texts/current.js";

const fieldsOf = (
  { name, grants }: Pick<Person, "name" | "grants"> = { name: "", grants: [] },
): Invitation => ({
  name,
  role: grants[0]?.role ?? "editor",
  calendars: grants.map(({ calendar_id }) => calendar_id).join(","),
  // An owner sees followers by that role alone, so the sight ends with it unless the box is ticked.
  sees: grants.some(({ role, sees_followers }) => role !== "owner" && sees_followers) ? "true" : "",
});

const roles: readonly Role[] = ["editor", "viewer", "owner"];

interface Props {
  /** Who is changed; undefined of someone new. */
  readonly person?: Person | undefined;
  readonly onClose: () => void;
}

/** Makes a person and the link by which she joins; or changes what a person may do. */
export function Invite({ person, onClose }: Props): JSX.Element {
  const [initial] = useState(() => fieldsOf(person));
  const form = useForm<Invitation>(`person ${person?.id ?? ""}`, initial);
  const { fields, set } = form;
  const submit = useSubmit();
  const [link, setLink] = useState("");
  const save = async (): Promise<void> => {
    const made = await submit.run(() =>
      person === undefined ? invitePerson(fields) : updatePerson(person.id, initial, fields).then(() => ""),
    );
    if (made === undefined) return;
    form.saved();
    if (person === undefined) return setLink(made);
    notify(t.people.changed(fields.name), () => updatePerson(person.id, fields, initial));
    onClose();
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
      title={person === undefined ? t.people.invite : person.name}
      action={person === undefined ? t.people.make : t.save}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={t.people.name}
        value={fields.name}
        onChange={(name) => set({ name })}
        error={submit.fields["name"]}
      />
      <Rights {...{ fields, set }} before={initial.calendars} errors={submit.fields} />
    </Fields>
  );
}

interface RightsProps {
  readonly fields: Invitation;
  readonly set: (changes: Partial<Invitation>) => void;
  readonly errors: Submit["fields"];
  /** Ids of the calendars that the person has: of several, the form offers them together. */
  readonly before: string;
}

/** What the person may do, and where. */
function Rights({ fields, set, errors, before }: RightsProps): JSX.Element {
  const calendars = useCalendars().value ?? [];
  const ids = before.split(",");
  const titles = calendars.flatMap(({ id, title }) => (ids.includes(id) ? [title] : []));
  const several = ids.length < 2 ? [] : ([[before, titles.join(", ")]] as const);
  const isOwner = fields.role === "owner";
  return (
    <>
      <ChoiceField
        label={t.people.role}
        value={fields.role}
        options={roles.map((role) => [role, t.people.roles[role]])}
        onChange={(role) => set({ role })}
        error={errors["role"]}
      />
      <ChoiceField
        label={t.people.where}
        value={fields.calendars}
        options={[["", t.people.all], ...several, ...calendars.map(({ id, title }) => [id, title] as const)]}
        onChange={(value) => set({ calendars: value })}
        error={errors["calendar_ids"]}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isOwner || fields.sees === "true"}
          disabled={isOwner}
          onChange={(event) => set({ sees: event.currentTarget.checked ? "true" : "" })}
        />
        {t.people.sees}
      </label>
    </>
  );
}
