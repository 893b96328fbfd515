import { equal, expect } from "../engine/assert.js";
import { idOf, member, number, text, withId } from "../engine/json.js";
import { fits } from "../engine/shapes.js";
import { counters, times, refusesToCreate, plainCalendar } from "./calendar-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const calendarCreateChecks = [
  required(
    "calendars.create.fields",
    ["2.3 strings", "4.2 title"],
    "Create returns all fields as strings",
    async (kit) => {
      const title = kit.name("Summer");
      const calendar = await kit.calendar({ title, calendarname: "Concerts", description: "Open air" });
      fits(calendar, "calendar", ["id", "uniquekey", "calendarname", "title", "description", "palette_id"]);
      const { title: gotTitle, calendarname, description } = calendar;
      equal(
        { gotTitle, calendarname, description },
        { gotTitle: title, calendarname: "Concerts", description: "Open air" },
        "calendar",
      );
    },
  ),
  required(
    "calendars.create.uniquekey-is-unique",
    "2.3 strings",
    "Two calendars have different unique keys and ids",
    async (kit) => {
      const [one, two] = [await kit.calendar(), await kit.calendar()];
      expect(
        text(one, "uniquekey") !== "" && one["uniquekey"] !== two["uniquekey"],
        "uniquekey: expected a key of its own for each calendar.",
      );
      expect(idOf(one) !== idOf(two), "id: expected an id of its own for each calendar.");
    },
  ),
  required(
    "calendars.create.timezone",
    ["2.3 timezone", "2.3 plain", "4.2 timezone"],
    "Create returns the zone that was sent, plain",
    async (kit) => {
      equal((await kit.calendar({ timezone: "Europe/Paris" }))["timezone"], "Europe/Paris", "timezone");
    },
  ),
  required(
    "calendars.list.timezone",
    ["2.3 timezone", "2.3 plain"],
    "The list returns the zone of each calendar",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "Asia/Tokyo" });
      equal(
        withId(await kit.calendars(text(calendar, "title")), idOf(calendar), "calendars")["timezone"],
        "Asia/Tokyo",
        "timezone",
      );
    },
  ),
  required(
    "calendars.create.plain-strings",
    "2.3 plain",
    "No text comes wrapped in extra quotes",
    async (kit) => {
      const calendar = await plainCalendar(kit);
      for (const field of ["title", "calendarname", "description", "timezone", "uniquekey"])
        expect(
          !/^["'].*["']$/s.test(text(calendar, field)),
          `${field}: wrapped in quotes: ${text(calendar, field)}`,
        );
    },
  ),
  required(
    "calendars.create.counters",
    ["2.3 counters", "4.2 counters"],
    "Counters are strings and begin at 0",
    async (kit) => {
      const calendar = await plainCalendar(kit);
      fits(calendar, "calendar", counters);
      for (const field of counters) equal(calendar[field], "0", field);
    },
  ),
  required(
    "calendars.create.counters-begin-at-zero",
    "4.2 counters",
    "A new calendar has no followers and events",
    async (kit) => {
      const calendar = await plainCalendar(kit);
      for (const field of counters) equal(Number(calendar[field]), 0, field);
    },
  ),
  required(
    "calendars.create.times",
    "2.3 times",
    "date_create and date_modified are the time the calendar was made",
    async (kit) => {
      const answer = await kit.ok("createCalendar", { title: kit.name(), timezone: "Europe/Paris" });
      const calendar = member(answer.body, "calendar");
      fits(calendar, "calendar", times);
      for (const field of times) {
        const apart = Math.abs(number(calendar, field) - answer.serverTime);
        expect(apart <= 300, `${field}: ${apart} seconds away from the server's Date.`);
      }
    },
  ),
  required(
    "calendars.create.empty-name",
    "4.2 calendarname",
    "An empty calendarname becomes the title",
    async (kit) => {
      const title = kit.name();
      equal((await kit.calendar({ title, calendarname: "" }))["calendarname"], title, "calendarname");
    },
  ),
  required(
    "calendars.create.no-name",
    "4.2 calendarname",
    "An absent calendarname becomes the title",
    async (kit) => {
      const title = kit.name();
      equal((await kit.calendar({ title }))["calendarname"], title, "calendarname");
    },
  ),
  required(
    "calendars.create.empty-timezone",
    "4.2 timezone",
    "An empty timezone becomes America/Los_Angeles",
    async (kit) => {
      equal((await kit.calendar({ timezone: "" }))["timezone"], "America/Los_Angeles", "timezone");
    },
  ),
  required(
    "calendars.create.default-zone-counts",
    "4.2 timezone",
    "Events of a calendar without zone are in America/Los_Angeles",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "" });
      await kit.event(calendar, { start_date: "07/15/2026 12:00" });
      equal((await kit.events(calendar))[0]?.["date_start_unix"], 1_784_142_000, "date_start_unix");
    },
  ),
  recommended(
    "calendars.create.absent-timezone",
    "R4.7",
    "Create without timezone takes America/Los_Angeles",
    async (kit) => {
      const answer = await kit.ok("createCalendar", { title: kit.name() });
      equal(member(answer.body, "calendar")["timezone"], "America/Los_Angeles", "timezone");
    },
  ),
  required(
    "calendars.create.default-palette",
    "4.2 palette_id",
    "An empty palette_id is the same default as an absent one",
    async (kit) => {
      const [empty, absent] = [await kit.calendar({ palette_id: "" }), await kit.calendar()];
      expect(
        text(empty, "palette_id") !== "",
        "palette_id: expected the id of the default palette, got an empty text.",
      );
      equal(empty["palette_id"], absent["palette_id"], "palette_id");
    },
  ),
  recommended(
    "calendars.create.palette-is-kept",
    "R4.10",
    "A known palette_id is kept, and 1 is the default",
    async (kit) => {
      equal((await kit.calendar({ palette_id: "2" }))["palette_id"], "2", "palette_id");
      equal((await kit.calendar())["palette_id"], "1", "palette_id");
    },
  ),
  recommended("calendars.create.unknown-palette", "R4.10", "An unknown palette_id is refused", (kit) =>
    refusesToCreate(kit, { title: kit.name(), palette_id: "987654" }),
  ),
  required(
    "calendars.create.title-is-mandatory",
    "4.2 title",
    "A calendar without title is refused and not made",
    (kit) => refusesToCreate(kit, {}),
  ),
  required(
    "calendars.create.empty-title",
    "4.2 title",
    "A calendar with an empty title is refused and not made",
    (kit) => refusesToCreate(kit, { title: "" }),
  ),
  required(
    "calendars.create.unknown-zone",
    "4.2 timezone",
    "A calendar in a zone that does not exist is refused",
    (kit) => refusesToCreate(kit, { title: kit.name(), timezone: "Mars/Olympus_Mons" }),
  ),
];
