import type { TrashItem } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { type Role, roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { dayInWords, instantInWords } from "../../dates/words.js";
import { Confirm } from "../../parts/dialog.js";
import { notify } from "../../parts/notices.js";
import { Empty, Failed, Failure, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

/** What was deleted, of all calendars, newest first. */
export function Trash({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.trash.title);
  const { value, error, reload } = useLoaded(["trash"], () => api.trash.list().toArray({ limit: 500 }));
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.trash.title}</h1>
      </div>
      <p class="soft">{t.trash.lead}</p>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {value?.length === 0 ? <Empty title={t.trash.empty} /> : undefined}
      {value === undefined || value.length === 0 ? undefined : (
        <ul class="card rows">
          {value.map((item) => (
            <Row key={`${item.kind} ${item.id}`} item={item} role={roleOn(session, item.calendar_id)} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface RowProps {
  readonly item: TrashItem;
  readonly role: Role;
}

function Row({ item, role }: RowProps): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const calendars = useCalendars();
  const isEvent = item.kind === "event";
  const where = calendars.value?.find(({ id }) => id === item.calendar_id)?.title;
  const restore = async (): Promise<void> => {
    const back = await submit.run<unknown>((options) =>
      isEvent ? api.trash.restoreEvent(item.id, options) : api.trash.restoreCalendar(item.id, options),
    );
    if (back !== undefined) notify(t.trash.restored(item.title));
  };
  const purge = async (): Promise<void> => {
    setAsks(false);
    const target = isEvent ? { event_id: item.id } : { calendar_id: item.id };
    const done = await submit.run((options) => api.trash.purge(target, options).then(() => true));
    if (done !== undefined) notify(t.trash.purged);
  };
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="auto">
          {shownTitle(item.title)}
        </p>
        <p class="soft">
          {isEvent
            ? `${dayInWords(locale, item.start_date.slice(0, 10))} · ${where ?? t.trash.event}`
            : t.trash.calendar}{" "}
          · {t.trash.deleted(instantInWords(locale, item.date_deleted))},{" "}
          {t.trash.until(instantInWords(locale, item.date_expires))}
        </p>
        <Failure text={submit.failure} />
      </div>
      <div class="row-actions">
        {role === "viewer" ? undefined : (
          <button type="button" class="quiet" onClick={() => void restore()}>
            {t.trash.restore}
          </button>
        )}
        {role === "owner" ? (
          <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
            {t.trash.purge}
          </button>
        ) : undefined}
      </div>
      {asks ? (
        <Confirm
          title={t.trash.purge}
          text={t.trash.purgeSure(item.title)}
          action={t.trash.purge}
          isDanger
          onConfirm={() => void purge()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}
