import type { CalendarDetails, Event } from "@kalends/client/extensions";
import type { EventFields } from "./event-fields.js";

/** What the fields of the editor share. */
export interface BodyProps {
  readonly calendar: CalendarDetails;
  readonly event: Event | undefined;
  readonly fields: EventFields;
  readonly errors: Readonly<Record<string, string>>;
  readonly set: (changes: Partial<EventFields>) => void;
}
