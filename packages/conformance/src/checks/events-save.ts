import { scratchCalendar } from "./event-kit.js";
import { equal, expect } from "../engine/assert.js";
import { idOf, number, only, withId } from "../engine/json.js";
import { fits, lacks } from "../engine/shapes.js";
import { saveEvent, saves } from "./event-save-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventSaveChecks = [
  required(
    "events.save.fields",
    ["2.4 saved", "4.7 result"],
    "Save returns all fields, the id as an integer",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await saveEvent(kit, await kit.event(calendar), { color_id: "3" });
      fits(event, "savedEvent");
      equal([event["calendar"], event["color_id"]], [idOf(calendar), "3"], "calendar and color_id");
      lacks(event, ["color"], "the save response");
    },
  ),
  required(
    "events.save.no-unix-times",
    "2.4 no-unix",
    "Save returns no date_start_unix and no date_end_unix",
    async (kit) => {
      lacks(
        await saveEvent(kit, await kit.event(await scratchCalendar(kit))),
        ["date_start_unix", "date_end_unix"],
        "the save response",
      );
    },
  ),
  required(
    "events.save.values",
    ["4.7 rules", "4.7 event_id"],
    "Save changes the event that it names, and no other",
    async (kit) => {
      const calendar = await kit.calendar();
      const [event, other] = [
        await kit.event(calendar, { location: "Here" }),
        await kit.event(calendar, { location: "Other" }),
      ];
      const before = withId(await kit.events(calendar), idOf(other), "events");
      const sent = {
        title: "New",
        description: "Text",
        location: "There",
        organizer: "Me",
        organizer_email: "me@example.com",
        reminder: "10",
        timezone: "Asia/Tokyo",
      };
      const saved = await saveEvent(kit, event, sent);
      equal(idOf(saved), idOf(event), "id");
      const listed = withId(await kit.events(calendar), idOf(event), "events");
      for (const [field, value] of Object.entries(sent))
        equal([saved[field], listed[field]], [value, value], field);
      equal(withId(await kit.events(calendar), idOf(other), "events"), before, "the other event");
    },
  ),
  required("events.save.dates", "4.7 rules", "Save moves start and end", (kit) =>
    saves(
      kit,
      {},
      { start_date: "12/24/2026 06:05 PM", end_date: "12/25/2026 01:10" },
      {
        date_start: "12/24/2026",
        date_start_time: "18:05:00",
        date_start_ampm: "PM",
        date_end: "12/25/2026",
        date_end_time: "01:10:00",
        date_end_ampm: "AM",
      },
    ),
  ),
  required(
    "events.save.moves-instants",
    ["4.7 rules", "2.4 unix"],
    "Save moves the Unix times of the list",
    async (kit) => {
      const calendar = await kit.calendar();
      await saveEvent(kit, await kit.event(calendar), {
        start_date: "07/15/2026 12:00",
        timezone: "Europe/Paris",
      });
      const { date_start_unix: start, date_end_unix: end } = only(await kit.events(calendar), "events");
      equal([start, end], [1_784_109_600, 1_784_113_200], "date_start_unix, date_end_unix");
    },
  ),
  required(
    "events.save.updated-times",
    ["3 saved", "2.4 updated_times", "4.7 result"],
    "updated_times is 1 after the first save, 2 after the second",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      equal(String((await saveEvent(kit, event))["updated_times"]), "1", "updated_times of the first save");
      equal(String((await saveEvent(kit, event))["updated_times"]), "2", "updated_times of the second save");
      equal(
        String(only(await kit.events(calendar), "events")["updated_times"]),
        "2",
        "updated_times in the list",
      );
    },
  ),
  required(
    "events.save.date-modified",
    "2.4 times",
    "Save raises date_modified and keeps date_create",
    async (kit) => {
      const event = await kit.event(await scratchCalendar(kit));
      await kit.tick();
      const saved = await saveEvent(kit, event);
      expect(
        number(saved, "date_modified") > number(event, "date_modified"),
        "date_modified: expected a later time after a save.",
      );
      equal(saved["date_create"], event["date_create"], "date_create");
    },
  ),
  required(
    "events.save.default-end",
    "4.7 rules",
    "Saved without end_date, the event ends an hour after its start",
    (kit) =>
      saves(
        kit,
        { end_date: "07/04/2026 20:00" },
        { start_date: "07/05/2026 09:30" },
        { date_end: "07/05/2026", date_end_time: "10:30:00" },
      ),
  ),
  required(
    "events.save.default-zone",
    "4.7 rules",
    "Saved without timezone, the event has the zone of its calendar",
    (kit) => saves(kit, { timezone: "Asia/Tokyo" }, {}, { timezone: "Europe/Paris" }, "Europe/Paris"),
  ),
  required(
    "events.save.default-all-day",
    "4.7 rules",
    "Saved without all_day_event, the event is not all-day",
    (kit) => saves(kit, { all_day_event: "true" }, {}, { all_day_event: "false" }),
  ),
  required(
    "events.save.default-colour",
    "4.7 rules",
    "Saved without color_id, the event has no colour",
    async (kit) => {
      const calendar = await kit.calendar();
      const [plain, coloured] = [await kit.event(calendar), await kit.event(calendar, { color_id: "5" })];
      equal((await saveEvent(kit, coloured))["color_id"], plain["color_id"], "color_id");
      const [one, two] = await kit.events(calendar);
      equal(one?.["color"], two?.["color"], "color");
    },
  ),
  recommended(
    "events.save.keeps",
    "R4.6",
    "Saved without them, texts and reminder keep their values",
    (kit) => {
      const kept = {
        description: "D",
        location: "L",
        organizer: "O",
        organizer_email: "o@example.com",
        reminder: "15",
      };
      return saves(kit, kept, {}, kept);
    },
  ),
  recommended(
    "events.save.clears",
    "R4.6",
    "Saved with them empty, texts and reminder are cleared",
    (kit) => {
      const set = {
        description: "D",
        location: "L",
        organizer: "O",
        organizer_email: "o@example.com",
        reminder: "15",
      };
      const empty = { description: "", location: "", organizer: "", organizer_email: "", reminder: "" };
      return saves(kit, set, empty, empty);
    },
  ),
];
