import type { CalendarDetails, ImportReport } from "@kalends/client/extensions";
import { mostOfBatch } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { statusOf } from "../../api/failures.js";
import { type Loaded, useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { addDays } from "../../dates/days.js";
import { whenInWords } from "../../dates/words.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { eventsOfFile, type FileEvent, lookAlikes, partsOf, rangeOf, withoutEvents } from "./look-alikes.js";

interface Props {
  readonly calendar: CalendarDetails;
  /** As iCalendar. */
  readonly file: string;
  /** Lines of a table that are no event. */
  readonly unread?: number;
  readonly onDone: () => void;
}

/** Entries of the report that are listed. */
const most = 200;

/** UIDs of a part, so that its report leaves none out and all can be taken back. */
const ofOne = 100;

type Done = Pick<ImportReport, "created" | "changed" | "omitted" | "events">;

const hasEvents = (file: string): boolean => /^BEGIN:VEVENT/im.test(file);

/** What an import would do; null of a file that has lost its events. */
function useDryRun({ id }: CalendarDetails, file: string, isLeft = true): Loaded<ImportReport | null> {
  return useLoaded(["import", id, file], async () =>
    isLeft ? api.calendars.import(id, file, { dryRun: true }) : null,
  );
}

/** What an import would do, as the server says without doing it, and what looks like an event that is there; then the import. */
export function Preview({ calendar, file, unread = 0, onDone }: Props): JSX.Element {
  const { value: report, error, reload } = useDryRun(calendar, file);
  const alike = useLookAlikes(calendar, file, report ?? undefined);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  if (alike === undefined) return <Waiting error={error} reload={reload} />;
  const unwanted = alike.map(({ uid }) => uid).filter((uid) => !wanted.has(uid));
  return (
    <div class="preview" aria-live="polite">
      {alike.length === 0 ? undefined : <Alike events={alike} wanted={wanted} onChange={setWanted} />}
      <Outcome {...{ calendar, unread, onDone }} file={withoutEvents(file, new Set(unwanted))} />
    </div>
  );
}

function Waiting({ error, reload }: Pick<Loaded<unknown>, "error" | "reload">): JSX.Element {
  if (error === null) return <Loading />;
  return statusOf(error) === 400 ? (
    <Failure text={t.import.unreadable} />
  ) : (
    <Failed error={error} onRetry={reload} />
  );
}

/** The events that the import would make although one like it is there; undefined while they are looked for. */
function useLookAlikes(
  { id }: CalendarDetails,
  file: string,
  report: ImportReport | undefined,
): readonly FileEvent[] | undefined {
  const { value, error } = useLoaded(["alike", id, report === undefined ? "" : file], async () => {
    if (report === undefined) return null;
    const made = new Set(report.events.filter(({ result }) => result === "created").map(({ uid }) => uid));
    const events = eventsOfFile(file).filter(({ uid }) => made.has(uid));
    if (events.length === 0) return [];
    const [first, last] = rangeOf(events);
    const range = { from: addDays(first, -1), to: addDays(last, 2), wall: "calendar" } as const;
    const there = await api.events.list({ calendar_id: id, ...range }).toArray({ limit: 5_000 });
    return lookAlikes(events, there);
  });
  return error === null ? (value ?? undefined) : []; // a warning less
}

interface AlikeProps {
  readonly events: readonly FileEvent[];
  readonly wanted: ReadonlySet<string>;
  readonly onChange: (wanted: ReadonlySet<string>) => void;
}

function Alike({ events, wanted, onChange }: AlikeProps): JSX.Element {
  const toggle = (uid: string): void =>
    onChange(new Set(wanted.has(uid) ? [...wanted].filter((each) => each !== uid) : [...wanted, uid]));
  return (
    <fieldset class="alike">
      <legend>{t.import.alike(events.length)}</legend>
      <p class="hint">{t.import.alikeText}</p>
      {events.map(({ uid, title, start }) => {
        const wall = start.replace("Z", "");
        const when = whenInWords(locale, { start: wall, end: wall, allDay: start.length === 10 });
        return (
          <label key={uid} class="check">
            <input type="checkbox" checked={wanted.has(uid)} onChange={() => toggle(uid)} />
            <span>
              <strong dir="auto">{title}</strong> · {when}
              {start.endsWith("Z") ? " UTC" : ""}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

const results = ["created", "changed", "unchanged", "skipped"] as const;

/** "3 new, 1 left out". */
function counted(report: Pick<ImportReport, (typeof results)[number]>): string {
  const found = results.filter((result) => report[result] > 0);
  return new Intl.ListFormat(locale, { type: "unit" }).format(
    found.map((result) => t.import.counts[result](report[result])),
  );
}

/** Imports the parts of a file one after another, each with a key of its own, so that all is done once when it is tried again. */
async function importParts(id: string, parts: readonly string[], key: string): Promise<Done> {
  const all = { created: 0, changed: 0, omitted: 0, events: [] as ImportReport["events"][number][] };
  for (const [index, part] of parts.entries()) {
    const report = await api.calendars.import(id, part, { idempotencyKey: `${key}${index}` });
    all.created += report.created;
    all.changed += report.changed;
    all.omitted += report.omitted;
    all.events.push(...report.events);
  }
  return all;
}

function Outcome({ calendar, file, unread = 0, onDone }: Props): JSX.Element {
  const submit = useSubmit();
  const { value, error, reload } = useDryRun(calendar, file, hasEvents(file));
  const take = async (): Promise<void> => {
    const parts = value?.omitted === 0 ? [file] : partsOf(file, ofOne);
    const done = await submit.run((options) => importParts(calendar.id, parts, options.idempotencyKey));
    if (done === undefined) return;
    notify(t.import.done(counted({ ...done, unchanged: 0, skipped: 0 })), undoOf(done));
    onDone();
  };
  if (value === null) return <p>{t.import.nothing}</p>;
  if (value === undefined) return <Waiting error={error} reload={reload} />;
  const count = value.created + value.changed;
  return (
    <>
      <p>{t.import.would(counted({ ...value, skipped: value.skipped + unread }))}</p>
      <Report report={value} />
      <Failure text={submit.failure} />
      {count === 0 || value.changed === 0 ? undefined : <p class="hint">{t.import.noUndo}</p>}
      <p class="section-foot">
        {count === 0 ? (
          t.import.nothing
        ) : (
          <button type="button" disabled={submit.isRunning} onClick={() => void take()}>
            {t.import.button(count)}
          </button>
        )}
      </p>
    </>
  );
}

function Report({ report }: { readonly report: ImportReport }): JSX.Element {
  return (
    <ul class="report">
      {report.events.slice(0, most).map((event, index) => (
        <li key={index}>
          <span class="badge">{t.import.results[event.result]}</span>{" "}
          <span dir="auto">{shownTitle(event.title)}</span>
          {event.reason === "" ? undefined : <span class="soft"> {event.reason}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What was changed is not known any more afterwards, nor what the report leaves out. */
const canUndo = ({ changed, omitted }: Done): boolean => changed === 0 && omitted === 0;

/** Deletes what was created. */
function undoOf(report: Done): (() => Promise<unknown>) | undefined {
  const ids = report.events.filter(({ result }) => result === "created").map(({ event_id }) => event_id);
  if (!canUndo(report) || ids.length === 0) return undefined;
  return async () => {
    for (let from = 0; from < ids.length; from += mostOfBatch.events)
      await api.events.changeMany(ids.slice(from, from + mostOfBatch.events), { delete: true });
  };
}
