import type { HistoryEntry } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords, whenInWords } from "../../dates/words.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { Confirm } from "../../parts/dialog.js";
import { notify } from "../../parts/notices.js";
import { Empty, Failed, Failure, Loading } from "../../parts/states.js";
import { hrefOf, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** Entries that are listed. */
const most = 200;

/** Who changed what in a calendar, or in one event: the address says which. */
export function History({ session, id }: Props): JSX.Element {
  const event = useAddress().query["event"] ?? "";
  const canWrite = roleOn(session, id) !== "viewer";
  return (
    <CalendarPage id={id} current="history">
      {() => (
        <>
          <p class="soft">
            {t.history.lead}{" "}
            {event === "" ? undefined : <a href={hrefOf(calendarPath(id, "history"))}>{t.history.all}</a>}
          </p>
          <Entries calendarId={id} eventId={event} canWrite={canWrite} />
        </>
      )}
    </CalendarPage>
  );
}

interface EntriesProps {
  readonly calendarId: string;
  readonly eventId: string;
  readonly canWrite: boolean;
}

function Entries({ calendarId, eventId, canWrite }: EntriesProps): JSX.Element {
  const { value, error, reload } = useLoaded(["history", calendarId, eventId], () => {
    const query = { calendar_id: calendarId, ...(eventId === "" ? {} : { event_id: eventId }) };
    return api.events.history(query).toArray({ limit: most });
  });
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  if (value.length === 0) return <Empty title={t.history.none} />;
  return (
    <ul class="card rows">
      {together(value).map(({ entry, count }) => (
        <Row
          key={entry.id}
          entry={entry}
          count={count}
          newest={value.find(({ event_id }) => event_id === entry.event_id)}
          canWrite={canWrite}
        />
      ))}
    </ul>
  );
}

/** Entries of one write without other changes, such as those of a series, as one. */
function together(
  entries: readonly HistoryEntry[],
): readonly { readonly entry: HistoryEntry; readonly count: number }[] {
  const keyOf = ({ id, event_id, title, action, date, by, changes }: HistoryEntry): string =>
    changes.length > 0 || event_id === "" ? id : JSON.stringify([title, action, date, by]);
  const counts = new Map<string, { entry: HistoryEntry; count: number }>();
  for (const entry of entries) {
    const known = counts.get(keyOf(entry));
    counts.set(keyOf(entry), { entry: known?.entry ?? entry, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

interface RowProps {
  /** Of the events that it stands for. */
  readonly count: number;
  readonly entry: HistoryEntry;
  /** The last of the same event. */
  readonly newest: HistoryEntry | undefined;
  readonly canWrite: boolean;
}

function Row({ entry, count, newest, canWrite }: RowProps): JSX.Element {
  const { event_id: event, calendar_id: calendar, title, action, changes, date } = entry;
  const ofEvent = printAddress(calendarPath(calendar, "history"), { event });
  return (
    <li class="row">
      <div class="entry">
        <p>
          {event === "" ? (
            <span class="row-title">{t.trash.calendar}</span>
          ) : (
            <a class="row-title" href={hrefOf(ofEvent)} dir="auto">
              {title === "" ? t.history.removed : shownTitle(title)}
            </a>
          )}{" "}
          {count === 1 ? undefined : <>{t.categories.count(count)} </>}
          <span class="badge">{t.history.actions[action]}</span>
        </p>
        <p class="soft">
          {instantInWords(locale, date)} · {authorOf(entry)}
        </p>
        <dl class="changes">
          {changes.toSorted(byPlace).map(({ field, before, after }) => (
            <div key={field}>
              <dt>{labelOf(field)}: </dt>
              <dd dir="auto">
                <del>{valueInWords(field, before)}</del> → <ins>{valueInWords(field, after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {canWrite &&
      event !== "" &&
      count === 1 &&
      newest !== undefined &&
      newest.id !== entry.id &&
      newest.action !== "deleted" ? (
        <Revert entry={entry} newest={newest} />
      ) : undefined}
    </li>
  );
}

/** Makes an event what it was after an entry, unless someone changes it meanwhile. */
function Revert({
  entry,
  newest,
}: {
  readonly entry: HistoryEntry;
  readonly newest: HistoryEntry;
}): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const revert = async (): Promise<void> => {
    setAsks(false);
    const saved = await submit.run(async (options) => {
      const { updated_times: ifMatch } = await api.events.get(entry.event_id);
      return api.events.revert(entry.event_id, entry.id, { ...options, ifMatch });
    });
    if (saved === undefined) return;
    const ifMatch = saved.updated_times;
    notify(t.history.reverted(saved.title), () => api.events.revert(saved.id, newest.id, { ifMatch }));
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsks(true)}>
        {t.history.revert}
      </button>
      <Failure text={submit.failure} />
      {asks ? (
        <Confirm
          title={t.history.revert}
          text={t.history.revertSure(instantInWords(locale, entry.date))}
          action={t.history.revert}
          onConfirm={() => void revert()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </>
  );
}

function authorOf({ by: { kind, name } }: HistoryEntry): string {
  return name === "" ? t.history.kinds[kind] : kind === "token" ? `${t.history.kinds.token} ${name}` : name;
}

/** As the form has the fields. */
function byPlace(a: { readonly field: string }, b: { readonly field: string }): number {
  const places = Object.keys(t.history.fields);
  return places.indexOf(a.field) - places.indexOf(b.field);
}

function labelOf(field: string): string {
  const labels: Readonly<Record<string, string>> = t.history.fields;
  return labels[field] ?? field;
}

/** A value as people read it: dates and words of the API are not. */
function valueInWords(field: string, value: string): string {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(value))
    return whenInWords(locale, { start: value, end: value, allDay: value.length === 10 });
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    status: t.search.statuses,
    published: t.draft.ways,
    reminder: t.event.reminders,
    all_day_event: { true: "✓" },
  };
  const known = value === "" ? "" : (words[field]?.[value] ?? value);
  return known === "" || (field === "all_day_event" && value === "false") ? "–" : known;
}
