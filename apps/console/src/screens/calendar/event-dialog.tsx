import type { CalendarDetails, Event } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, newKey } from "../../api/client.js";
import { sayFailure, statusOf } from "../../api/failures.js";
import { loaded, type Loaded, useLoaded } from "../../api/loading.js";
import { Dialog } from "../../parts/dialog.js";
import { lazy } from "../../parts/lazy.js";
import { go } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { t } from "../../texts/current.js";
import type { View } from "../../month/view.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly view: View;
  /** The event that was opened, as the list has it. */
  readonly known: Event | undefined;
  readonly canWrite: boolean;
  /** @param day where what was saved is now */
  readonly onClose: (day?: string) => void;
}

/** The editor of the address: of a new event, or of one that is there. */
export function EventDialog({ view, known, ...props }: Props): JSX.Element | null {
  if (view.adding !== "" && props.canWrite)
    return <LazyEditor {...props} key="new" event={undefined} series={undefined} day={view.adding} />;
  if (view.open === "") return null;
  // A list that is read again may have the event as it was before the last save.
  const isKnown = known?.id === view.open && loaded.isFetching() === 0;
  return <OpenEvent {...props} key={view.open} id={view.open} known={isKnown ? known : undefined} />;
}

interface OpenProps extends Omit<Props, "view"> {
  readonly id: string;
}

/** The editor begins once, with what was there then: what is saved meanwhile is a conflict, not another text under the cursor. */
function OpenEvent({ id, known, ...props }: OpenProps): JSX.Element {
  const [event, setEvent] = useState(known);
  if (event === undefined) return <LoadEvent id={id} onLoaded={setEvent} onClose={() => props.onClose()} />;
  if (event.calendar_id !== props.calendar.id) return <Elsewhere event={event} />;
  if (event.series_id === "") return <LazyEditor {...props} event={event} series={undefined} day="" />;
  return <OfSeries {...props} event={event} />;
}

/** Loads what an editor begins with, once for each opening: what an earlier one has read may be older than its save. */
function useOpened<Value>(key: readonly string[], load: () => Promise<Value>): Loaded<Value> {
  const [opening] = useState(newKey);
  return useLoaded([...key, opening], load);
}

/** The rule of a series is read before its event is edited, since it is one of the fields. */
function OfSeries({
  event,
  ...props
}: Omit<OpenProps, "id" | "known"> & { readonly event: Event }): JSX.Element | null {
  const { value: read, error } = useOpened(["series", event.series_id], () =>
    api.events.series.get(event.series_id),
  );
  const [series, setSeries] = useState(read);
  useEffect(() => setSeries((first) => first ?? read), [read]);
  if (series !== undefined || error !== null)
    return <LazyEditor {...props} event={event} series={series} day="" />;
  return null;
}

/** An event is shown in its own calendar, whatever the address says: it may have moved. */
function Elsewhere({ event: { id, calendar_id } }: { readonly event: Event }): null {
  useEffect(() => go(printAddress(calendarPath(calendar_id), { event: id }), "replace"), []);
  return null;
}

interface LoadProps {
  readonly id: string;
  readonly onLoaded: (event: Event) => void;
  readonly onClose: () => void;
}

function LoadEvent({ id, onLoaded, onClose }: LoadProps): JSX.Element | null {
  const { value, error } = useOpened(["event", id], () => api.events.get(id));
  useEffect(() => {
    if (value !== undefined) onLoaded(value);
  }, [value]);
  if (error === null) return null;
  return (
    <Dialog title={t.event.edit} onClose={onClose}>
      <p>{statusOf(error) === 400 ? t.errors.notFound : sayFailure(error)}</p>
    </Dialog>
  );
}

/** The editor, loaded when it is first needed. */
const LazyEditor = lazy(async () => (await import("./later.js")).Editor);
