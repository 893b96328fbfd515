import { equal, expect, show } from "../engine/assert.js";
import { observed, recommended, required } from "../engine/check.js";
import { only, text } from "../engine/json.js";
import { listedCalendar, makes, refusesCalendar, someOtherPalette } from "../steps/calendars.js";
import { outcome } from "../steps/observations.js";

/** contract 4.2: creating a calendar. */
export const checks = [
  required(
    "calendars.create.counters-begin-at-zero",
    "4.2 counters",
    "A new calendar has no followers and events",
    makes({}, { followers_active: "0", followers_total: "0", events_total: "0" }),
  ),
  required("calendars.create.empty-name", "4.2 calendarname", "An empty calendarname becomes the title", async (kit) => {
    const title = kit.name();
    await makes({ title, calendarname: "" }, { calendarname: title })(kit);
  }),
  required("calendars.create.no-name", "4.2 calendarname", "An absent calendarname becomes the title", async (kit) => {
    const title = kit.name();
    await makes({ title }, { calendarname: title })(kit);
  }),
  required(
    "calendars.create.empty-timezone",
    "4.2 timezone",
    "An empty timezone becomes America/Los_Angeles",
    makes({ timezone: "" }, { timezone: "America/Los_Angeles" }),
  ),
  required("calendars.create.default-zone-counts", "4.2 timezone", "Events of a calendar without zone are in America/Los_Angeles", async (kit) => {
    const calendar = await kit.calendar({ timezone: "" });
    await kit.event(calendar, { start_date: "07/15/2026 12:00" });
    equal(only(await kit.events(calendar), "events")["date_start_unix"], 1_784_142_000, "date_start_unix");
  }),
  required("calendars.create.default-palette", "4.2 palette_id", "An empty palette_id is the same default as an absent one", async (kit) => {
    const [empty, absent] = [await kit.calendar({ palette_id: "" }), await kit.calendar()];
    expect(text(empty, "palette_id") !== "", "palette_id: expected the id of the default palette, got an empty text.");
    equal(empty["palette_id"], absent["palette_id"], "palette_id");
    equal((await listedCalendar(kit, empty))["palette_id"], absent["palette_id"], "palette_id in the list");
  }),
  required("calendars.create.palette", "4.2 palette_id", "A palette_id that is accepted is that of the calendar", async (kit) => {
    const palette_id = await someOtherPalette(kit);
    await makes({ palette_id }, { palette_id })(kit);
  }),
  recommended("calendars.create.description", ["R4.9", "4.2 description"], "An absent or empty description is an empty text", async (kit) => {
    for (const description of [undefined, ""]) await makes({ description }, { description: "" })(kit);
  }),
  required(
    "calendars.create.title-is-mandatory",
    "4.2 title",
    "A calendar without title is refused and not made",
    refusesCalendar({ title: undefined }),
  ),
  recommended(
    "calendars.create.empty-title",
    ["R1.5", "4.2 title"],
    "A calendar with an empty title is refused and not made",
    refusesCalendar({ title: "" }),
  ),
  observed("calendars.observed.absent-timezone", "4.2 timezone", "What create without timezone answers", async (kit) => {
    const answer = await kit.call("createCalendar", { title: kit.name() });
    kit.observe(`${outcome(answer)} ${answer.status === 200 ? show(answer.text.match(/"timezone":"[^"]*"/)?.[0]) : ""}`.trim());
  }),
];
