import type { CalendarDetails, ImportReport } from "@kalends/client/extensions";
import { mostOfBatch } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { statusOf } from "../../api/failures.js";
import { type Loaded, useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { addDays } from "../../dates/days.js";
import { whenInWords } from "../../dates/words.js";
import { notify } from "../../parts/notices.js";
import { isSoon } from "../../parts/soon.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { type Told, useTelling } from "../../parts/telling.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { categoriesOf, isOnlyColor, privateEvents, publishing, withoutCategories } from "./choices.js";
import { eventsOfFile, type FileEvent, lookAlikes, partsOf, rangeOf, withoutEvents } from "./look-alikes.js";

interface Props {
  readonly calendar: CalendarDetails;
  /** As iCalendar. */
  readonly file: string;
  /** Lines of a table that are no event. */
  readonly unread?: number;
  /** @param done what was imported, in words; `day` of its first event */
  readonly onDone: (done: Imported) => void;
}

/** What was imported, in words, and the day of its first event. */
export interface Imported {
  readonly text: string;
  readonly day: string;
}

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

/** What an import would do, as the server says without doing it, and what can be chosen of it; then the import. */
export function Preview({ calendar, file, unread = 0, onDone }: Props): JSX.Element {
  const { value: report, error, reload } = useDryRun(calendar, file);
  const alike = useLookAlikes(calendar, file, report ?? undefined);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const [published, setPublished] = useState<ReadonlySet<string>>(new Set());
  const categories = useMemo(() => categoriesOf(file), [file]);
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(categories.filter((name) => !isOnlyColor(name))),
  );
  if (alike === undefined) return <Waiting error={error} reload={reload} />;
  const unwanted = new Set(alike.map(({ uid }) => uid).filter((uid) => !wanted.has(uid)));
  const dropped = new Set(categories.filter((name) => !kept.has(name)));
  const chosen = withoutCategories(publishing(withoutEvents(file, unwanted), published), dropped);
  return (
    <div class="preview" aria-live="polite">
      {alike.length === 0 ? undefined : (
        <Choice
          legend={t.import.alike(alike.length)}
          hint={t.import.alikeText}
          items={alike.map(({ uid, title, start }) => [uid, title, startInWords(start)])}
          chosen={wanted}
          onChange={setWanted}
        />
      )}
      <PrivateOnes file={file} chosen={published} onChange={setPublished} />
      {categories.length === 0 ? undefined : (
        <Choice
          legend={t.import.categories}
          hint={t.import.categoriesText}
          items={categories.map((name) => [name, name, ""])}
          chosen={kept}
          onChange={setKept}
        />
      )}
      <Outcome {...{ calendar, unread, onDone }} file={chosen} />
    </div>
  );
}

