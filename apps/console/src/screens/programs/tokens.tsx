import type { Token } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords } from "../../dates/words.js";
import { Confirm, Dialog } from "../../parts/dialog.js";
import { ChoiceField, CopyField, TextField } from "../../parts/fields.js";
import { Fields, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";

export function Tokens(): JSX.Element {
  const { value, error, reload } = useLoaded(["tokens"], () => api.tokens.list().toArray({ limit: 200 }));
  const [isAdding, setAdding] = useState(false);
  return (
    <section class="card section">
      <h2>{t.programs.tokens}</h2>
      <p class="soft">{t.programs.tokensText}</p>
      <button type="button" class="quiet" onClick={() => setAdding(true)}>
        {t.programs.create} …
      </button>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      <ul class="plain-rows">
        {value?.map((token) => (
          <Row key={token.id} token={token} />
        ))}
      </ul>
      {isAdding ? <NewToken onClose={() => setAdding(false)} /> : undefined}
    </section>
  );
}

function Row({ token }: { readonly token: Token }): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const { name, scope, status, ends_in: end, date_used: used, date_expires: expires } = token;
  const revoke = async (): Promise<void> => {
    setAsks(false);
    const done = await submit.run((options) => api.tokens.revoke(token.id, options));
    if (done !== undefined) notify(t.programs.revoked);
  };
  const facts = [
    t.programs.scopes[scope],
    t.programs.ends(end),
    used === "" ? t.programs.unused : t.programs.used(instantInWords(locale, used)),
    expires === "" ? "" : t.programs.expires(instantInWords(locale, expires)),
  ];
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="auto">
          {name} {status === "valid" ? undefined : <span class="badge">{t.programs.states[status]}</span>}
        </p>
        <p class="soft">{facts.filter((fact) => fact !== "").join(" · ")}</p>
        <Failure text={submit.failure} />
      </div>
      {status === "valid" ? (
        <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
          {t.programs.revoke}
        </button>
      ) : undefined}
      {asks ? (
        <Confirm
          title={t.programs.revoke}
          text={t.programs.revokeSure(name)}
          action={t.programs.revoke}
          isDanger
          onConfirm={() => void revoke()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}

/** Makes a token, and shows it once. */
function NewToken({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const form = useForm("token", { name: "", scope: "read", days: "90" });
  const { fields, set } = form;
  const submit = useSubmit();
  const [secret, setSecret] = useState("");
  const save = async (): Promise<void> => {
    const scope = fields.scope === "write" ? "write" : "read";
    const days = fields.days === "" ? {} : { expires_in_days: fields.days };
    const made = await submit.run((options) =>
      api.tokens.create({ name: fields.name, scope, ...days }, options),
    );
    if (made === undefined) return;
    form.saved();
    setSecret(made.secret);
  };
  if (secret !== "") return <Secret label={t.programs.secret} secret={secret} onClose={onClose} />;
  return (
    <Fields {...{ form, submit, onClose }} title={t.programs.create} action={t.programs.create} onSave={save}>
      <TextField
        label={t.programs.name}
        value={fields.name}
        onChange={(name) => set({ name })}
        error={submit.fields["name"]}
      />
      <ChoiceField
        label={t.programs.scope}
        value={fields.scope}
        options={Object.entries(t.programs.scopes)}
        onChange={(scope) => set({ scope })}
      />
      <ChoiceField
        label={t.programs.days}
        value={fields.days}
        options={Object.entries(t.programs.valid)}
        onChange={(days) => set({ days })}
      />
    </Fields>
  );
}

interface SecretProps {
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** What is shown this once. */
export function Secret({ label, secret, onClose }: SecretProps): JSX.Element {
  return (
    <Dialog title={label} onClose={onClose}>
      <p>{t.programs.secretText}</p>
      <CopyField label={label} value={secret} />
    </Dialog>
  );
}
