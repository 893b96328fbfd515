import type { CalendarDetails, Message } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { useMail, useReceivers } from "../../api/mail.js";
import { roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords } from "../../dates/words.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { Confirm } from "../../parts/dialog.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading, Missing } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { WriteMessage } from "./write-message.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** Messages to the followers of a calendar: a new one, and those of before (extensions X12.2). */
export function Messages({ session, id }: Props): JSX.Element {
  if (!useMail()) return <Missing text={t.unknown.text} />;
  const canWrite = roleOn(session, id) !== "viewer";
  return (
    <CalendarPage id={id} current="messages">
      {(calendar) => (
        <>
          {canWrite ? <Write calendar={calendar} /> : undefined}
          <List calendar={calendar} canWrite={canWrite} />
        </>
      )}
    </CalendarPage>
  );
}

function Write({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const { value, error, reload } = useReceivers([calendar.id]);
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  return <WriteMessage calendar={calendar} receivers={value} />;
}

interface ListProps {
  readonly calendar: CalendarDetails;
  readonly canWrite: boolean;
}

function List({ calendar: { id }, canWrite }: ListProps): JSX.Element {
  const { value, error, reload } = useLoaded(["messages", id], () => api.messages.list(id).toArray());
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  return (
    <section class="part-list">
      <h2>{t.news.list}</h2>
      {value.length === 0 ? (
        <p class="soft">{t.news.none}</p>
      ) : (
        <ul class="card rows">
          {value.map((message) => (
            <Row key={message.id} message={message} canWrite={canWrite} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ message, canWrite }: { readonly message: Message; readonly canWrite: boolean }): JSX.Element {
  const { id, calendar_id: calendar, subject, text, receivers, sent, failed, date_create: when } = message;
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const takeBack = async (): Promise<void> => {
    setAsks(false);
    const done = await submit.run((options) => api.messages.withdraw(calendar, id, options));
    if (done !== undefined) notify(t.news.takenBack);
  };
  const counted = receivers === 0 ? [] : [t.news.counted(sent, receivers, failed)];
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="auto">
          {subject}
        </p>
        <p class="message-text" dir="auto">
          {text}
        </p>
        <p class="soft">{[instantInWords(locale, when), ...counted, endOf(message)].join(" · ")}</p>
        <Failure text={submit.failure} />
      </div>
      {canWrite && isShown(message) ? (
        <div class="row-actions">
          <button type="button" class="quiet" onClick={() => setAsks(true)}>
            {t.news.takeBack}
          </button>
        </div>
      ) : undefined}
      {asks ? (
        <Confirm
          title={t.news.takeBack}
          text={t.news.takeBackSure}
          action={t.news.takeBack}
          onConfirm={() => void takeBack()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}

const isShown = ({ shown_until: until }: Message): boolean => Date.parse(until) > Date.now();

/** Until when the page shows a message, or that it no longer does. */
function endOf(message: Message): string {
  const { shown_until: until } = message;
  if (until === "") return t.news.back;
  return isShown(message) ? t.news.until(instantInWords(locale, until)) : t.news.ended;
}
