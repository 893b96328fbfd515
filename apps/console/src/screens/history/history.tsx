import type { HistoryEntry } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendar } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { loadAgain } from "../../api/loading.js";
import { RequestFailure } from "../../api/requests.js";
import { roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { dayInWords, instantInWords } from "../../dates/words.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { Confirm } from "../../parts/dialog.js";
import { labelOf, valueInWords } from "../../parts/field-words.js";
import { useLongList } from "../../parts/long-list.js";
import { notify } from "../../parts/notices.js";
import { isSoon } from "../../parts/soon.js";
import { Empty, Failed, Failure, Loading } from "../../parts/states.js";
import { type Telling, useTelling } from "../../parts/telling.js";
import { hrefOf, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { startAfter } from "./start-after.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** Entries that are listed at first. */
const first = 500;

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
          <Entries key={`${id} ${event}`} calendarId={id} eventId={event} canWrite={canWrite} />
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
  const { value, error, reload, more } = useLongList(["history", calendarId, eventId], first, (limit) => {
    const query = { calendar_id: calendarId, ...(eventId === "" ? {} : { event_id: eventId }) };
    return api.events.history(query).toArray({ limit });
  });
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  if (value.length === 0) return <Empty title={t.history.none} />;
  return (
    <>
      <ul class="card rows">
        {together(value).map((entries) => (
          <Row
            key={entries[0].id}
            entries={entries}
            allOfEvent={value.filter(({ event_id }) => event_id === entries[0].event_id)}
            canWrite={canWrite}
          />
        ))}
      </ul>
      {more}
    </>
  );
}

/** Entries that one write made of one series, or of events that have nothing but a title: one at least. */
type Together = readonly [HistoryEntry, ...HistoryEntry[]];

/** The entries, with those of one write to a series as one. */
function together(entries: readonly HistoryEntry[]): readonly Together[] {
  const keyOf = ({ id, event_id, series_id, title, action, date, by, operation, changes }: HistoryEntry) => {
    if (event_id === "") return id;
    if (series_id !== "") return JSON.stringify([series_id, action, date, by, operation]);
    return changes.length > 0 ? id : JSON.stringify([title, action, date, by]);
  };
  const found = new Map<string, Together>();
  for (const entry of entries) {
    const known = found.get(keyOf(entry));
    found.set(keyOf(entry), known === undefined ? [entry] : [...known, entry]);
  }
  return [...found.values()];
}

interface RowProps {
  readonly entries: Together;
  /** All of the same event, newest first. */
  readonly allOfEvent: readonly HistoryEntry[];
  readonly canWrite: boolean;
}

function Row({ entries, allOfEvent, canWrite }: RowProps): JSX.Element {
  const [entry] = entries;
  const [newest] = allOfEvent;
  const { event_id: event, calendar_id: calendar, title, date } = entry;
  const ofEvent = printAddress(calendarPath(calendar, "history"), { event });
  const isOne = entries.length === 1;
  const canRevert = canWrite && event !== "" && isOne && newest !== undefined;
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
          <span class="badge">{actionOf(entry)}</span> <span class="soft">{datesOf(entries)}</span>
        </p>
        {isOne ? <Changes entry={entry} /> : <Several entries={entries} />}
        <p class="soft">
          {instantInWords(locale, date)} · {authorOf(entry)}
        </p>
      </div>
      {canRevert && newest.id !== entry.id && newest.action !== "deleted" ? (
        <Revert {...{ entry, newest, allOfEvent }} />
      ) : undefined}
    </li>
  );
}

/** What became of it: a cancellation is named as one. */
function actionOf({ action, changes }: HistoryEntry): string {
  const status = changes.find(({ field }) => field === "status");
  if (action === "changed" && status !== undefined && status.after === "cancelled")
    return t.calendar.status.cancelled;
  return t.history.actions[action];
}

