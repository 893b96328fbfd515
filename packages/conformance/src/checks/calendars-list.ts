import { equal, expect } from "../engine/assert.js";
import { idOf, idsOf, member, number, text, withId } from "../engine/json.js";
import { fits, lacks } from "../engine/shapes.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const calendarListChecks = [
  required(
    "calendars.create.is-listed",
    ["4.1 fields", "4.2 description"],
    "A new calendar is in the list as create returned it",
    async (kit) => {
      const calendar = await kit.calendar({
        description: "Doors at noon",
        calendarname: "Name",
        timezone: "Europe/Rome",
      });
      const listed = withId(await kit.calendars(text(calendar, "title")), idOf(calendar), "calendars");
      for (const field of [
        "uniquekey",
        "calendarname",
        "title",
        "description",
        "palette_id",
        "date_create",
        "timezone",
      ])
        equal(listed[field], calendar[field], field);
    },
  ),
  required(
    "calendars.list.fields",
    ["4.1 fields", "2.3 strings", "2.3 counters", "2.3 times"],
    "Listed calendars have all fields",
    async (kit) => {
      const made = await kit.calendar();
      // Only what this run made: what else the account has may be older than the rules.
      fits(withId(await kit.calendars(text(made, "title")), idOf(made), "calendars"), "calendar");
    },
  ),
  required(
    "calendars.list.last-saved-first",
    "4.1 order",
    "The calendar saved last is listed first",
    async (kit) => {
      const name = kit.name();
      const [one, two, three] = [
        await kit.calendar({ title: `${name} 1` }),
        await kit.calendar({ title: `${name} 2` }),
        await kit.calendar({ title: `${name} 3` }),
      ];
      await kit.tick();
      // Neither the order of creation nor its reverse.
      await kit.ok("saveCalendar", { calendar_id: idOf(one), title: `${name} 1`, timezone: "Europe/Paris" });
      await kit.tick();
      await kit.ok("saveCalendar", {
        calendar_id: idOf(three),
        title: `${name} 3`,
        timezone: "Europe/Paris",
      });
      equal(idsOf(await kit.calendars(name)), [idOf(three), idOf(one), idOf(two)], "order of the calendars");
    },
  ),
  recommended(
    "calendars.list.ties",
    "R3.4",
    "Calendars saved in one second are listed by the order of their saves",
    async (kit) => {
      const name = kit.name();
      const [one, two] = [
        await kit.calendar({ title: `${name} 1` }),
        await kit.calendar({ title: `${name} 2` }),
      ];
      equal(idsOf(await kit.calendars(name)), [idOf(two), idOf(one)], "order of the calendars");
      await kit.ok("saveCalendar", { calendar_id: idOf(one), title: `${name} 1`, timezone: "Europe/Paris" });
      equal(idsOf(await kit.calendars(name)), [idOf(one), idOf(two)], "order after a save");
    },
  ),
  required(
    "calendars.events-total",
    ["2.3 events_total"],
    "events_total is the number of events",
    async (kit) => {
      const calendar = await kit.calendar();
      const first = await kit.event(calendar);
      await kit.event(calendar);
      const total = async (): Promise<number> =>
        Number(
          withId(await kit.calendars(text(calendar, "title")), idOf(calendar), "calendars")["events_total"],
        );
      equal(await total(), 2, "events_total after two creates");
      await kit.ok("saveEvent", { event_id: idOf(first), title: "saved", start_date: "07/04/2026 13:30" });
      equal(await total(), 2, "events_total after a save");
      await kit.ok("deleteEvent", { event_id: idOf(first) });
      equal(await total(), 1, "events_total after a delete");
    },
  ),
  required(
    "calendars.save.values",
    ["4.3 rules", "4.3 result", "4.3 calendar_id"],
    "Save changes the calendar that it names, and no other",
    async (kit) => {
      const [calendar, other] = [
        await kit.calendar({ description: "old" }),
        await kit.calendar({ description: "other" }),
      ];
      const title = kit.name("saved");
      const params = {
        calendar_id: idOf(calendar),
        title,
        calendarname: "New",
        description: "new",
        timezone: "Asia/Tokyo",
      };
      const saved = member((await kit.ok("saveCalendar", params)).body, "calendar");
      equal(idOf(saved), idOf(calendar), "id");
      const wanted = {
        title,
        calendarname: "New",
        description: "new",
        uniquekey: calendar["uniquekey"],
        date_create: calendar["date_create"],
      };
      const listed = withId(await kit.calendars(title), idOf(calendar), "calendars");
      for (const [field, value] of Object.entries(wanted)) {
        equal(saved[field], value, `${field} of the answer`);
        equal(listed[field], value, `${field} in the list`);
      }
      equal(listed["timezone"], "Asia/Tokyo", "timezone in the list");
      equal(
        withId(await kit.calendars(text(other, "title")), idOf(other), "calendars")["description"],
        "other",
        "the other calendar",
      );
    },
  ),
  required(
    "calendars.save.fields",
    ["4.3 result", "2.3 strings"],
    "Save returns all fields but the zone",
    async (kit) => {
      const calendar = await kit.calendar();
      const params = { calendar_id: idOf(calendar), title: kit.name(), timezone: "Asia/Tokyo" };
      fits(member((await kit.ok("saveCalendar", params)).body, "calendar"), "savedCalendar");
    },
  ),
  required("calendars.save.no-timezone", "2.3 timezone", "The save response has no timezone", async (kit) => {
    const params = { calendar_id: idOf(await kit.calendar()), title: kit.name(), timezone: "Asia/Tokyo" };
    lacks(member((await kit.ok("saveCalendar", params)).body, "calendar"), ["timezone"], "the save response");
  }),
  required(
    "calendars.save.date-modified",
    ["4.3 result", "2.3 times"],
    "Saving a calendar raises date_modified and keeps date_create",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.tick();
      const params = { calendar_id: idOf(calendar), title: text(calendar, "title"), timezone: "Asia/Tokyo" };
      const saved = member((await kit.ok("saveCalendar", params)).body, "calendar");
      expect(
        number(saved, "date_modified") > number(calendar, "date_modified"),
        "date_modified: expected a later time after a save.",
      );
      equal(saved["date_create"], calendar["date_create"], "date_create");
    },
  ),
];
