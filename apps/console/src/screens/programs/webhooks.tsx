import type { Webhook } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { Confirm } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { Fields, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { t } from "../../texts/current.js";
import { Secret } from "./tokens.js";

export function Webhooks(): JSX.Element {
  const { value, error, reload } = useLoaded(["webhooks"], () => api.webhooks.list());
  const [isAdding, setAdding] = useState(false);
  return (
    <section class="card section">
      <h2>{t.programs.webhooks}</h2>
      <p class="soft">{t.programs.webhooksText}</p>
      <button type="button" class="quiet" onClick={() => setAdding(true)}>
        {t.programs.add} …
      </button>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      <ul class="plain-rows">
        {value?.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </ul>
      {isAdding ? <NewWebhook onClose={() => setAdding(false)} /> : undefined}
    </section>
  );
}

function Row({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const { id, url } = webhook;
  const isOn = webhook.status === "enabled";
  const act = async (
    said: string,
    write: (options: { readonly idempotencyKey: string }) => Promise<unknown>,
  ): Promise<void> => {
    setAsks(false);
    const done = await submit.run((options) => write(options).then(() => true));
    if (done !== undefined) notify(said);
  };
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="ltr">
          {url} <span class="badge">{isOn ? t.programs.on : t.programs.off}</span>
        </p>
        <Failure text={submit.failure} />
      </div>
      <div class="row-actions">
        {isOn ? (
          <button
            type="button"
            class="quiet"
            onClick={() => void act(t.programs.tested, (options) => api.webhooks.test(id, options))}
          >
            {t.programs.test}
          </button>
        ) : (
          <button
            type="button"
            class="quiet"
            onClick={() => void act(t.programs.enabled, (options) => api.webhooks.enable(id, options))}
          >
            {t.programs.enable}
          </button>
        )}
        <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
          {t.programs.remove}
        </button>
      </div>
      {asks ? (
        <Confirm
          title={t.programs.remove}
          text={t.programs.removeSure(url)}
          action={t.programs.remove}
          isDanger
          onConfirm={() => void act(t.programs.removed, (options) => api.webhooks.delete(id, options))}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}

/** Adds a webhook, and shows its secret once. */
function NewWebhook({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const form = useForm("webhook", { url: "" });
  const submit = useSubmit();
  const [secret, setSecret] = useState("");
  const save = async (): Promise<void> => {
    const made = await submit.run((options) => api.webhooks.create({ url: form.fields.url }, options));
    if (made === undefined) return;
    form.saved();
    setSecret(made.secret);
  };
  if (secret !== "") return <Secret label={t.programs.signing} secret={secret} onClose={onClose} />;
  return (
    <Fields {...{ form, submit, onClose }} title={t.programs.add} action={t.programs.add} onSave={save}>
      <TextField
        label={t.programs.url}
        value={form.fields.url}
        onChange={(url) => form.set({ url })}
        error={submit.fields["url"]}
      />
    </Fields>
  );
}