/** Which date it is about, or "20 dates from 3 March". */
function datesOf(entries: Together): string {
  const days = entries.map(({ start_date }) => start_date.slice(0, 10)).filter((day) => day !== "");
  const [first] = days.toSorted();
  if (first === undefined) return entries.length === 1 ? "" : t.categories.count(entries.length);
  const shown = dayInWords(locale, first);
  return entries.length === 1 ? shown : t.history.datesFrom(entries.length, shown);
}

/** What one write changed in several events: the fields, which open to the dates. */
function Several({ entries }: { readonly entries: Together }): JSX.Element | null {
  const fields = new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)));
  if (fields.size === 0) return null;
  const names = [...fields].toSorted((a, b) => byPlace({ field: a }, { field: b })).map(labelOf);
  return (
    <details>
      <summary>{new Intl.ListFormat(locale).format(names)}</summary>
      {entries
        .toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1))
        .map((entry) => (
          <div key={entry.id} class="of-date">
            <strong>
              {entry.start_date === "" ? "" : dayInWords(locale, entry.start_date.slice(0, 10))}
            </strong>
            <Changes entry={entry} />
          </div>
        ))}
    </details>
  );
}

function Changes({ entry }: { readonly entry: HistoryEntry }): JSX.Element | null {
  if (entry.changes.length === 0) return null;
  return (
    <dl class="changes">
      {entry.changes.toSorted(byPlace).map(({ field, before, after }) => (
        <div key={field}>
          <dt>{labelOf(field)}: </dt>
          <dd dir="auto">
            <del>{valueInWords(field, before)}</del> → <ins>{valueInWords(field, after)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface RevertProps extends Pick<RowProps, "allOfEvent"> {
  readonly entry: HistoryEntry;
  readonly newest: HistoryEntry;
}

/** Asks whether followers are told, where the event is soon as it is or as it would be. */
function useTellingOf(entry: HistoryEntry, allOfEvent: readonly HistoryEntry[]): Telling {
  const { timezone = "UTC" } = useCalendar(entry.calendar_id).value ?? {};
  const concerns = [entry.start_date, startAfter(entry, allOfEvent)].some((start) =>
    isSoon({ start, end: start.slice(0, 10), timezone }, Date.now()),
  );
  return useTelling({ calendarIds: concerns ? [entry.calendar_id] : [], concerns });
}

/** Makes an event what it was after an entry, unless someone changes it meanwhile. */
function Revert({ entry, newest, allOfEvent }: RevertProps): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const { told, note, question, isKnown } = useTellingOf(entry, allOfEvent);
  const revert = async (): Promise<void> => {
    setAsks(false);
    const saved = await submit.run(async (options) => {
      const { updated_times: ifMatch } = await api.events.get(entry.event_id);
      await requireNewest(newest);
      return api.events.revert(entry.event_id, entry.id, { ...options, ...told, ...note, ifMatch });
    });
    if (saved === undefined) return;
    const ifMatch = saved.updated_times;
    notify(t.history.reverted(saved.title), () =>
      api.events.revert(saved.id, newest.id, { ...told, ifMatch }),
    );
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
          isReady={isKnown}
          onConfirm={() => void revert()}
          onClose={() => setAsks(false)}
        >
          {question}
        </Confirm>
      ) : undefined}
    </>
  );
}

/** Looks whether the list that is shown has what was done with an event last. @throws RequestFailure when it has not */
async function requireNewest({ id, calendar_id, event_id }: HistoryEntry): Promise<void> {
  const [last] = await api.events.history({ calendar_id, event_id }).toArray({ limit: 1 });
  if (last?.id === id) return;
  void loadAgain();
  throw new RequestFailure(412, {});
}

function authorOf({ by: { kind, name } }: HistoryEntry): string {
  return name === "" ? t.history.kinds[kind] : kind === "token" ? `${t.history.kinds.token} ${name}` : name;
}

/** As the form has the fields. */
function byPlace(a: { readonly field: string }, b: { readonly field: string }): number {
  const places = Object.keys(t.history.fields);
  return places.indexOf(a.field) - places.indexOf(b.field);
}
