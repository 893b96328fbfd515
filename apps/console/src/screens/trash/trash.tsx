import type { TrashItem } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { type Role, roleOn, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { dayInWords, instantInWords } from "../../dates/words.js";
import { Confirm } from "../../parts/dialog.js";
import { useLongList } from "../../parts/long-list.js";
import { notify } from "../../parts/notices.js";
import { isSoon } from "../../parts/soon.js";
import { Empty, Failed, Failure, Loading } from "../../parts/states.js";
import { type Telling, useTelling } from "../../parts/telling.js";
import { useTitle } from "../../parts/title.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

/** What is listed at first: calendars and events. */
const first = 500;

/** What was deleted, of all calendars, newest first. */
export function Trash({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.trash.title);
  const { value, error, reload, more } = useLongList(["trash"], first, (limit) =>
    api.trash.list().toArray({ limit }),
  );
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
        <>
          <ul class="card rows">
            {deletionsOf(value).map((deletion) => (
              <Row
                key={`${deletion.item.kind} ${deletion.item.id}`}
                {...deletion}
                role={roleOn(session, deletion.item.calendar_id)}
              />
            ))}
          </ul>
          {more}
        </>
      )}
    </div>
  );
}

/** What one deletion took: one event, a calendar, or several events of a series. */
interface Deletion {
  /** The soonest. */
  readonly item: TrashItem;
  readonly items: readonly TrashItem[];
  /** Whether it is the last one of its series, which the server restores at once. */
  readonly isLast: boolean;
}

/** What was deleted, with the events of a series that went together as one. */
function deletionsOf(items: readonly TrashItem[]): readonly Deletion[] {
  const together = new Map<string, TrashItem[]>();
  for (const item of items) {
    const { kind, id, series_id, date_deleted } = item;
    const key = series_id === "" ? `${kind} ${id}` : `${series_id} ${date_deleted}`;
    together.set(key, [...(together.get(key) ?? []), item]);
  }
  const seen = new Set<string>();
  return [...together.values()].flatMap((those) => {
    const sorted = those.toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1));
    const [item] = sorted;
    if (item === undefined) return [];
    const isLast = !seen.has(item.series_id);
    seen.add(item.series_id);
    return [{ item, items: sorted, isLast }];
  });
}

type News = Telling["told"] & Telling["note"];

/** Restores events of a series: at once what its last deletion took, else one by one. */
async function restoreEvents({ item, items, isLast }: Deletion, news: News): Promise<void> {
  if (isLast) await api.trash.restoreSeries(item.series_id, news);
  else for (const { id } of items) await api.trash.restoreEvent(id, news);
}

/** Asks whether followers are told that events take place after all. */
function useTellingOf({ item, items }: Deletion): Telling {
  const { value, error } = useCalendars();
  const timezone = value?.find(({ id }) => id === item.calendar_id)?.timezone;
  const concerns =
    item.kind === "event" &&
    timezone !== undefined &&
    items.some(({ start_date: start }) => isSoon({ start, end: start.slice(0, 10), timezone }, Date.now()));
  const telling = useTelling({ calendarIds: concerns ? [item.calendar_id] : [], concerns });
  // A calendar is restored without a question, so nothing is waited for.
  const isRead = item.kind === "calendar" || value !== undefined || error !== null;
  return { ...telling, isKnown: telling.isKnown && isRead };
}

interface RowProps extends Deletion {
  readonly role: Role;
}

/** What can be done with a deletion. */
function useActions({ item, items, isLast }: Deletion, news: News) {
  const submit = useSubmit();
  const isEvent = item.kind === "event";
  const restore = async (): Promise<void> => {
    const back = await submit.run<unknown>((options) =>
      items.length > 1
        ? restoreEvents({ item, items, isLast }, news).then(() => true)
        : isEvent
          ? api.trash.restoreEvent(item.id, { ...options, ...news })
          : api.trash.restoreCalendar(item.id, options),
    );
    if (back !== undefined) notify(t.trash.restored(item.title));
  };
  const purge = async (): Promise<void> => {
    const done = await submit.run(async () => {
      for (const { id } of items) await api.trash.purge(isEvent ? { event_id: id } : { calendar_id: id });
      return true;
    });
    if (done !== undefined) notify(t.trash.purged);
  };
  return { failure: submit.failure, restore, purge };
}

function Row({ role, ...deletion }: RowProps): JSX.Element {
  const { item, items } = deletion;
  const [asks, setAsks] = useState<"restore" | "purge">();
  const { told, note, question, isKnown } = useTellingOf(deletion);
  const { failure, restore, purge } = useActions(deletion, { ...told, ...note });
  const close = (): void => setAsks(undefined);
  const doIt = (action: () => Promise<void>): void => {
    close();
    void action();
  };
  return (
    <li class="row">
      <Description {...{ item, items, failure }} />
      <div class="row-actions">
        {role === "viewer" ? undefined : (
          <button
            type="button"
            class="quiet"
            onClick={() => (isKnown && question === undefined ? void restore() : setAsks("restore"))}
          >
            {t.trash.restore}
          </button>
        )}
        {role === "owner" ? (
          <button type="button" class="quiet danger" onClick={() => setAsks("purge")}>
            {t.trash.purge}
          </button>
        ) : undefined}
      </div>
      {asks === "restore" ? (
        <Confirm
          title={t.trash.restore}
          text={`${shownTitle(item.title)} · ${datesInWords(items)}`}
          action={t.trash.restore}
          isReady={isKnown}
          onConfirm={() => doIt(restore)}
          onClose={close}
        >
          {question}
        </Confirm>
      ) : undefined}
      {asks === "purge" ? (
        <Confirm
          title={t.trash.purge}
          text={t.trash.purgeSure(item.title)}
          action={t.trash.purge}
          isDanger
          onConfirm={() => doIt(purge)}
          onClose={close}
        />
      ) : undefined}
    </li>
  );
}

interface DescriptionProps extends Pick<Deletion, "item" | "items"> {
  readonly failure: string;
}

function Description({ item, items, failure }: DescriptionProps): JSX.Element {
  const calendars = useCalendars();
  const isEvent = item.kind === "event";
  const where = calendars.value?.find(({ id }) => id === item.calendar_id)?.title;
  return (
    <div>
      <p class="row-title" dir="auto">
        {shownTitle(item.title)}
      </p>
      <p class="soft">
        {isEvent ? `${datesInWords(items)} · ${where ?? t.trash.event}` : t.trash.calendar} ·{" "}
        {t.trash.deleted(instantInWords(locale, item.date_deleted))},{" "}
        {t.trash.until(instantInWords(locale, item.date_expires))}
      </p>
      <Failure text={failure} />
    </div>
  );
}

/** "Friday, 5 March 2027", or "20 dates from Friday, 5 March 2027". */
function datesInWords(items: readonly TrashItem[]): string {
  const first = dayInWords(locale, items[0]?.start_date.slice(0, 10) ?? "");
  return items.length === 1 ? first : t.history.datesFrom(items.length, first);
}
