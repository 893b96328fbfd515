import type { CalendarDetails, ImportReport } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { sayFailure, statusOf } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { useSubmit } from "../../api/submitting.js";
import { notify } from "../../parts/notices.js";
import { Failure, Loading } from "../../parts/states.js";
import { t } from "../../texts/current.js";

interface Props {
  readonly calendar: CalendarDetails;
  /** As iCalendar. */
  readonly file: string;
  readonly onDone: () => void;
}

/** Entries of the report that are listed. */
const most = 200;

/** The most events that one call takes back. */
const mostUndone = 500;

/** What an import would do, as the server says without doing it; then the import. */
export function Preview({ calendar, file, onDone }: Props): JSX.Element {
  const submit = useSubmit();
  const { value: report, error } = useLoaded(["import", calendar.id, file], () =>
    api.calendars.import(calendar.id, file, { dryRun: true }),
  );
  const take = async (): Promise<void> => {
    const done = await submit.run((options) => api.calendars.import(calendar.id, file, options));
    if (done === undefined) return;
    notify(t.import.done(done.created, done.changed), undoOf(done));
    onDone();
  };
  if (report === undefined) {
    if (error === null) return <Loading />;
    return (
      <p class="failure" role="alert">
        {statusOf(error) === 400 ? t.import.unreadable : sayFailure(error)}
      </p>
    );
  }
  const count = report.created + report.changed;
  return (
    <div class="preview" aria-live="polite">
      <p>{t.import.would(report.created, report.changed, report.unchanged, report.skipped)}</p>
      <ul class="report">
        {report.events.slice(0, most).map((event, index) => (
          <li key={index}>
            <span class="badge">{t.import.results[event.result]}</span> <span dir="auto">{event.title}</span>
            {event.reason === "" ? undefined : <span class="soft"> {event.reason}</span>}
          </li>
        ))}
      </ul>
      <Failure text={submit.failure} />
      <p class="section-foot">
        {count === 0 ? (
          t.import.nothing
        ) : (
          <button type="button" disabled={submit.isRunning} onClick={() => void take()}>
            {t.import.button(count)}
          </button>
        )}
      </p>
    </div>
  );
}

/** Deletes what was created; what was changed cannot be taken back here, so then nothing is. */
function undoOf({ events, changed, omitted }: ImportReport): (() => Promise<unknown>) | undefined {
  const ids = events.filter(({ result }) => result === "created").map(({ event_id }) => event_id);
  if (changed > 0 || omitted > 0 || ids.length === 0 || ids.length > mostUndone) return undefined;
  return () => api.events.changeMany(ids, { delete: true });
}
