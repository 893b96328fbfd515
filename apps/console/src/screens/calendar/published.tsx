import type { JSX } from "preact";
import { whenInWords, zoneInWords } from "../../dates/words.js";
import { locale, t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { hasTimes, whenOf } from "./event-fields.js";

/** What the fields mean, in words: what followers will see. */
export function Published({ fields, calendar }: BodyProps): JSX.Element | null {
  if (!hasTimes(fields)) return null;
  const when = whenOf(fields);
  if (when.end < when.start) return null;
  const isElsewhere = fields.timezone !== calendar.timezone && !when.allDay;
  return (
    <section class="published" aria-live="polite">
      <h3>{t.event.publishes}</h3>
      <p class="published-title" dir="auto">
        {fields.title === "" ? "…" : fields.title}
      </p>
      <p>
        {whenInWords(locale, when)}
        {when.allDay ? "" : `, ${t.event.inZone(zoneInWords(fields.timezone))}`}
      </p>
      {isElsewhere ? <p class="soft">{t.calendar.zone(zoneInWords(calendar.timezone))}</p> : undefined}
      {fields.location === "" ? undefined : <p dir="auto">{fields.location}</p>}
    </section>
  );
}
