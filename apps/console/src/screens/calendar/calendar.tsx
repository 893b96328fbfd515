import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendar, useEventColors, useNextEvent } from "../../api/calendars.js";
import { roleOn, type Session } from "../../api/session.js";
import type { When } from "../../dates/words.js";
import { CalendarHead, ZoneNote } from "../../parts/calendar-tabs.js";
import { Loading, NoCalendar } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { go, hrefOf, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { EventDialog } from "./event-dialog.js";
import { Events } from "./events.js";
import { MonthBar } from "../../month/month-bar.js";
import { useView } from "../../month/view.js";
import { lazy } from "../../parts/lazy.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** The events of one calendar. */
export function CalendarScreen({ session, id }: Props): JSX.Element {
  const { value: calendar, error, reload } = useCalendar(id);
  useTitle(calendar === undefined ? t.calendars.title : shownTitle(calendar.title));
  if (calendar === undefined)
    return error === null ? <Loading /> : <NoCalendar error={error} onRetry={reload} />;
  return <Shown calendar={calendar} canWrite={roleOn(session, id) !== "viewer"} />;
}

/** What asks before a dragged event is stored, loaded when the first one is. */
const MoveDialog = lazy(async () => (await import("./later.js")).MoveDialog);

interface ShownProps {
  readonly calendar: CalendarDetails;
  readonly canWrite: boolean;
}

function Shown({ calendar, canWrite }: ShownProps): JSX.Element {
  const [view, show] = useView(calendarPath(calendar.id), calendar.timezone);
  const colorOf = useEventColors([calendar]);
  const [opened, setOpened] = useState<FoundEvent>();
  const [dropped, setDropped] = useState<{ readonly event: FoundEvent; readonly when: When }>();
  const open = (event: FoundEvent): void => {
    setOpened(event);
    show({ open: event.id });
  };
  const { query } = useAddress();
  const close = (day = view.day): void => {
    const { back } = query;
    if (back === undefined) show({ adding: "", open: "", day });
    else go(printAddress("/month", { ...Object.fromEntries(new URLSearchParams(back)), day }), "replace");
  };
  const add = canWrite
    ? (start: string): void => show({ adding: start, day: start.slice(0, 10) })
    : undefined;
  return (
    <div class="page wide">
      <CalendarHead calendar={calendar} current="">
        {add === undefined ? undefined : (
          <button type="button" class="add-event" onClick={() => add(view.day)}>
            {t.calendar.newEvent}
          </button>
        )}
      </CalendarHead>
      <ToShare calendar={calendar} />
      <MonthBar view={view} onShow={show} />
      <ZoneNote calendar={calendar} />
      <Events
        calendar={calendar}
        view={view}
        colorOf={colorOf}
        onDay={(day) => show({ day })}
        onAdd={add}
        onOpen={open}
        onDrop={canWrite ? (event, when) => setDropped({ event, when }) : undefined}
      />
      {dropped === undefined ? undefined : (
        <MoveDialog {...dropped} calendar={calendar} onClose={() => setDropped(undefined)} />
      )}
      <EventDialog calendar={calendar} view={view} known={opened} canWrite={canWrite} onClose={close} />
    </div>
  );
}

/** The way to the link of a calendar that has an event and that nobody follows. */
function ToShare({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element | null {
  const { value: next } = useNextEvent(calendar.id);
  if (calendar.followers_total > 0 || next === undefined || next === null) return null;
  return (
    <p class="notice to-share">
      {t.start.nobody}
      <a class="button" href={hrefOf(calendarPath(calendar.id, "share"))}>
        {t.start.share}
      </a>
    </p>
  );
}
