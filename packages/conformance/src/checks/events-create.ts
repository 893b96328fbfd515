import { equal, expect } from "../engine/assert.js";
import { idOf, member, number } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { fits, lacks } from "../engine/shapes.js";
import {
  bothForms,
  creates,
  refusesToCreateEvent,
  full,
  bare,
  shows,
  complete,
  scratchCalendar,
} from "./event-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventCreateChecks = [
  required(
    "events.create.fields",
    ["2.4 saved", "2.4 date", "2.4 time", "2.4 ampm", "2.4 times"],
    "Create returns all fields in their forms",
    async (kit) => {
      fits((await full(kit))[0], "savedEvent");
    },
  ),
  required(
    "events.create.id-is-an-integer",
    "2.4 saved",
    "Create returns the id as an integer and its calendar as a string",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      fits(event, "savedEvent", ["id", "calendar"]);
      equal(event["calendar"], idOf(calendar), "calendar");
    },
  ),
  required(
    "events.create.no-unix-times",
    "2.4 no-unix",
    "Create returns no date_start_unix and no date_end_unix",
    async (kit) => {
      lacks((await bare(kit))[0], ["date_start_unix", "date_end_unix"], "the create response");
    },
  ),
  required(
    "events.create.color-id-not-color",
    "2.4 saved",
    "Create calls the colour color_id, not color",
    async (kit) => {
      const event = await kit.event(await scratchCalendar(kit), { color_id: "7" });
      equal(event["color_id"], "7", "color_id");
      lacks(event, ["color"], "the create response");
    },
  ),
  required(
    "events.list.fields",
    ["2.4 list", "2.4 unix", "2.4 times"],
    "The list returns all fields in their forms",
    async (kit) => {
      const [, listed] = await full(kit);
      fits(listed, "listedEvent");
    },
  ),
  required(
    "events.list.color-not-color-id",
    "2.4 list",
    "The list calls the colour color, not color_id",
    async (kit) => {
      const [, listed] = await bothForms(kit, { color_id: "7" });
      equal(listed["color"], "7", "color");
      lacks(listed, ["color_id", "calendar"], "the list");
    },
  ),
  required(
    "events.create.values",
    ["4.6 text", "4.6 title", "4.6 description"],
    "Create keeps every text that was sent",
    (kit) => {
      const { title, description, location, organizer, organizer_email, timezone } = complete;
      return shows(kit, full, { title, description, location, organizer, organizer_email, timezone });
    },
  ),
  required(
    "events.create.plain-strings",
    "2.4 plain",
    "No date, zone or text comes wrapped in extra quotes",
    async (kit) => {
      const event = (await full(kit))[0];
      for (const [field, value] of Object.entries(event))
        expect(
          typeof value !== "string" || !/^["'].*["']$/s.test(value),
          `${field}: wrapped in quotes: ${String(value)}`,
        );
    },
  ),
  required(
    "events.create.not-set",
    "2.4 organizer",
    "Organizer and its e-mail are empty when not set",
    (kit) => shows(kit, bare, { organizer: "", organizer_email: "" }),
  ),
  recommended(
    "events.create.not-set-is-empty",
    "R4.9",
    "Colour, reminder, location and description are empty when not set",
    async (kit) => {
      await shows(kit, bare, { reminder: "", location: "", description: "" });
      const [made, listed] = await bare(kit);
      equal([made["color_id"], listed["color"]], ["", ""], "colour");
    },
  ),
  required(
    "events.create.date-format",
    "2.4 date_format",
    "date_format has the form MM/DD/YYYY",
    async (kit) => {
      const [made, listed] = await bare(kit);
      for (const { date_format: format } of [made, listed])
        expect(
          typeof format === "string" && /^\w+\/\w+\/\w+$/.test(format),
          `date_format: expected the form MM/DD/YYYY, got ${String(format)}.`,
        );
    },
  ),
  required(
    "events.create.times",
    "2.4 times",
    "date_create and date_modified are the time of creation",
    async (kit) => {
      const calendar = await kit.calendar();
      const answer = await kit.ok("createEvent", {
        calendar_id: idOf(calendar),
        title: "Now",
        start_date: someStart,
      });
      for (const field of ["date_create", "date_modified"]) {
        const apart = Math.abs(number(member(answer.body, "event"), field) - answer.serverTime);
        expect(apart <= 300, `${field}: ${apart} seconds away from the server's Date.`);
      }
    },
  ),
  required(
    "events.create.updated-times",
    ["4.6 result", "2.4 updated_times"],
    "A new event was saved 0 times",
    (kit) => shows(kit, bare, { updated_times: "0" }),
  ),
  required(
    "events.create.calendar-zone",
    "4.6 timezone",
    "Without timezone an event has the zone of its calendar",
    (kit) => creates(kit, {}, { timezone: "Europe/Paris" }, { timezone: "Europe/Paris" }),
  ),
  required(
    "events.create.empty-zone",
    "4.6 timezone",
    "With an empty timezone an event has the zone of its calendar",
    (kit) => creates(kit, { timezone: "" }, { timezone: "Europe/Paris" }, { timezone: "Europe/Paris" }),
  ),
  required(
    "events.create.own-zone",
    ["4.6 timezone", "2.4 timezone"],
    "An event keeps the zone it was given",
    (kit) =>
      creates(kit, { timezone: "Asia/Tokyo" }, { timezone: "Asia/Tokyo" }, { timezone: "Europe/Paris" }),
  ),
  required(
    "events.create.unknown-zone",
    "4.6 timezone",
    "A zone that does not exist is refused and makes nothing",
    (kit) =>
      refusesToCreateEvent(kit, { title: "Nowhere", start_date: someStart, timezone: "Mars/Olympus_Mons" }),
  ),
];
