import type { JSX } from "preact";
import { instantInWords, whenInWords, zoneInWords } from "../../dates/words.js";
import { instantOf, wallIn } from "../../dates/zones.js";
import { locale, t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { useClockNotes } from "./clock.js";
import { hasTimes, onClock, whenOf } from "./event-fields.js";
import { chosenInWords } from "./rule-words.js";

/** What the fields mean, in words: what followers will see. */
export function Published(props: BodyProps): JSX.Element | null {
  const { fields, calendar } = props;
  const notes = useClockNotes(fields);
  if (!hasTimes(fields) || whenOf(fields).end < whenOf(fields).start) return null;
  const when = onClock(whenOf(fields), notes);
  // Which events of a series a new start counts for is asked last; its rule stands below.
  const rule = props.series === undefined ? chosenInWords(fields, fields.startDay) : "";
  const isElsewhere = fields.timezone !== calendar.timezone && !when.allDay;
  return (
    <section class="published" aria-live="polite">
      <h3>{publication(fields)}</h3>
      <p class="published-title" dir="auto">
        {fields.title === "" ? "…" : fields.title}
      </p>
      <p>
        {whenInWords(locale, when)}
        {when.allDay ? "" : `, ${t.event.inZone(zoneInWords(fields.timezone))}`}
      </p>
      {rule === "" ? undefined : <p>{rule}</p>}
      {isElsewhere ? <p class="soft">{t.calendar.zone(zoneInWords(calendar.timezone))}</p> : undefined}
      {fields.location === "" ? undefined : <p dir="auto">{fields.location}</p>}
      {when.allDay ? undefined : <YourTime start={when.start} timezone={fields.timezone} />}
    </section>
  );
}

function publication({ published, publishAt }: BodyProps["fields"]): string {
  if (published === "true") return t.event.publishes;
  return published === "at" && publishAt !== ""
    ? t.draft.from(instantInWords(locale, publishAt))
    : t.draft.hidden;
}

/** When an event begins for a reader who is in another zone. */
function YourTime({
  start,
  timezone,
}: {
  readonly start: string;
  readonly timezone: string;
}): JSX.Element | null {
  const instant = instantOf(timezone, start);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (instant === undefined || wallIn(here, instant) === start) return null;
  return <p class="soft">{t.event.yourTime(instantInWords(locale, new Date(instant).toISOString()))}</p>;
}
