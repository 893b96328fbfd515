import type { Account } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { isRefusal, statusOf } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { root } from "../../api/root.js";
import { useSubmit } from "../../api/submitting.js";
import { differing } from "../../drafts/differing.js";
import { AccentField } from "../../parts/accent-field.js";
import { TextField } from "../../parts/fields.js";
import { failureText, RestoredSection, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { PagePreview } from "../../parts/page-preview.js";
import { PictureField } from "../../parts/pictures.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { completed } from "../../parts/web-address.js";
import { t } from "../../texts/current.js";

/** Who is behind the pages, and what they look like. */
export function Profile(): JSX.Element {
  useTitle(t.profile.title);
  const { value, error, reload } = useLoaded(["account"], () => api.account.get());
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.profile.title}</h1>
      </div>
      <p class="soft">{t.profile.lead}</p>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {value === undefined ? undefined : <ProfileForm key={JSON.stringify(value)} account={value} />}
    </div>
  );
}

const fieldsOf = ({ id: _id, colors: _colors, date_create: _created, ...fields }: Account) => fields;

function ProfileForm({ account }: { readonly account: Account }): JSX.Element {
  const [initial] = useState(() => fieldsOf(account));
  const form = useForm("profile", initial);
  const { fields, set } = form;
  const submit = useSubmit();
  const errors = submit.fields;
  const isKeyTaken = statusOf(submit.error) === 409 && isRefusal(submit.error);
  const save = async (): Promise<void> => {
    const [website, imprint_url, privacy_url] = [
      completed(fields.website),
      completed(fields.imprint_url),
      completed(fields.privacy_url),
    ];
    const sent = { ...fields, website, imprint_url, privacy_url };
    const saved = await submit.run((options) => api.account.update(differing(initial, sent), options));
    if (saved === undefined) return;
    form.saved();
    notify(t.profile.saved, () => api.account.update(differing(sent, initial)));
  };
  return (
    <form
      class="with-preview"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="card section">
        <Names {...{ fields, set, errors }} isKeyTaken={isKeyTaken} />
        <Look {...{ fields, set, errors }} />
        <RestoredSection form={form} />
        <Failure text={isKeyTaken ? t.errors.form : failureText(submit)} />
        <p class="section-foot">
          <button type="submit">{t.save}</button>
        </p>
      </div>
      <aside aria-label={t.profile.previewTitle}>
        <h2>{t.profile.previewTitle}</h2>
        <PagePreview
          name={fields.name}
          accent={fields.accent}
          logo={fields.logo_id}
          cover={fields.picture_id}
          website={fields.website}
          imprint={fields.imprint_url}
          privacy={fields.privacy_url}
        />
      </aside>
    </form>
  );
}

type ProfileFields = ReturnType<typeof fieldsOf>;

interface PartProps {
  readonly fields: ProfileFields;
  readonly set: (changes: Partial<ProfileFields>) => void;
  readonly errors: Readonly<Record<string, string>>;
}

function Names({
  fields,
  set,
  errors,
  isKeyTaken,
}: PartProps & { readonly isKeyTaken: boolean }): JSX.Element {
  return (
    <>
      <TextField
        label={t.profile.name}
        hint={t.profile.nameHint}
        value={fields.name}
        onChange={(name) => set({ name })}
        error={errors["name"]}
      />
      <TextField
        label={t.profile.website}
        isOptional
        value={fields.website}
        onChange={(website) => set({ website })}
        error={errors["website"]}
      />
      <TextField
        label={t.profile.imprint}
        hint={t.profile.imprintHint}
        isOptional
        value={fields.imprint_url}
        onChange={(imprint_url) => set({ imprint_url })}
        error={errors["imprint_url"]}
      />
      <TextField
        label={t.profile.privacy}
        isOptional
        value={fields.privacy_url}
        onChange={(privacy_url) => set({ privacy_url })}
        error={errors["privacy_url"]}
      />
      <TextField
        label={t.profile.key}
        hint={t.profile.keyHint(`${location.host}${root}/o/${fields.key === "" ? "…" : fields.key}`)}
        isOptional
        value={fields.key}
        onChange={(key) => set({ key: key.toLowerCase() })}
        error={isKeyTaken ? t.profile.keyTaken : errors["key"] === undefined ? undefined : t.profile.keyWrong}
      />
    </>
  );
}

function Look({ fields, set, errors }: PartProps): JSX.Element {
  return (
    <>
      <PictureField
        legend={t.profile.logo}
        hint={t.profile.logoHint}
        words={t.profile.logoWords(fields.name)}
        value={{ id: fields.logo_id, alt: fields.logo_alt }}
        onChange={({ id, alt }) => set({ logo_id: id, logo_alt: alt })}
        error={errors["logo_alt"] ?? errors["logo_id"]}
      />
      <AccentField
        value={fields.accent}
        none={t.profile.noAccent}
        onChange={(accent) => set({ accent })}
        error={errors["accent"]}
      />
      <PictureField
        legend={t.profile.cover}
        hint={t.profile.coverHint}
        value={{ id: fields.picture_id, alt: fields.picture_alt }}
        onChange={({ id, alt }) => set({ picture_id: id, picture_alt: alt })}
        error={errors["picture_alt"] ?? errors["picture_id"]}
      />
    </>
  );
}
