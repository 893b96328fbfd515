import type { Event } from "@kalends/client/extensions";

type Version = Pick<Event, "id" | "updated_times">;

/** The versions of events after one more change, so that its undo takes back no other's. */
export function savedOnce(events: readonly Version[]): readonly Version[] {
  return events.map(({ id, updated_times }) => ({ id, updated_times: updated_times + 1 }));
}
