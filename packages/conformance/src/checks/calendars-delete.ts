import { plainCalendar } from "./calendar-kit.js";
import { equal, expect } from "../engine/assert.js";
import { idOf, idsOf, member, text } from "../engine/json.js";
import { deletedCalendar } from "./calendar-save-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const calendarDeleteChecks = [
  required(
    "calendars.delete.result",
    ["4.4 result", "2.3 deleted"],
    "Deleting a calendar returns its id as a string and the status deleted",
    async (kit) => {
      const calendar = await kit.calendar();
      const answer = await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) });
      const { id, status } = member(answer.body, "calendar");
      equal({ id, status }, { id: idOf(calendar), status: "deleted" }, "calendar");
    },
  ),
  required(
    "calendars.delete.is-gone",
    "3 calendar",
    "A deleted calendar is no longer listed, and no other goes with it",
    async (kit) => {
      const [calendar, other] = [await kit.calendar(), await kit.calendar()];
      await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) });
      equal(await kit.calendars(text(calendar, "title")), [], "the deleted calendar in the list");
      equal(idsOf(await kit.calendars(text(other, "title"))), [idOf(other)], "the other calendar");
    },
  ),
  required(
    "calendars.delete.takes-no-events",
    "3 calendar",
    "A deleted calendar takes no new events",
    async (kit) => {
      await kit.refused("createEvent", {
        calendar_id: await deletedCalendar(kit),
        title: kit.name(),
        start_date: "07/04/2026 13:30",
      });
    },
  ),
  required(
    "calendars.delete.lists-no-events",
    "3 calendar",
    "The events of a deleted calendar cannot be listed",
    async (kit) => {
      await kit.refused("listEvents", { calendar_id: await deletedCalendar(kit) });
    },
  ),
  required(
    "calendars.delete.twice",
    "4.4 calendar_id",
    "A deleted calendar cannot be deleted again",
    async (kit) => {
      await kit.refused("deleteCalendar", { calendar_id: await deletedCalendar(kit) });
    },
  ),
  required(
    "calendars.delete.id-is-mandatory",
    "4.4 calendar_id",
    "Delete without calendar_id is refused and deletes nothing",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.refused("deleteCalendar");
      equal(
        idsOf(await kit.calendars(text(calendar, "title"))),
        [idOf(calendar)],
        "calendars after a refused delete",
      );
    },
  ),
  required(
    "calendars.delete.empty-id",
    "4.4 calendar_id",
    "Delete with an empty calendar_id is refused and deletes nothing",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.refused("deleteCalendar", { calendar_id: "" });
      equal(
        idsOf(await kit.calendars(text(calendar, "title"))),
        [idOf(calendar)],
        "calendars after a refused delete",
      );
    },
  ),
  recommended(
    "calendars.delete.id-is-not-reused",
    "R4.1",
    "The id of a deleted calendar is not given again",
    async (kit) => {
      const gone = await deletedCalendar(kit);
      expect(idOf(await kit.calendar()) !== gone, `id: ${gone} was given to another calendar.`);
    },
  ),
  recommended(
    "calendars.delete.takes-its-events",
    "3 calendar",
    "The events of a deleted calendar cannot be saved",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      await kit.ok("deleteCalendar", { calendar_id: idOf(calendar) });
      await kit.refused("saveEvent", { event_id: idOf(event), title: "x", start_date: "07/04/2026 13:30" });
    },
  ),
  recommended(
    "calendars.uniquekey.form",
    "R4.1",
    "uniquekey has 12 lower case letters and digits",
    async (kit) => {
      const key = text(await plainCalendar(kit), "uniquekey");
      expect(/^[a-z0-9]{12}$/.test(key), `uniquekey: expected 12 lower case letters and digits, got ${key}.`);
    },
  ),
  recommended("calendars.ids.ascend", "R4.1", "A later calendar has a higher id", async (kit) => {
    const [one, two] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    expect(BigInt(two) > BigInt(one), `id: ${two} was given after ${one}.`);
  }),
];
