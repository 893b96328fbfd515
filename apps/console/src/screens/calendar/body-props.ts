import type { CalendarDetails, Event, SeriesDetails } from "@kalends/client/extensions";
import type { EventFields } from "./event-fields.js";

/** What the fields of the editor share. */
export interface BodyProps {
  readonly calendar: CalendarDetails;
  readonly event: Event | undefined;
  /** That of the event; undefined of one that repeats not. */
  readonly series: SeriesDetails | undefined;
  readonly fields: EventFields;
  readonly errors: Readonly<Record<string, string>>;
  readonly set: (changes: Partial<EventFields>) => void;
}
