import { equal, expect, show } from "../engine/assert.js";
import { followers, observed, required } from "../engine/check.js";
import { idOf, member, number, text } from "../engine/json.js";
import { fits, lacks } from "../engine/shapes.js";
import { listedCalendar, makes, plainCalendar, saveCalendar } from "../steps/calendars.js";
import { show as shown } from "../steps/observations.js";
import { everyone, followedCalendar } from "../steps/subscribers.js";

const counters = ["followers_active", "followers_total", "events_total"];

/** contract 2.3: the fields of a calendar. */
export const checks = [
  required("calendars.create.fields", ["2.3 strings", "4.2 title"], "Create returns all fields as strings", async (kit) => {
    const sent = { title: kit.name("Summer"), calendarname: "Concerts", description: "Open air" };
    const calendar = await kit.calendar(sent);
    fits(calendar, "calendar", ["id", "uniquekey", "calendarname", "title", "description", "palette_id"]);
    for (const [field, value] of Object.entries(sent)) equal(calendar[field], value, field);
  }),
  required("calendars.create.uniquekey-is-unique", "2.3 uniquekey", "Two calendars have different unique keys and ids", async (kit) => {
    const [one, two] = [await kit.calendar(), await kit.calendar()];
    const isOwn = text(one, "uniquekey") !== "" && one["uniquekey"] !== two["uniquekey"];
    expect(isOwn, "uniquekey: expected a key of its own for each calendar.");
    expect(idOf(one) !== idOf(two), "id: expected an id of its own for each calendar.");
  }),
  required(
    "calendars.create.timezone",
    ["2.3 timezone", "2.3 plain", "4.2 timezone"],
    "Create returns the zone that was sent, plain",
    makes({ timezone: "Europe/Paris" }, { timezone: "Europe/Paris" }),
  ),
  required(
    "calendars.list.timezone",
    ["2.3 timezone", "2.3 plain"],
    "The list returns the zone of each calendar",
    makes({ timezone: "Asia/Tokyo" }, { timezone: "Asia/Tokyo" }),
  ),
  required("calendars.create.plain-strings", "2.3 plain", "No text comes wrapped in extra quotes", async (kit) => {
    const calendar = await plainCalendar(kit);
    for (const form of [calendar, await listedCalendar(kit, calendar)])
      for (const field of ["title", "calendarname", "description", "timezone", "uniquekey"])
        expect(!/^["'].*["']$/s.test(text(form, field)), `${field}: wrapped in quotes: ${text(form, field)}`);
  }),
  required("calendars.create.counters", ["2.3 counters", "4.2 counters"], "Counters are strings and begin at 0", async (kit) => {
    const calendar = await plainCalendar(kit);
    fits(calendar, "calendar", counters);
    for (const field of counters) equal(calendar[field], "0", field);
  }),
  required("calendars.create.times", "2.3 times", "date_create and date_modified are the time the calendar was made", async (kit) => {
    const answer = await kit.ok("createCalendar", { title: kit.name(), timezone: "Europe/Paris" });
    const calendar = member(answer.body, "calendar");
    for (const field of ["date_create", "date_modified"]) {
      fits(calendar, "calendar", [field]);
      const apart = Math.abs(number(calendar, field) - answer.serverTime);
      expect(apart <= 300, `${field}: ${apart} seconds away from the server's Date.`);
    }
  }),
  required("calendars.events-total", ["2.3 events_total"], "events_total is the number of events", async (kit) => {
    const calendar = await kit.calendar();
    const totals = async (): Promise<readonly unknown[]> => {
      const [saved, listed] = [await saveCalendar(kit, calendar), await listedCalendar(kit, calendar)];
      return [saved["events_total"], listed["events_total"]].map(Number);
    };
    const first = await kit.event(calendar);
    await kit.event(calendar);
    equal(await totals(), [2, 2], "events_total of save and list after two creates");
    await kit.ok("saveEvent", { event_id: idOf(first), title: "saved", start_date: "07/04/2026 13:30" });
    equal(await totals(), [2, 2], "events_total of save and list after a save");
    await kit.ok("deleteEvent", { event_id: idOf(first) });
    equal(await totals(), [1, 1], "events_total of save and list after a delete");
  }),
  required("calendars.save.no-timezone", "2.3 timezone", "The save response has no timezone", async (kit) => {
    lacks(await saveCalendar(kit, await kit.calendar()), ["timezone"], "the save response");
  }),
  required("calendars.save.counters", ["2.3 counters", "2.3 events_total"], "Save returns the counters as strings, and as they are", async (kit) => {
    const calendar = await kit.calendar();
    await kit.event(calendar);
    const saved = await saveCalendar(kit, calendar);
    equal(
      counters.map((field) => saved[field]),
      ["0", "0", "1"],
      counters.join(", "),
    );
  }),
  required(
    "subscribers.counters-are-those-of-the-calendar",
    "2.3 followers",
    "followers_total counts all who are listed, followers_active those of them who are active",
    followers,
    async (kit) => {
      const all = await everyone(kit);
      const { followers_total: total, followers_active: active } = await followedCalendar(kit);
      const isActive = all.filter((one) => String(one["active"]) === "true");
      // Whether those who are blocked count as active is not stated.
      const least = isActive.filter((one) => String(one["blocked"]) !== "true").length;
      expect(Number(total) >= all.length, `followers_total: ${show(total)}, but ${all.length} are listed.`);
      expect(
        Number(active) >= least && Number(active) <= isActive.length,
        `followers_active: expected ${least} to ${isActive.length}, got ${show(active)}.`,
      );
    },
  ),
  observed("calendars.observed.default-palette", "2.3 strings", "The default palette, and the form of uniquekey", async (kit) => {
    const made = await plainCalendar(kit);
    kit.observe(`${shown(made, "palette_id")}, ${shown(made, "uniquekey")}`);
  }),
];
