import type { CalendarDetails, Event, SeriesScope } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { root } from "../../api/root.js";
import { useSubmit } from "../../api/submitting.js";
import { Dialog } from "../../parts/dialog.js";
import { notify } from "../../parts/notices.js";
import { Failure } from "../../parts/states.js";
import { hrefOf } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { t } from "../../texts/current.js";
import { Cancel } from "./cancel.js";
import { Duplicate } from "./duplicate.js";
import { ScopeQuestion } from "./scope-question.js";
import { isKnownSoon } from "../../parts/soon.js";
import { useSoonOfSeries, useTelling } from "../../parts/telling.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly event: Event;
  readonly onClose: (day?: string) => void;
}

/** What else can be done with an event that is there. */
export function OtherActions({ calendar, event, onClose }: Props): JSX.Element {
  const [open, setOpen] = useState<"remove" | "duplicate">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" class="quiet danger" onClick={() => setOpen("remove")}>
        {t.event.cancelOrRemove}
      </button>
      <button type="button" class="quiet" onClick={() => setOpen("duplicate")}>
        {t.event.duplicate} …
      </button>
      {open === "remove" ? <Remove {...{ calendar, event }} onDone={onClose} onClose={close} /> : undefined}
      {open === "duplicate" ? <Duplicate event={event} onDone={onClose} onClose={close} /> : undefined}
    </>
  );
}

/** Where else something is to be seen of an event. */
export function EventLinks({ calendar, event }: Pick<Props, "calendar" | "event">): JSX.Element {
  return (
    <p class="event-links">
      <a
        href={event.published ? `${root}/c/${calendar.uniquekey}/e/${event.uid}` : event.preview_url}
        target="_blank"
        rel="noopener"
      >
        {event.published ? t.event.page : t.draft.preview}
      </a>
      <a href={hrefOf(printAddress(calendarPath(calendar.id, "history"), { event: event.id }))}>
        {t.calendar.tabs.history}
      </a>
    </p>
  );
}

interface ActionProps {
  readonly calendar: CalendarDetails;
  readonly event: Event;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Deleting and cancelling, each with what followers will see. */
function Remove({ calendar, event, onDone, onClose }: ActionProps): JSX.Element {
  const submit = useSubmit();
  const hasSoon = useSoonOfSeries(calendar, event.series_id);
  // A cancelled event that takes place after all is news too, and its deletion is none.
  const concerns = hasSoon || isKnownSoon({ ...event, status: "confirmed" });
  const { told, question } = useTelling({ calendarIds: [calendar.id], concerns, hasNote: true });
  const [asksScope, setAsksScope] = useState(false);
  const remove = async (): Promise<void> => {
    const gone = await submit.run((options) => api.events.remove(event.id, { ...options, ...told }));
    if (gone === undefined) return;
    notify(t.event.removed(event.title), () => api.trash.restoreEvent(event.id, told));
    onDone();
  };
  const removeScope = async (scope: SeriesScope): Promise<void> => {
    const gone = await submit.run((options) =>
      api.events.series.delete(event.id, scope, { ...options, ...told }),
    );
    if (gone === undefined) return;
    const undo = () =>
      scope === "this"
        ? api.trash.restoreEvent(event.id, told)
        : api.trash.restoreSeries(event.series_id, told);
    notify(t.series.removedMany(gone.length), undo);
    onDone();
  };
  if (asksScope)
    return <ScopeQuestion saving={undefined} event={event} onChoose={removeScope} onClose={onClose} />;
  return (
    <Dialog title={t.event.removeTitle} onClose={onClose}>
      {question}
      <Cancel {...{ event, told, onDone }} />
      <h3>{t.event.remove}</h3>
      <p>{question === undefined ? t.event.removeText : t.news.removeText}</p>
      <button
        type="button"
        class="quiet danger"
        onClick={() => (event.series_id === "" ? void remove() : setAsksScope(true))}
      >
        {t.event.remove}
      </button>
      <Failure text={submit.failure} />
    </Dialog>
  );
}