/** Events that the file says are private: each can be taken, with a word about what that means. */
function PrivateOnes({
  file,
  ...choice
}: Pick<ChoiceProps, "chosen" | "onChange"> & { readonly file: string }) {
  const events = useMemo(() => privateEvents(file), [file]);
  if (events.length === 0) return null;
  return (
    <Choice
      legend={t.import.privateOnes(events.length)}
      hint={t.import.privateText}
      items={events.map(({ uid, title, start }) => [uid, title, start === "" ? "" : startInWords(start)])}
      {...choice}
    />
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

/** A start of the file in words. */
function startInWords(start: string): string {
  const wall = start.replace("Z", "");
  const when = whenInWords(locale, { start: wall, end: wall, allDay: start.length === 10 });
  return `${when}${start.endsWith("Z") ? " UTC" : ""}`;
}

interface ChoiceProps {
  readonly legend: string;
  readonly hint: string;
  readonly items: readonly (readonly [id: string, title: string, when: string])[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** What can be ticked one by one. */
function Choice({ legend, hint, items, chosen, onChange }: ChoiceProps): JSX.Element {
  const name = useId();
  const toggle = (id: string): void =>
    onChange(new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id]));
  return (
    <div class="alike" role="group" aria-labelledby={name}>
      <h3 id={name}>{legend}</h3>
      <p class="hint">{hint}</p>
      {items.map(([id, title, when]) => (
        <label key={id} class="check">
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          <span>
            <strong dir="auto">{shownTitle(title)}</strong>
            {when === "" ? "" : ` · ${when}`}
          </span>
        </label>
      ))}
    </div>
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
async function importParts(id: string, parts: readonly string[], key: string, told: Told): Promise<Done> {
  const all = { created: 0, changed: 0, omitted: 0, events: [] as ImportReport["events"][number][] };
  for (const [index, part] of parts.entries()) {
    const report = await api.calendars.import(id, part, { idempotencyKey: `${key}${index}`, ...told });
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
  const concerns = value?.events.some((entry) => isNews(entry, calendar.timezone)) === true;
  const { told, question } = useTelling({ calendarIds: [calendar.id], concerns, hasNote: true });
  const take = async (): Promise<void> => {
    const parts = value?.omitted === 0 ? [file] : partsOf(file, ofOne);
    const done = await submit.run((options) => importParts(calendar.id, parts, options.idempotencyKey, told));
    if (done === undefined) return;
    const text = t.import.done(counted({ ...done, unchanged: 0, skipped: 0 }));
    notify(text, undoOf(done, told));
    const days = done.events.map(({ start_date }) => start_date.slice(0, 10)).filter((day) => day !== "");
    onDone({ text, day: days.toSorted()[0] ?? "" });
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
      {question}
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

/** Entries of the report that are listed at first. */
const most = 50;

type Entry = ImportReport["events"][number];

/** Whether followers are told of what becomes of an event (extensions X12.1). A new one that is cancelled is no news. */
function isNews({ start_date: start, end_date: end, result, status }: Entry, timezone: string): boolean {
  const isWritten = result === "changed" || (result === "created" && status !== "cancelled");
  return isWritten && start !== "" && isSoon({ start, end, timezone }, Date.now());
}

/** The events of the file, soonest first: when and where each is, and what becomes of it. */
function Report({ report }: { readonly report: ImportReport }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const sorted = report.events.toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1));
  return (
    <>
      <ul class="report">
        {sorted.slice(0, isWhole ? undefined : most).map((entry, index) => (
          <ReportRow key={index} entry={entry} />
        ))}
      </ul>
      {isWhole || sorted.length <= most ? undefined : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {t.import.showAll(sorted.length)}
        </button>
      )}
      {report.omitted === 0 ? undefined : <p class="hint">{t.series.moreDates(report.omitted)}</p>}
    </>
  );
}

function ReportRow({ entry }: { readonly entry: Entry }): JSX.Element {
  const { title, start_date: start, end_date: end, location, result, reason, status, dates } = entry;
  const when = start === "" ? "" : whenInWords(locale, { start, end, allDay: start.length === 10 });
  return (
    <li class={result === "skipped" ? "left-out" : ""}>
      <span class="report-what">
        <strong dir="auto">{shownTitle(title)}</strong>{" "}
        <span class={`badge ${result}`}>{t.import.results[result]}</span>{" "}
        {status === "cancelled" ? (
          <span class="badge cancelled">{t.calendar.status.cancelled}</span>
        ) : undefined}
        {dates > 1 ? <span class="soft"> {t.categories.count(dates)}</span> : undefined}
      </span>
      {when === "" && location === "" ? undefined : (
        <span class="soft">{[when, location].filter((text) => text !== "").join(" · ")}</span>
      )}
      {reason === "" ? undefined : <span class="soft">{reasonInWords(reason)}</span>}
    </li>
  );
}

/** Why an event is left out: the usual reasons in the reader's language, the others as the server says them. */
function reasonInWords(reason: string): string {
  const known: Readonly<Record<string, string>> = t.import.reasons;
  return known[reason] ?? reason;
}

/** What was changed is not known any more afterwards, nor what the report leaves out. */
const canUndo = ({ changed, omitted }: Done): boolean => changed === 0 && omitted === 0;

/** Deletes what was created. */
function undoOf(report: Done, told: Told): (() => Promise<unknown>) | undefined {
  const ids = report.events.filter(({ result }) => result === "created").map(({ event_id }) => event_id);
  if (!canUndo(report) || ids.length === 0) return undefined;
  return async () => {
    for (let from = 0; from < ids.length; from += mostOfBatch.events)
      await api.events.changeMany(ids.slice(from, from + mostOfBatch.events), { delete: true, ...told });
  };
}
