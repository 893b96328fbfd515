import { equal } from "../engine/assert.js";
import { idOf, list, member } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { creates, refusesToCreateEvent, bare, shows, scratchCalendar } from "./event-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventValueChecks = [
  required(
    "events.create.all-colours",
    ["4.6 color_id", "8 color_id", "8 palette", "2.4 color"],
    "Colours 1, 9, 10 and 20 are kept",
    async (kit) => {
      const calendar = await kit.calendar();
      for (const colour of ["1", "9", "10", "20"])
        equal((await kit.event(calendar, { color_id: colour }))["color_id"], colour, "color_id");
      equal(
        (await kit.events(calendar, { order_by: "id-asc" })).map((event) => event["color"]),
        ["1", "9", "10", "20"],
        "color",
      );
    },
  ),
  required(
    "events.create.colour-21",
    ["8 color_id", "8 palette"],
    "Colour 21 is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "Too far", start_date: someStart, color_id: "21" }),
  ),
  required("events.create.colour-0", "8 color_id", "Colour 0 is refused and makes nothing", (kit) =>
    refusesToCreateEvent(kit, { title: "Too low", start_date: someStart, color_id: "0" }),
  ),
  required(
    "events.create.colour-text",
    "4.6 color_id",
    "A colour that is no number is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "Red", start_date: someStart, color_id: "red" }),
  ),
  required(
    "events.create.reminders",
    ["4.6 reminder", "2.4 reminder"],
    "Reminders of 5, 10, 60 and 120 minutes are kept",
    async (kit) => {
      const calendar = await kit.calendar();
      for (const reminder of ["5", "10", "60", "120"])
        equal((await kit.event(calendar, { reminder }))["reminder"], reminder, "reminder");
      equal(
        (await kit.events(calendar, { order_by: "id-asc" })).map((event) => event["reminder"]),
        ["5", "10", "60", "120"],
        "reminder",
      );
    },
  ),
  recommended(
    "events.create.reminder-bounds",
    "R4.9",
    "Reminders of 0 and 40320 minutes are kept, others refused",
    async (kit) => {
      const calendar = await scratchCalendar(kit);
      for (const reminder of ["0", "40320"])
        equal((await kit.event(calendar, { reminder }))["reminder"], reminder, "reminder");
      for (const reminder of ["-1", "40321", "soon", "1.5"])
        await kit.refused("createEvent", {
          calendar_id: idOf(calendar),
          title: "x",
          start_date: someStart,
          reminder,
        });
    },
  ),
  required(
    "events.create.all-day",
    ["4.6 all_day", "2.4 all_day"],
    "all_day_event is the text true when it was sent so",
    (kit) => creates(kit, { all_day_event: "true" }, { all_day_event: "true" }),
  ),
  required(
    "events.create.all-day-default",
    ["4.6 all_day", "2.4 all_day"],
    "all_day_event is the text false when it was not sent",
    async (kit) => {
      await shows(kit, bare, { all_day_event: "false" });
      await creates(kit, { all_day_event: "false" }, { all_day_event: "false" });
    },
  ),
  recommended(
    "events.create.all-day-forms",
    "R4.4",
    "all_day_event also comes as 1, 0 and in any case",
    async (kit) => {
      const calendar = await scratchCalendar(kit);
      const forms = [
        ["1", "true"],
        ["0", "false"],
        ["TRUE", "true"],
        ["False", "false"],
      ] as const;
      for (const [sent, shown] of forms)
        equal(
          (await kit.event(calendar, { all_day_event: sent }))["all_day_event"],
          shown,
          `all_day_event=${sent}`,
        );
    },
  ),
  recommended(
    "events.create.all-day-shows-times",
    "R4.4",
    "An all-day event shows its dates and times as given",
    (kit) =>
      creates(
        kit,
        { all_day_event: "true", start_date: "07/04/2026 09:15", end_date: "07/06/2026 17:45" },
        {
          date_start: "07/04/2026",
          date_start_time: "09:15:00",
          date_end: "07/06/2026",
          date_end_time: "17:45:00",
        },
      ),
  ),
  required(
    "events.create.all-day-other",
    "4.6 all_day",
    "all_day_event=maybe is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "Perhaps", start_date: someStart, all_day_event: "maybe" }),
  ),
  required(
    "events.create.title-is-mandatory",
    "4.6 title",
    "Create without title is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { start_date: someStart }),
  ),
  required(
    "events.create.empty-title",
    "4.6 title",
    "Create with an empty title is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "", start_date: someStart }),
  ),
  required(
    "events.create.start-is-mandatory",
    "4.6 start_date",
    "Create without start_date is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "When" }),
  ),
  required(
    "events.create.empty-start",
    "4.6 start_date",
    "Create with an empty start_date is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "When", start_date: "" }),
  ),
  required(
    "events.create.calendar-is-mandatory",
    "4.6 calendar_id",
    "Create without calendar_id is refused",
    async (kit) => {
      await kit.refused("createEvent", { title: kit.name(), start_date: someStart });
    },
  ),
  required(
    "events.create.one-calendar-only",
    "4.6 calendar_id",
    "An event is in the calendar that was named, and in no other",
    async (kit) => {
      const [calendar, other] = [await kit.calendar(), await kit.calendar()];
      const event = await kit.event(calendar);
      equal((await kit.events(calendar)).map(idOf), [idOf(event)], "events of the calendar");
      equal(await kit.events(other), [], "events of the other calendar");
    },
  ),
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
  required(
    "events.list.empty",
    ["4.5 result", "2.1 paging"],
    "A calendar without events has an empty list and pages",
    async (kit) => {
      const { body } = await kit.ok("listEvents", { calendar_id: idOf(await kit.calendar()) });
      equal(list(body, "events"), [], "events");
      equal(member(body, "calendar")["events_count"], 0, "events_count");
      equal(member(body, "paging")["previous"], "", "paging.previous");
    },
  ),
];
