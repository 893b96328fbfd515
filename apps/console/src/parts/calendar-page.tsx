import type { CalendarDetails } from "@kalends/client/extensions";
import type { ComponentChildren, JSX } from "preact";
import { useCalendar } from "../api/calendars.js";
import { t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import { CalendarHead, type Part } from "./calendar-tabs.js";
import { Loading, NoCalendar } from "./states.js";
import { useTitle } from "./title.js";

interface Props {
  readonly id: string;
  readonly current: Part;
  readonly children: (calendar: CalendarDetails) => ComponentChildren;
}

/** A part of a calendar beside its events. */
export function CalendarPage({ id, current, children }: Props): JSX.Element {
  const { value: calendar, error, reload } = useCalendar(id);
  const part = t.calendar.tabs[current === "" ? "events" : current];
  useTitle(calendar === undefined ? part : `${part} · ${shownTitle(calendar.title)}`);
  if (calendar === undefined)
    return error === null ? <Loading /> : <NoCalendar error={error} onRetry={reload} />;
  return (
    <div class="page wide">
      <CalendarHead calendar={calendar} current={current} />
      <div class="part">{children(calendar)}</div>
    </div>
  );
}
