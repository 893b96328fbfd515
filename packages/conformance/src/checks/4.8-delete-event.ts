import { equal } from "../engine/assert.js";
import { recommended, required } from "../engine/check.js";
import { idOf, member } from "../engine/json.js";
import { calendarFor, deletedEvent, refusesEventDelete } from "../steps/events.js";

/** contract 4.8: deleting an event. */
export const checks = [
  required("events.delete.result", ["4.8 result", "2.4 deleted"], "Delete returns the id as a string and the status deleted", async (kit) => {
    const event = await kit.event(await calendarFor(kit));
    const { id, status } = member((await kit.ok("deleteEvent", { event_id: idOf(event) })).body, "event");
    equal({ id, status }, { id: idOf(event), status: "deleted" }, "event");
  }),
  recommended("events.delete.twice", ["R2.6", "4.8 event_id"], "A deleted event cannot be deleted again", async (kit) => {
    await kit.refused("deleteEvent", { event_id: (await deletedEvent(kit)).id });
  }),
  required("events.delete.id-is-mandatory", "4.8 event_id", "Delete without event_id is refused and deletes nothing", refusesEventDelete({})),
];
