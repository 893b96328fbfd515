import { scratchCalendar } from "./event-kit.js";
import { idOf, list, member } from "../engine/json.js";
import { reads, outcome, calendar, event, show } from "./observed-kit.js";
import { profile } from "../engine/check.js";

const { observed } = profile("observed");

export const valueObservations = [
  observed(
    "timezones.observed.token",
    "1.5 token",
    "Whether the time zone list minds a token",
    async (kit) => {
      kit.observe(
        `with: ${outcome(await kit.call("listTimeZones", {}, { as: "first" }))}; without: ${outcome(await kit.call("listTimeZones"))}`,
      );
    },
    reads,
  ),
  observed(
    "timezones.observed.offset-sign",
    "2.6 offset",
    "How offsets west and east of UTC are written",
    async (kit) => {
      const zones = list((await kit.ok("listTimeZones")).body, "data");
      for (const name of ["America/Los_Angeles", "Asia/Tokyo"])
        kit.observe(
          `${name}: ${show(
            zones.find(({ label }) => label === name),
            "offset",
          )}`,
        );
    },
    reads,
  ),
  observed(
    "calendars.observed.absent-timezone",
    "4.2 timezone",
    "What create without timezone answers",
    async (kit) => {
      kit.observe(outcome(await kit.call("createCalendar", { title: kit.name() })));
    },
  ),
  observed(
    "calendars.observed.second-delete",
    "4.4 calendar_id",
    "What a second delete answers",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      await kit.call("deleteCalendar", { calendar_id });
      kit.observe(outcome(await kit.call("deleteCalendar", { calendar_id })));
    },
  ),
  observed(
    "calendars.observed.default-palette",
    "4.2 palette_id",
    "The default palette, and the form of uniquekey",
    async (kit) => {
      const made = await calendar(kit);
      kit.observe(`${show(made, "palette_id")}, ${show(made, "uniquekey")}`);
    },
  ),
  observed(
    "events.observed.not-set",
    "2.4 color",
    "How colour and reminder that are not set are written",
    async (kit) => {
      const made = await kit.event(await scratchCalendar(kit));
      kit.observe(`${show(made, "color_id")}, ${show(made, "reminder")}`);
    },
  ),
  observed(
    "events.observed.end-before-start",
    "4.6 end_date",
    "What an end before the start answers",
    async (kit) => kit.observe(await event(kit, { end_date: "07/03/2026 10:00" })),
  ),
  observed(
    "events.observed.seconds",
    "4.6 start_date",
    "What other forms of start_date answer",
    async (kit) => {
      for (const start_date of [
        "07/04/2026 13:30:00",
        "7/4/2026 9:30",
        "2026-07-04 13:30",
        "07/04/2026 13:30 PM",
      ])
        kit.observe(`${start_date}: ${await event(kit, { start_date })}`);
    },
  ),
  observed("events.observed.gap", "4.6 start_date", "Where a time that the clock skips goes", async (kit) => {
    const made = member(
      (
        await kit.ok("createEvent", {
          calendar_id: idOf(await kit.calendar()),
          title: "Gap",
          start_date: "03/08/2026 02:30",
          timezone: "America/New_York",
        })
      ).body,
      "event",
    );
    kit.observe(`02:30 on 8 March 2026 in New York: ${show(made, "date_start_time")}`);
  }),
  observed(
    "events.observed.all-day-end",
    "4.6 all_day",
    "The end of an all-day event without end_date",
    async (kit) => {
      const made = await kit.event(await scratchCalendar(kit), {
        all_day_event: "true",
        start_date: "07/04/2026 00:00",
      });
      kit.observe(`${show(made, "date_end")}, ${show(made, "date_end_time")}`);
    },
  ),
  observed(
    "events.observed.end-across-a-change",
    "4.6 end_date",
    "The default end of an event across a change of the clock",
    async (kit) => {
      const made = await kit.event(await scratchCalendar(kit), {
        timezone: "America/New_York",
        start_date: "03/08/2026 01:30",
      });
      kit.observe(`01:30 before the gap: ${show(made, "date_end_time")}`);
    },
  ),
  observed(
    "events.observed.longest-title",
    "4.6 title",
    "Whether a title of 300 characters is taken",
    async (kit) => kit.observe(await event(kit, { title: "x".repeat(300) })),
  ),
];
