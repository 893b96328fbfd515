import type { CalendarDetails } from "@kalends/client/extensions";
import type { ComponentChildren, JSX } from "preact";
import { zoneInWords } from "../dates/words.js";
import { useMail } from "../api/mail.js";
import { hrefOf } from "../router/location.js";
import { calendarPath } from "../router/routes.js";
import { t } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import { useCurrentInView } from "./current-in-view.js";

const parts = ["", "share", "followers", "messages", "import", "history", "settings"] as const;
export type Part = (typeof parts)[number];

interface Props {
  readonly calendar: CalendarDetails;
  readonly current: Part;
  /** Beside the name. */
  readonly children?: ComponentChildren;
}

/** The name of a calendar, its zone, and the way to its parts. */
export function CalendarHead({ calendar, current, children }: Props): JSX.Element {
  const tabs = useCurrentInView(current);
  const hasMail = useMail();
  const shown = parts.filter((part) => part !== "messages" || hasMail);
  return (
    <div class="calendar-head">
      <div class="page-head">
        <h1 dir="auto">{shownTitle(calendar.title)}</h1>
        {children}
      </div>
      <nav ref={tabs} class="tabs" aria-label={t.calendar.tabs.label}>
        {shown.map((part) => (
          <a
            key={part}
            href={hrefOf(calendarPath(calendar.id, part))}
            aria-current={part === current ? "page" : undefined}
          >
            {t.calendar.tabs[part === "" ? "events" : part]}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** Names the one zone that all times are in. */
export function ZoneNote({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  return <p class="soft zone-note">{t.calendar.zone(zoneInWords(calendar.timezone))}</p>;
}
