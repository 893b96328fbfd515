import { equal } from "../engine/assert.js";
import { recommended, required } from "../engine/check.js";
import { idOf, only, withId } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { calendarFor, deletedEvent, moment, refusesEventSave, saveEvent, saves } from "../steps/events.js";
import { impossible } from "../steps/times.js";

const paris = { timezone: "Europe/Paris" };
const everything = {
  title: "New",
  description: "Text",
  location: "There",
  organizer: "Me",
  organizer_email: "me@example.com",
  reminder: "10",
  timezone: "Asia/Tokyo",
  all_day_event: "true",
};

/** contract 4.7: saving an event. */
export const checks = [
  required("events.save.values", ["4.7 text", "4.7 event_id"], "Save changes the event that it names, and no other", async (kit) => {
    const calendar = await kit.calendar();
    const [event, other] = [await kit.event(calendar, { location: "Here" }), await kit.event(calendar, { location: "Other" })];
    const before = withId(await kit.events(calendar), idOf(other), "events");
    const saved = await saveEvent(kit, event, everything);
    equal(idOf(saved), idOf(event), "id");
    const listed = withId(await kit.events(calendar), idOf(event), "events");
    for (const [field, value] of Object.entries(everything))
      equal([saved[field], listed[field]], [value, value], `${field} of the answer, in the list`);
    equal(withId(await kit.events(calendar), idOf(other), "events"), before, "the other event");
  }),
  required("events.save.dates", "4.7 start_date", "Save moves start and end", (kit) =>
    saves(
      {},
      { start_date: "12/24/2026 06:05 PM", end_date: "12/25/2026 01:10" },
      { ...moment("start", ["12/24/2026", "18:05:00", "PM"]), ...moment("end", ["12/25/2026", "01:10:00", "AM"]) },
    )(kit),
  ),
  required("events.save.moves-instants", ["4.7 start_date", "2.4 unix"], "Save moves the Unix times of the list", async (kit) => {
    const calendar = await kit.calendar();
    await saveEvent(kit, await kit.event(calendar), { start_date: "07/15/2026 12:00", timezone: "Europe/Paris" });
    const { date_start_unix: start, date_end_unix: end } = only(await kit.events(calendar), "events");
    equal([start, end], [1_784_109_600, 1_784_113_200], "date_start_unix, date_end_unix");
  }),
  required(
    "events.save.moves-in-lists",
    "4.7 start_date",
    "A saved event is found by its new month and its new start, and no longer by the old ones",
    async (kit) => {
      const calendar = await kit.calendar();
      const ids = [idOf(await saveEvent(kit, await kit.event(calendar), { start_date: "09/15/2026 12:00" }))];
      for (const [params, wanted] of [
        [{ month: "07", year: "2026" }, []],
        [{ month: "09", year: "2026" }, ids],
        [{ upcoming: "2026-09-01 00:00:00" }, ids],
      ] as const)
        equal((await kit.events(calendar, params)).map(idOf), wanted, `events with ${JSON.stringify(params)}`);
    },
  ),
  ...[
    ["", "without"],
    ["empty-", "with an empty"],
  ].flatMap(([id = "", words = ""]) => {
    const sent = (field: string) => (id === "" ? {} : { [field]: "" });
    const level = id === "" ? required : recommended;
    const clause = id === "" ? "4.7 rules" : (["R4.6", "4.7 rules"] as const);
    return [
      level(
        `events.save.${id === "" ? "default-" : id}end`,
        clause,
        `Saved ${words} end_date, the event ends an hour after its start`,
        saves(
          { end_date: "07/04/2026 20:00" },
          { start_date: "07/05/2026 09:30", ...sent("end_date") },
          moment("end", ["07/05/2026", "10:30:00", "AM"]),
        ),
      ),
      level(
        `events.save.${id === "" ? "default-" : id}zone`,
        clause,
        `Saved ${words} timezone, the event has the zone of its calendar`,
        saves({ timezone: "Asia/Tokyo" }, sent("timezone"), paris, paris),
      ),
      level(
        `events.save.${id === "" ? "default-" : id}all-day`,
        clause,
        `Saved ${words} all_day_event, the event is not all-day`,
        saves({ all_day_event: "true" }, sent("all_day_event"), { all_day_event: "false" }),
      ),
      level(`events.save.${id === "" ? "default-" : id}colour`, clause, `Saved ${words} color_id, the event has no colour`, async (kit) => {
        const calendar = await kit.calendar();
        const [plain, coloured] = [await kit.event(calendar), await kit.event(calendar, { color_id: "5" })];
        equal((await saveEvent(kit, coloured, sent("color_id")))["color_id"], plain["color_id"], "color_id");
        const [one, two] = await kit.events(calendar);
        equal(one?.["color"], two?.["color"], "color");
      }),
    ];
  }),
  required(
    "events.save.title-is-mandatory",
    "4.7 title",
    "Save without title is refused and changes nothing",
    refusesEventSave({ title: undefined }),
  ),
  recommended(
    "events.save.empty-title",
    ["R1.5", "4.7 title"],
    "Save with an empty title is refused and changes nothing",
    refusesEventSave({ title: "" }),
  ),
  required(
    "events.save.start-is-mandatory",
    "4.7 start_date",
    "Save without start_date is refused and changes nothing",
    refusesEventSave({ start_date: undefined }),
  ),
  recommended(
    "events.save.empty-start",
    ["R1.5", "4.7 start_date"],
    "Save with an empty start_date is refused and changes nothing",
    refusesEventSave({ start_date: "" }),
  ),
  required("events.save.colour-21", ["8 color_id", "4.7 rules"], "Save with colour 21 or 0 is refused and changes nothing", async (kit) => {
    for (const color_id of ["21", "0"]) await refusesEventSave({ color_id })(kit);
  }),
  recommended(
    "events.save.impossible-day",
    ["R4.2", "4.7 start_date"],
    "Save with a start or an end that does not exist is refused and changes nothing",
    async (kit) => {
      for (const [, sent] of impossible) await refusesEventSave({ start_date: sent })(kit);
      await refusesEventSave({ start_date: "02/20/2026 10:00", end_date: "02/30/2026 10:00" })(kit);
    },
  ),
  required("events.save.id-is-mandatory", "4.7 event_id", "Save without event_id is refused", async (kit) => {
    await kit.refused("saveEvent", { title: "Which", start_date: someStart });
  }),
  recommended("events.save.deleted", ["R2.6", "4.7 event_id", "3 event"], "A deleted event cannot be saved, and stays deleted", async (kit) => {
    const { calendar, id } = await deletedEvent(kit);
    await kit.refused("saveEvent", { event_id: id, title: "Again", start_date: someStart });
    equal(await kit.events(calendar), [], "events after a refused save");
  }),
  recommended("events.save.no-calendar-id", "4.7 rules", "Save does not use calendar_id: the event stays in its calendar", async (kit) => {
    const [calendar, other] = [await calendarFor(kit), await kit.calendar()];
    const event = await saveEvent(kit, await kit.event(calendar), { calendar_id: idOf(other) });
    equal(event["calendar"], idOf(calendar), "calendar");
    equal(await kit.events(other), [], "events of the other calendar");
  }),
];
