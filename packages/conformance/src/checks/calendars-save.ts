import { equal } from "../engine/assert.js";
import { idOf, idsOf } from "../engine/json.js";
import { listedCalendar, saved, refusesToSave, deletedCalendar } from "./calendar-save-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const calendarSaveChecks = [
  required(
    "calendars.save.empty-name",
    "4.3 rules",
    "Saved with an empty calendarname, the title is used",
    async (kit) => {
      const calendar = await kit.calendar({ calendarname: "Name" });
      equal(
        (await saved(kit, calendar, { calendarname: "" }))["calendarname"],
        calendar["title"],
        "calendarname",
      );
    },
  ),
  required(
    "calendars.save.empty-timezone",
    "4.3 rules",
    "Saved with an empty timezone, America/Los_Angeles is used",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "Europe/Paris" });
      await saved(kit, calendar, { timezone: "" });
      equal((await listedCalendar(kit, calendar))["timezone"], "America/Los_Angeles", "timezone");
    },
  ),
  required(
    "calendars.save.default-palette",
    "4.3 rules",
    "Saved with an empty palette_id, the default palette is used",
    async (kit) => {
      const calendar = await kit.calendar();
      equal(
        (await saved(kit, calendar, { palette_id: "" }))["palette_id"],
        calendar["palette_id"],
        "palette_id",
      );
    },
  ),
  recommended(
    "calendars.save.palette-returns-to-default",
    "R4.6",
    "Saved without palette_id, the default takes the place of another",
    async (kit) => {
      const calendar = await kit.calendar({ palette_id: "2" });
      equal((await saved(kit, calendar, {}))["palette_id"], "1", "palette_id");
    },
  ),
  required(
    "calendars.save.title-is-mandatory",
    "4.3 rules",
    "A calendar saved without title is refused and unchanged",
    (kit) => refusesToSave(kit, {}),
  ),
  required(
    "calendars.save.empty-title",
    "4.3 rules",
    "A calendar saved with an empty title is refused and unchanged",
    (kit) => refusesToSave(kit, { title: "" }),
  ),
  required(
    "calendars.save.unknown-zone",
    "4.3 rules",
    "A calendar saved with an unknown zone is refused and unchanged",
    (kit) => refusesToSave(kit, { title: kit.name(), timezone: "Mars/Olympus_Mons" }),
  ),
  required(
    "calendars.save.id-is-mandatory",
    "4.3 calendar_id",
    "Save without calendar_id is refused and makes nothing",
    async (kit) => {
      const title = kit.name();
      await kit.refused("saveCalendar", { title, timezone: "Asia/Tokyo" });
      equal(await kit.calendars(title), [], "calendars after a refused save");
    },
  ),
  required(
    "calendars.save.unknown-id",
    "4.3 calendar_id",
    "Save of a calendar that is not there is refused and makes nothing",
    async (kit) => {
      const [title, calendar_id] = [kit.name(), await deletedCalendar(kit)];
      await kit.refused("saveCalendar", { calendar_id, title, timezone: "Asia/Tokyo" });
      equal(await kit.calendars(title), [], "calendars after a refused save");
    },
  ),
  recommended(
    "calendars.save.keeps-description",
    "R4.6",
    "Saved without description, the calendar keeps it",
    async (kit) => {
      equal(
        (await saved(kit, await kit.calendar({ description: "kept" }), {}))["description"],
        "kept",
        "description",
      );
    },
  ),
  recommended(
    "calendars.save.clears-description",
    "R4.6",
    "Saved with an empty description, the calendar loses it",
    async (kit) => {
      const calendar = await kit.calendar({ description: "gone" });
      equal((await saved(kit, calendar, { description: "" }))["description"], "", "description");
    },
  ),
  required(
    "calendars.save.keeps-events",
    ["4.3 result", "2.3 events_total"],
    "Save leaves the events of the calendar alone",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar, { timezone: "Europe/Paris" });
      const before = await kit.events(calendar);
      const result = await saved(kit, calendar, {});
      equal(Number(result["events_total"]), 1, "events_total");
      equal(idsOf(await kit.events(calendar)), [idOf(event)], "events after a save");
      equal(await kit.events(calendar), before, "events after a save");
    },
  ),
];
