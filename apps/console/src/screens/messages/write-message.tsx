import type { CalendarDetails } from "@kalends/client/extensions";
import { mostOfMessage } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { isRefusal, statusOf } from "../../api/failures.js";
import { useSubmit } from "../../api/submitting.js";
import { Confirm } from "../../parts/dialog.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { type Form, failureText, SectionForm, useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

type MessageFields = Readonly<Record<"subject" | "text" | "days", string>>;

const dayMs = 86_400_000;

interface Props {
  readonly calendar: CalendarDetails;
  /** How many get it by e-mail. */
  readonly receivers: number;
}

/** A form for a message, beside what followers will see. */
export function WriteMessage({ calendar, receivers }: Props): JSX.Element {
  const { id } = calendar;
  const form = useForm<MessageFields>(`message ${id}`, { subject: "", text: "", days: "1" });
  const { subject, text, days } = form.fields;
  const submit = useSubmit();
  const pressed = useRef({ key: "", at: 0 });
  const [asks, setAsks] = useState(false);
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const ask = (): Promise<void> => {
    const empty = Object.entries({ subject, text }).filter(([, value]) => value.trim() === "");
    setMissing(Object.fromEntries(empty.map(([name]) => [name, t.errors.required])));
    setAsks(empty.length === 0);
    return Promise.resolve();
  };
  const send = async (): Promise<void> => {
    setAsks(false);
    const sent = await submit.run((options) => {
      const { idempotencyKey: key } = options;
      // Under the same key the end is the same too: with another one it is another message.
      if (pressed.current.key !== key) pressed.current = { key, at: Date.now() };
      const shown_until = new Date(pressed.current.at + Number(days) * dayMs).toISOString();
      return api.messages.create({ calendar_id: id, subject, text, shown_until }, options);
    });
    if (sent === undefined) return;
    form.reset();
    notify(t.news.sent(sent.receivers));
  };
  const isFull = statusOf(submit.error) === 409 && isRefusal(submit.error);
  return (
    <div class="with-preview">
      <section class="card section">
        <SectionForm
          form={form}
          failure={isFull ? t.news.limit : failureText(submit)}
          action={t.news.send}
          onSave={ask}
        >
          <h2>{t.news.title}</h2>
          <p class="soft">{t.news.lead(receivers)}</p>
          <MessageForm form={form} errors={{ ...submit.fields, ...missing }} />
        </SectionForm>
      </section>
      <Preview title={shownTitle(calendar.title)} subject={subject} text={text} />
      {asks ? (
        <Confirm
          title={t.news.sureTitle}
          text={t.news.sure(receivers)}
          action={t.news.sureSend}
          onConfirm={() => void send()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </div>
  );
}

interface FieldsProps {
  readonly form: Form<MessageFields>;
  readonly errors: Readonly<Record<string, string>>;
}

function MessageForm({ form: { fields, set }, errors }: FieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label={t.news.subject}
        value={fields.subject}
        maxLength={mostOfMessage.subject}
        onChange={(subject) => set({ subject })}
        error={errors["subject"]}
      />
      <TextField
        label={t.news.text}
        isLong
        value={fields.text}
        onChange={(text) => set({ text })}
        error={errors["text"]}
      />
      <ChoiceField
        label={t.news.shown}
        value={fields.days}
        options={Object.entries(t.news.days)}
        onChange={(days) => set({ days })}
        error={errors["shown_until"]}
      />
    </>
  );
}

interface PreviewProps {
  readonly title: string;
  readonly subject: string;
  readonly text: string;
}

/** The message as the page has it, and as an e-mail in the language of the reader. */
function Preview({ title, subject, text }: PreviewProps): JSX.Element {
  const shown = subject.trim() === "" ? "…" : subject;
  return (
    <aside aria-label={t.news.preview}>
      <h2>{t.news.preview}</h2>
      <h3>{t.news.onPage}</h3>
      <div class="card letter">
        <p class="row-title" dir="auto">
          {shown}
        </p>
        <p class="message-text" dir="auto">
          {text}
        </p>
      </div>
      <h3>{t.news.asMail}</h3>
      <div class="card letter">
        <p class="letter-subject" dir="auto">
          {title}: {shown}
        </p>
        <p class="row-title" dir="auto">
          {shown}
        </p>
        <p class="message-text" dir="auto">
          {text}
        </p>
        <p>
          <span class="letter-button">{t.news.open}</span>
        </p>
        <p class="hint">{t.news.why(title)}</p>
        <p class="hint">
          <u>{t.news.stop}</u>
        </p>
      </div>
    </aside>
  );
}
