import { equal, expect, show as shown } from "../engine/assert.js";
import { observed, required } from "../engine/check.js";
import { idOf, list, member, number } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { fits, lacks } from "../engine/shapes.js";
import { bare, bothForms, calendarFor, clock, creates, full, saveEvent, saves, shows } from "../steps/events.js";
import { show } from "../steps/observations.js";
import { isInstant, zoneNoons } from "../steps/times.js";

const unixTimes = ["date_start_unix", "date_end_unix"];
const noons = (half: "winter" | "summer") =>
  zoneNoons.map(([zone, winter, summer]) =>
    half === "winter" ? ([zone, "01/15/2026 12:00", winter] as const) : ([zone, "07/15/2026 12:00", summer] as const),
  );

/** contract 2.4: the forms of an event. */
export const checks = [
  required(
    "events.create.fields",
    ["2.4 saved", "2.4 date", "2.4 time", "2.4 ampm", "2.4 times"],
    "Create returns all fields in their forms",
    async (kit) => fits((await full(kit))[0], "savedEvent"),
  ),
  required("events.create.id-is-an-integer", "2.4 saved-id", "Create returns the id as an integer and its calendar as a string", async (kit) => {
    const calendar = await kit.calendar();
    const event = await kit.event(calendar);
    fits(event, "savedEvent", ["id", "calendar"]);
    equal(event["calendar"], idOf(calendar), "calendar");
  }),
  required("events.create.no-unix-times", "2.4 no-unix", "Create returns no date_start_unix and no date_end_unix", async (kit) =>
    lacks((await bare(kit))[0], unixTimes, "the create response"),
  ),
  required("events.create.color-id-not-color", "2.4 color-names", "Create calls the colour color_id, not color", async (kit) => {
    const event = await kit.event(await calendarFor(kit), { color_id: "7" });
    equal(event["color_id"], "7", "color_id");
    lacks(event, ["color"], "the create response");
  }),
  required("events.list.fields", ["2.4 list", "2.4 unix", "2.4 times"], "The list returns all fields in their forms", async (kit) => {
    for (const which of [full, bare]) fits((await which(kit))[1], "listedEvent");
  }),
  required("events.list.color-not-color-id", "2.4 color-names", "The list calls the colour color, not color_id", async (kit) => {
    const [, listed] = await bothForms(kit, { color_id: "7" });
    equal(listed["color"], "7", "color");
    lacks(listed, ["color_id", "calendar"], "the list");
  }),
  required("events.create.plain-strings", ["2.3 plain", "2.4 date"], "No date, zone or text comes wrapped in extra quotes", async (kit) => {
    const [event, saved] = [(await full(kit))[0], await saveEvent(kit, await kit.event(await calendarFor(kit)), { description: "plain" })];
    for (const [field, value] of [...Object.entries(event), ...Object.entries(saved)])
      expect(typeof value !== "string" || !/^["'].*["']$/s.test(value), `${field}: wrapped in quotes: ${String(value)}`);
  }),
  required(
    "events.create.not-set",
    "2.4 organizer",
    "Organizer and its e-mail are empty when not set",
    shows(bare, { organizer: "", organizer_email: "" }),
  ),
  required("events.create.date-format", "2.4 date_format", "date_format has the form MM/DD/YYYY, month first", async (kit) => {
    const saved = await saveEvent(kit, await kit.event(await calendarFor(kit)));
    for (const { date_format: format } of [...(await bare(kit)), saved])
      expect(typeof format === "string" && /^MM\/DD\/YYYY$/i.test(format), `date_format: expected MM/DD/YYYY, got ${shown(format)}.`);
  }),
  required("events.create.times", "2.4 times", "date_create and date_modified are the time of creation", async (kit) => {
    const answer = await kit.ok("createEvent", { calendar_id: idOf(await kit.calendar()), title: "Now", start_date: someStart });
    for (const field of ["date_create", "date_modified"]) {
      const apart = Math.abs(number(member(answer.body, "event"), field) - answer.serverTime);
      expect(apart <= 300, `${field}: ${apart} seconds away from the server's Date.`);
    }
  }),
  required(
    "events.list.count",
    ["2.4 count", "4.5 result"],
    "The list carries the calendar's id as a string and events_count as an integer",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.event(calendar);
      const { body } = await kit.ok("listEvents", { calendar_id: idOf(calendar) });
      equal(list(body, "events").length, 1, "events");
      const { id, events_count: count } = member(body, "calendar");
      equal({ id, count }, { id: idOf(calendar), count: 1 }, "calendar");
    },
  ),
  required("events.save.fields", ["2.4 saved", "4.7 result"], "Save returns all fields, the id as an integer", async (kit) => {
    const calendar = await kit.calendar();
    const event = await saveEvent(kit, await kit.event(calendar), { color_id: "3" });
    fits(event, "savedEvent");
    equal([event["calendar"], event["color_id"]], [idOf(calendar), "3"], "calendar and color_id");
    lacks(event, ["color"], "the save response");
  }),
  required("events.save.no-unix-times", "2.4 no-unix", "Save returns no date_start_unix and no date_end_unix", async (kit) =>
    lacks(await saveEvent(kit, await kit.event(await calendarFor(kit))), unixTimes, "the save response"),
  ),
  required("events.save.date-modified", "2.4 times", "Save raises date_modified and keeps date_create", async (kit) => {
    const calendar = await calendarFor(kit);
    const event = await kit.event(calendar);
    await kit.tick();
    const saved = await saveEvent(kit, event);
    expect(number(saved, "date_modified") > number(event, "date_modified"), "date_modified: expected a later time after a save.");
    equal(saved["date_create"], event["date_create"], "date_create");
    const listed = (await kit.events(calendar)).find((one) => idOf(one) === idOf(event));
    equal(
      [listed?.["date_create"], listed?.["date_modified"]],
      [saved["date_create"], saved["date_modified"]],
      "date_create, date_modified in the list",
    );
  }),
  required("text.line-feed", ["2.4 description", "4.6 description"], "A line feed in a description comes back as \\r\\n", (kit) =>
    creates({ description: "one\ntwo\n\nthree" }, { description: "one\r\ntwo\r\n\r\nthree" })(kit),
  ),
  required("text.line-feed-after-save", "2.4 description", "A saved description carries its line breaks as \\r\\n, too", (kit) =>
    saves({}, { description: "one\ntwo" }, { description: "one\r\ntwo" })(kit),
  ),
  required(
    "time.unix.is-in-the-zone-of-the-event",
    ["2.4 unix", "4.6 timezone", "4.6 start_date"],
    "date_start_unix and date_end_unix are in the event's own zone",
    async (kit) => {
      const [, newYork] = await bothForms(kit, { start_date: "07/04/2026 13:30", end_date: "07/04/2026 16:00" });
      equal(
        unixTimes.map((field) => newYork[field]),
        [1_783_186_200, 1_783_195_200],
        "instants in New York",
      );
      const [, tokyo] = await bothForms(kit, { start_date: "07/15/2026 12:00", timezone: "Asia/Tokyo" });
      equal(
        unixTimes.map((field) => tokyo[field]),
        [1_784_084_400, 1_784_088_000],
        "instants in Tokyo",
      );
    },
  ),
  required("time.unix.winter", ["4.6 start_date", "2.4 unix"], "A start in winter takes the winter offset of its zone", isInstant(noons("winter"))),
  required("time.unix.summer", ["4.6 start_date", "2.4 unix"], "A start in summer takes the summer offset of its zone", isInstant(noons("summer"))),
  required(
    "time.unix.far",
    "2.4 unix",
    "Starts of 1970, 1985, 2028 and 2099 are the right instants",
    isInstant([
      ["America/New_York", "01/01/1970 00:00", 18_000],
      ["Europe/London", "07/13/1985 12:00", 490_100_400],
      ["America/New_York", "02/29/2028 10:00", 1_835_449_200],
      ["America/New_York", "07/04/2099 12:00", 4_086_864_000],
    ]),
  ),
  required(
    "time.unix.beside-a-change",
    "2.4 unix",
    "Starts just before and after the clock changes are the right instants",
    isInstant([
      ["America/New_York", "03/08/2026 01:30", 1_772_951_400],
      ["America/New_York", "03/08/2026 03:00", 1_772_953_200],
      ["America/New_York", "11/01/2026 02:00", 1_793_516_400],
    ]),
  ),
  required("time.clock-is-24-hours", "2.4 time", "date_start_time and date_end_time count to 23", (kit) =>
    creates({ start_date: "07/04/2026 01:30 PM", end_date: "07/04/2026 11:45 PM" }, { date_start_time: "13:30:00", date_end_time: "23:45:00" })(kit),
  ),
  required("time.ampm", "2.4 ampm", "date_start_ampm and date_end_ampm tell the half of the day", (kit) =>
    creates({ start_date: "07/04/2026 11:59", end_date: "07/04/2026 12:00" }, { date_start_ampm: "AM", date_end_ampm: "PM" })(kit),
  ),
  required("time.dates-are-plain", "2.4 date", "date_start and date_end have the form MM/DD/YYYY", async (kit) => {
    for (const [start, end] of [
      ["01/09/2026", "11/02/2026"],
      ["01/25/2026", "11/30/2026"],
    ] as const) {
      const [made, listed] = await bothForms(kit, { start_date: `${start} 10:00`, end_date: `${end} 10:00` });
      const saved = await saveEvent(kit, made, { start_date: `${start} 10:00`, end_date: `${end} 10:00` });
      for (const form of [made, listed, saved]) equal([clock(form, "start")[0], clock(form, "end")[0]], [start, end], "date_start, date_end");
    }
  }),
  observed("events.observed.not-set", "2.4 color", "How colour and reminder that are not set are written", async (kit) => {
    const made = await kit.event(await calendarFor(kit));
    kit.observe(`${show(made, "color_id")}, ${show(made, "reminder")}`);
  }),
];
