import { equal } from "../engine/assert.js";
import { observed, recommended, required } from "../engine/check.js";
import { idOf, member } from "../engine/json.js";
import { deletedCalendar, refusesCalendarDelete } from "../steps/calendars.js";
import { outcome } from "../steps/observations.js";

/** contract 4.4: deleting a calendar. */
export const checks = [
  required(
    "calendars.delete.result",
    ["4.4 result", "2.3 deleted"],
    "Deleting a calendar returns its id as a string and the status deleted",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.event(calendar);
      const { id, status } = member((await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) })).body, "calendar");
      equal({ id, status }, { id: idOf(calendar), status: "deleted" }, "calendar");
    },
  ),
  recommended("calendars.delete.twice", ["R2.6", "4.4 calendar_id"], "A deleted calendar cannot be deleted again", async (kit) => {
    await kit.refused("deleteCalendar", { calendar_id: await deletedCalendar(kit) });
  }),
  required(
    "calendars.delete.id-is-mandatory",
    "4.4 calendar_id",
    "Delete without calendar_id is refused and deletes nothing",
    refusesCalendarDelete({}),
  ),
  recommended(
    "calendars.delete.empty-id",
    ["R1.5", "4.4 calendar_id"],
    "Delete with an empty calendar_id is refused and deletes nothing",
    refusesCalendarDelete({ calendar_id: "" }),
  ),
  observed("calendars.observed.second-delete", "4.4 calendar_id", "What a second delete answers", async (kit) => {
    const calendar_id = await deletedCalendar(kit);
    kit.observe(outcome(await kit.call("deleteCalendar", { calendar_id })));
  }),
];
