import type { Event } from "@kalends/client/extensions";
import { t } from "../../texts/current.js";

// Why an event is cancelled stands as the first line of its description, so that every page and every app shows it.

export type Cancelled = Pick<Event, "id" | "status" | "description">;

/** The first line that `cancelled` has written, in any language of the console. */
const firstLine = /^(?:Cancelled|Abgesagt|Annulé|Cancelado): [^\r\n]*(?:\r?\n)*/;

/** An event as it is when it is cancelled. @param note why; "" says nothing */
export function cancelled(
  { id, description }: Pick<Event, "id" | "description">,
  note: string,
  { cancelledBecause } = t.event,
): Cancelled {
  const rest = description.replace(firstLine, "");
  const why = note.trim();
  if (why === "") return { id, status: "cancelled", description };
  const first = cancelledBecause(why);
  return { id, status: "cancelled", description: rest === "" ? first : `${first}\n\n${rest}` };
}

/** An event that takes place after all, without why it was cancelled. */
export function revived({ id, description }: Pick<Event, "id" | "description">): Cancelled {
  return { id, status: "confirmed", description: description.replace(firstLine, "") };
}
