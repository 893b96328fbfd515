import { equal, expect } from "../engine/assert.js";
import { recommended, required } from "../engine/check.js";
import { idOf, idsOf, number, text } from "../engine/json.js";
import { fits } from "../engine/shapes.js";
import {
  deletedCalendar,
  listedCalendar,
  otherPalette,
  plainCalendar,
  refusesCalendarSave,
  saveCalendar,
  savesAs,
  someOtherPalette,
} from "../steps/calendars.js";

/** contract 4.3: saving a calendar. */
export const checks = [
  required(
    "calendars.save.values",
    ["4.3 title", "4.3 result", "4.3 calendar_id"],
    "Save changes the calendar that it names, and no other",
    async (kit) => {
      const [calendar, other] = [await kit.calendar({ description: "old" }), await kit.calendar({ description: "other" })];
      const before = await listedCalendar(kit, other);
      const sent = { title: kit.name("saved"), calendarname: "New", description: "new" };
      const saved = await saveCalendar(kit, calendar, { ...sent, timezone: "Asia/Tokyo" });
      equal(idOf(saved), idOf(calendar), "id");
      const listed = await listedCalendar(kit, calendar, sent.title);
      const wanted = { ...sent, uniquekey: calendar["uniquekey"], date_create: calendar["date_create"] };
      for (const [field, value] of Object.entries(wanted))
        equal([saved[field], listed[field]], [value, value], `${field} of the answer, in the list`);
      equal(listed["timezone"], "Asia/Tokyo", "timezone in the list");
      equal(await listedCalendar(kit, other), before, "the other calendar");
    },
  ),
  required("calendars.save.fields", ["4.3 result", "2.3 strings"], "Save returns all fields but the zone", async (kit) =>
    fits(await saveCalendar(kit, await kit.calendar()), "savedCalendar"),
  ),
  required(
    "calendars.save.date-modified",
    ["4.3 result", "2.3 times"],
    "Saving a calendar raises date_modified and keeps date_create",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.tick();
      const [saved, listed] = [await saveCalendar(kit, calendar), await listedCalendar(kit, calendar)];
      expect(number(saved, "date_modified") > number(calendar, "date_modified"), "date_modified: expected a later time after a save.");
      equal([saved["date_create"], listed["date_create"]], [calendar["date_create"], calendar["date_create"]], "date_create");
      equal(listed["date_modified"], saved["date_modified"], "date_modified in the list");
    },
  ),
  required("calendars.save.empty-name", "4.3 rules", "Saved with an empty calendarname, the title is used", async (kit) => {
    const title = kit.name();
    await savesAs({ calendarname: "Name", title }, { calendarname: "" }, { calendarname: title })(kit);
  }),
  recommended("calendars.save.no-name", ["R4.6", "4.3 rules"], "Saved without calendarname, the title is used", async (kit) => {
    const title = kit.name();
    await savesAs({ calendarname: "Name", title }, {}, { calendarname: title })(kit);
  }),
  required(
    "calendars.save.empty-timezone",
    "4.3 rules",
    "Saved with an empty timezone, America/Los_Angeles is used",
    savesAs({ timezone: "Europe/Paris" }, { timezone: "" }, { timezone: "America/Los_Angeles" }),
  ),
  required("calendars.save.default-palette", "4.3 rules", "Saved with an empty palette_id, the default palette is used", async (kit) => {
    const standard = (await plainCalendar(kit))["palette_id"];
    for (const palette_id of [undefined, await otherPalette(kit)]) await savesAs({ palette_id }, { palette_id: "" }, { palette_id: standard })(kit);
  }),
  required("calendars.save.palette", "4.3 rules", "Saved with another palette_id, the calendar has it", async (kit) => {
    const palette_id = await someOtherPalette(kit);
    await savesAs({}, { palette_id }, { palette_id })(kit);
  }),
  required(
    "calendars.save.title-is-mandatory",
    "4.3 title",
    "A calendar saved without title is refused and unchanged",
    refusesCalendarSave({ title: undefined }),
  ),
  recommended(
    "calendars.save.empty-title",
    ["R1.5", "4.3 title"],
    "A calendar saved with an empty title is refused and unchanged",
    refusesCalendarSave({ title: "" }),
  ),
  required("calendars.save.id-is-mandatory", "4.3 calendar_id", "Save without calendar_id is refused and makes nothing", async (kit) => {
    const title = kit.name();
    await kit.refused("saveCalendar", { title, timezone: "Asia/Tokyo" });
    equal(await kit.calendars(title), [], "calendars after a refused save");
  }),
  recommended(
    "calendars.save.unknown-id",
    ["R2.6", "4.3 calendar_id"],
    "Save of a calendar that is not there is refused and makes nothing",
    async (kit) => {
      const [title, calendar_id] = [kit.name(), await deletedCalendar(kit)];
      await kit.refused("saveCalendar", { calendar_id, title, timezone: "Asia/Tokyo" });
      equal(await kit.calendars(title), [], "calendars after a refused save");
    },
  ),
  required(
    "calendars.save.keeps-events",
    ["4.7 stays", "4.3 result", "2.3 events_total"],
    "Save leaves the events of the calendar alone",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar, { timezone: "Europe/Paris" });
      const before = await kit.events(calendar);
      equal(Number((await saveCalendar(kit, calendar))["events_total"]), 1, "events_total");
      equal(idsOf(await kit.events(calendar)), [idOf(event)], "events after a save");
      equal(await kit.events(calendar), before, "events after a save");
    },
  ),
  required("calendars.save.new-zone-counts", "4.3 rules", "Events made after a save are in the zone that was saved", async (kit) => {
    const calendar = await kit.calendar({ timezone: "America/New_York" });
    await saveCalendar(kit, calendar, { timezone: "Asia/Tokyo", title: text(calendar, "title") });
    equal((await kit.event(calendar))["timezone"], "Asia/Tokyo", "timezone of a new event");
  }),
];
