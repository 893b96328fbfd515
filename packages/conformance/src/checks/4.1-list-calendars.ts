import { equal } from "../engine/assert.js";
import { required } from "../engine/check.js";
import { idOf, idsOf, text, withId } from "../engine/json.js";
import { fits } from "../engine/shapes.js";
import { listedCalendar, saveCalendar } from "../steps/calendars.js";

const kept = ["uniquekey", "calendarname", "title", "description", "palette_id", "date_create", "timezone"];

/** contract 4.1: the list of calendars. */
export const checks = [
  required("calendars.create.is-listed", ["4.1 fields", "4.2 description"], "A new calendar is in the list as create returned it", async (kit) => {
    const calendar = await kit.calendar({ description: "Doors at noon", calendarname: "Name", timezone: "Europe/Rome" });
    const listed = await listedCalendar(kit, calendar);
    for (const field of kept) equal(listed[field], calendar[field], field);
  }),
  required("calendars.list.fields", ["4.1 fields", "2.3 strings", "2.3 counters", "2.3 times"], "Listed calendars have all fields", async (kit) => {
    const made = await kit.calendar();
    // Only what this run made: what else the account has may be older than the rules.
    fits(withId(await kit.calendars(text(made, "title")), idOf(made), "calendars"), "calendar");
  }),
  required("calendars.list.last-saved-first", "4.1 order", "The calendar saved last is listed first", async (kit) => {
    const name = kit.name();
    const [one, two, three] = [
      await kit.calendar({ title: `${name} 1` }),
      await kit.calendar({ title: `${name} 2` }),
      await kit.calendar({ title: `${name} 3` }),
    ];
    await kit.tick();
    // Neither the order of creation nor its reverse.
    await saveCalendar(kit, one);
    await kit.tick();
    await saveCalendar(kit, three);
    equal(idsOf(await kit.calendars(name)), [idOf(three), idOf(one), idOf(two)], "order of the calendars");
  }),
];
