import { equal } from "../engine/assert.js";
import { recommended, required } from "../engine/check.js";
import { idOf, idsOf, member, only, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { deletedCalendar } from "../steps/calendars.js";
import { saveEvent } from "../steps/events.js";

/** contract 3: states and transitions. */
export const checks = [
  required("calendars.delete.is-gone", "3 calendar", "A deleted calendar is no longer listed, and no other goes with it", async (kit) => {
    const [calendar, other] = [await kit.calendar(), await kit.calendar()];
    const event = await kit.event(other);
    await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) });
    equal(await kit.calendars(text(calendar, "title")), [], "the deleted calendar in the list");
    equal(idsOf(await kit.calendars(text(other, "title"))), [idOf(other)], "the other calendar");
    equal(idsOf(await kit.events(other)), [idOf(event)], "events of the other calendar");
  }),
  recommended("calendars.delete.takes-no-events", ["R2.6", "3 calendar"], "A deleted calendar takes no new events", async (kit) => {
    await kit.refused("createEvent", { calendar_id: await deletedCalendar(kit), title: kit.name(), start_date: someStart });
  }),
  recommended("calendars.delete.lists-no-events", ["R2.6", "3 calendar"], "The events of a deleted calendar cannot be listed", async (kit) => {
    await kit.refused("listEvents", { calendar_id: await deletedCalendar(kit) });
  }),
  recommended(
    "calendars.delete.lists-no-subscribers",
    ["R2.6", "3 calendar"],
    "The subscribers of a deleted calendar cannot be listed",
    async (kit) => {
      const calendar_id = await deletedCalendar(kit);
      for (const operation of ["listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"] as const)
        await kit.refused(operation, { calendar_id });
    },
  ),
  recommended("calendars.delete.takes-its-events", "3 calendar", "The events of a deleted calendar can neither be saved nor deleted", async (kit) => {
    const calendar = await kit.calendar();
    const event_id = idOf(await kit.event(calendar));
    await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) });
    await kit.refused("saveEvent", { event_id, title: "x", start_date: someStart });
    await kit.refused("deleteEvent", { event_id });
  }),
  required(
    "events.save.updated-times",
    ["3 saved", "2.4 updated_times", "4.7 result"],
    "updated_times is 1 after the first save, 2 after the second",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      for (const count of ["1", "2"]) {
        equal(String((await saveEvent(kit, event))["updated_times"]), count, `updated_times of save ${count}`);
        equal(String(only(await kit.events(calendar), "events")["updated_times"]), count, `updated_times in the list after save ${count}`);
      }
    },
  ),
  required("events.delete.is-gone", "3 event", "A deleted event is no longer listed, and no other goes with it", async (kit) => {
    const calendar = await kit.calendar();
    const [event, other] = [await kit.event(calendar), await kit.event(calendar)];
    await kit.ok("deleteEvent", { event_id: idOf(event) });
    for (const filter of [{}, { order_by: "date-desc" }, { month: "07", year: "2026" }, { upcoming: "2020-01-01 00:00:00" }])
      equal(idsOf(await kit.events(calendar, filter)), [idOf(other)], `events after a delete with ${JSON.stringify(filter)}`);
    const { body } = await kit.ok("listEvents", { calendar_id: idOf(calendar) });
    equal(member(body, "calendar")["events_count"], 1, "events_count after a delete");
  }),
];
