import { equal, expect } from "../engine/assert.js";
import { observed, recommended, required } from "../engine/check.js";
import { idOf, member, number, text } from "../engine/json.js";
import { type Kit, someStart, wasRefused } from "../engine/kit.js";
import { isSuccess } from "../engine/session.js";
import type { Params } from "../engine/target.js";
import { bare, bothForms, calendarFor, clock, complete, creates, full, keepsRows, moment, refusesEvent, shows } from "../steps/events.js";
import { outcome, show } from "../steps/observations.js";
import { halves, impossible, july4, startsAt, starts } from "../steps/times.js";
import { zonesOf } from "../steps/zones.js";

const { title, description, location, organizer, organizer_email, timezone } = complete;
const paris = { timezone: "Europe/Paris" };

async function probe(kit: Kit, params: Params): Promise<string> {
  const calendar_id = idOf(await calendarFor(kit));
  return outcome(await kit.call("createEvent", { calendar_id, title: "Probe", start_date: someStart, ...params }));
}

/** contract 4.6: creating an event. */
export const checks = [
  required(
    "events.create.values",
    ["4.6 text", "4.6 title", "4.6 description"],
    "Create keeps every text that was sent",
    shows(full, { title, description, location, organizer, organizer_email, timezone }),
  ),
  required("events.create.updated-times", ["4.6 result", "2.4 updated_times"], "A new event was saved 0 times", shows(bare, { updated_times: "0" })),
  required("events.create.calendar-zone", "4.6 timezone", "Without timezone an event has the zone of its calendar", creates({}, paris, paris)),
  recommended(
    "events.create.empty-zone",
    ["R1.5", "4.6 timezone"],
    "With an empty timezone an event has the zone of its calendar",
    creates({ timezone: "" }, paris, paris),
  ),
  required(
    "events.create.own-zone",
    ["4.6 timezone", "2.4 timezone"],
    "An event keeps the zone it was given",
    creates({ timezone: "Asia/Tokyo" }, { timezone: "Asia/Tokyo" }, paris),
  ),
  required("events.create.all-colours", ["4.6 color_id", "8 color_id", "8 palette", "2.4 color"], "Colours of the palette are kept", async (kit) => {
    const calendar = await kit.calendar();
    const colours: string[] = []; // a palette may have fewer than 20
    for (const color_id of Array.from({ length: 20 }, (_, index) => String(index + 1))) {
      const answer = await kit.call("createEvent", { calendar_id: idOf(calendar), title: kit.name(), start_date: someStart, color_id });
      if (isSuccess(answer)) {
        equal(member(answer.body, "event")["color_id"], color_id, "color_id");
        colours.push(color_id);
      } else wasRefused(answer, "createEvent");
    }
    expect(colours.length > 0, "color_id: expected one of 1 to 20 at least to be accepted.");
    equal(
      (await kit.events(calendar, { order_by: "id-asc" })).map((event) => event["color"]),
      colours,
      "color",
    );
  }),
  required(
    "events.create.reminders",
    ["4.6 reminder", "2.4 reminder"],
    "Reminders of 5, 10, 60 and 120 minutes are kept",
    keepsRows(["5", "10", "60", "120"].map((reminder) => [{ reminder }, { reminder }])),
  ),
  required(
    "events.create.all-day",
    ["4.6 all_day", "2.4 all_day"],
    "all_day_event is the text true when it was sent so",
    creates({ all_day_event: "true" }, { all_day_event: "true" }),
  ),
  required("events.create.all-day-default", ["4.6 all_day", "2.4 all_day"], "all_day_event is the text false when it was not sent", async (kit) => {
    await shows(bare, { all_day_event: "false" })(kit);
    await creates({ all_day_event: "false" }, { all_day_event: "false" })(kit);
  }),
  required("events.create.title-is-mandatory", "4.6 title", "Create without title is refused and makes nothing", refusesEvent({ title: undefined })),
  recommended(
    "events.create.empty-title",
    ["R1.5", "4.6 title"],
    "Create with an empty title is refused and makes nothing",
    refusesEvent({ title: "" }),
  ),
  required(
    "events.create.start-is-mandatory",
    "4.6 start_date",
    "Create without start_date is refused and makes nothing",
    refusesEvent({ start_date: undefined }),
  ),
  recommended(
    "events.create.empty-start",
    ["R1.5", "4.6 start_date"],
    "Create with an empty start_date is refused and makes nothing",
    refusesEvent({ start_date: "" }),
  ),
  required("events.create.calendar-is-mandatory", "4.6 calendar_id", "Create without calendar_id is refused", async (kit) => {
    await kit.refused("createEvent", { title: kit.name(), start_date: someStart });
  }),
  required("events.create.one-calendar-only", "4.6 calendar_id", "An event is in the calendar that was named, and in no other", async (kit) => {
    const [calendar, other] = [await kit.calendar(), await kit.calendar()];
    const event = await kit.event(calendar);
    equal((await kit.events(calendar)).map(idOf), [idOf(event)], "events of the calendar");
    equal(await kit.events(other), [], "events of the other calendar");
  }),
  ...starts.map(([id, sent, shown, words]) =>
    required(`time.start.${id}`, ["4.6 start_date", "2.4 date", "2.4 time", "2.4 ampm"], words, startsAt(sent, shown)),
  ),
  required(
    "time.start.halves",
    ["4.6 start_date", "2.4 ampm"],
    "AM and PM tell the half of the day of a start, 12 too",
    keepsRows(halves.map(([time, half, meant]) => [{ start_date: `07/04/2026 ${time} ${half}` }, july4("start", meant)])),
  ),
  required(
    "time.end.halves",
    ["4.6 end_date", "2.4 ampm"],
    "AM and PM tell the half of the day of an end, 12 too",
    keepsRows(halves.map(([time, half, meant]) => [{ start_date: "07/03/2026 10:00", end_date: `07/04/2026 ${time} ${half}` }, july4("end", meant)])),
  ),
  required(
    "time.end.forms",
    "4.6 end_date",
    "end_date is read as start_date is: month first, on both clocks",
    keepsRows(starts.map(([, sent, shown]) => [{ start_date: "01/01/2026 00:00", end_date: sent }, moment("end", shown)])),
  ),
  required("time.end.default", "4.6 end_date", "Without end_date an event ends an hour after its start", async (kit) => {
    const [made, listed] = await bothForms(kit, { start_date: "07/04/2026 13:30" });
    for (const event of [made, listed]) equal(clock(event, "end"), ["07/04/2026", "14:30:00", "PM"], "end");
    equal(number(listed, "date_end_unix") - number(listed, "date_start_unix"), 3_600, "seconds from start to end");
  }),
  recommended(
    "time.end.empty",
    ["R1.5", "4.6 end_date"],
    "With an empty end_date an event ends an hour after its start",
    creates({ start_date: "07/04/2026 13:30", end_date: "" }, { date_end: "07/04/2026", date_end_time: "14:30:00" }),
  ),
  required(
    "time.end.default-crosses-midnight",
    "4.6 end_date",
    "An hour after 23:30 on 31 December is 00:30 on 1 January",
    creates({ start_date: "12/31/2026 23:30" }, moment("end", ["01/01/2027", "00:30:00", "AM"])),
  ),
  required(
    "time.end.default-crosses-noon",
    "4.6 end_date",
    "An hour after 11:30 is 12:30 in the afternoon",
    creates({ start_date: "07/04/2026 11:30 AM" }, moment("end", ["07/04/2026", "12:30:00", "PM"])),
  ),
  required("time.end.given", "4.6 end_date", "end_date is kept, in both forms of the clock", async (kit) => {
    await creates({ start_date: "07/04/2026 13:30", end_date: "07/05/2026 02:15" }, moment("end", ["07/05/2026", "02:15:00", "AM"]))(kit);
    await creates({ start_date: "07/04/2026 13:30", end_date: "07/04/2026 02:15 PM" }, moment("end", ["07/04/2026", "14:15:00", "PM"]))(kit);
  }),
  ...impossible.map(([id, sent, words]) =>
    recommended(`time.impossible.${id}`, ["R4.2", "4.6 start_date"], `${words} is refused and makes nothing`, refusesEvent({ start_date: sent })),
  ),
  recommended("time.impossible.end", ["R4.2", "4.6 end_date"], "An end that does not exist is refused and makes nothing", async (kit) => {
    for (const [, end_date] of impossible) await refusesEvent({ start_date: "01/20/2026 10:00", end_date })(kit);
  }),
  required("time.listed-zones-work", ["4.6 timezone", "2.6 label"], "Zones of the list can be used for events", async (kit) => {
    const zones = await zonesOf(kit);
    const calendar = await kit.calendar();
    for (let pick = 0; pick < 5; pick++) {
      const zone = zones[Math.floor(kit.session.random() * zones.length)];
      const label = zone === undefined ? "no zone" : text(zone, "label");
      equal((await kit.event(calendar, { timezone: label }))["timezone"], label, "timezone");
    }
  }),
  required(
    "text.organizer",
    ["4.6 text", "1.4 encoding"],
    "An organizer's name and address come back as sent",
    keepsRows([
      [
        { organizer: "Zoë & Søn, Ltd. 🎪", organizer_email: "zoe+events@example.com" },
        { organizer: "Zoë & Søn, Ltd. 🎪", organizer_email: "zoe+events@example.com" },
      ],
    ]),
  ),
  observed("events.observed.end-before-start", "4.6 end_date", "What an end before the start answers", async (kit) =>
    kit.observe(await probe(kit, { end_date: "07/03/2026 10:00" })),
  ),
  observed("events.observed.seconds", "4.6 start_date", "What other forms of start_date answer", async (kit) => {
    for (const start_date of ["07/04/2026 13:30:00", "7/4/2026 9:30", "2026-07-04 13:30", "07/04/2026 13:30 PM"])
      kit.observe(`${start_date}: ${await probe(kit, { start_date })}`);
  }),
  observed("events.observed.gap", "4.6 start_date", "Where a time that the clock skips goes", async (kit) => {
    const params = { calendar_id: idOf(await calendarFor(kit)), title: "Gap", start_date: "03/08/2026 02:30", timezone: "America/New_York" };
    kit.observe(`02:30 on 8 March 2026 in New York: ${show(member((await kit.ok("createEvent", params)).body, "event"), "date_start_time")}`);
  }),
  observed("events.observed.all-day-end", "4.6 all_day", "The end of an all-day event without end_date", async (kit) => {
    const made = await kit.event(await calendarFor(kit), { all_day_event: "true", start_date: "07/04/2026 00:00" });
    kit.observe(`${show(made, "date_end")}, ${show(made, "date_end_time")}`);
  }),
  observed("events.observed.end-across-a-change", "4.6 end_date", "The default end of an event across a change of the clock", async (kit) => {
    const made = await kit.event(await calendarFor(kit), { timezone: "America/New_York", start_date: "03/08/2026 01:30" });
    kit.observe(`01:30 before the gap: ${show(made, "date_end_time")}`);
  }),
  observed("events.observed.longest-title", "4.6 title", "Whether a title of 300 characters is taken", async (kit) =>
    kit.observe(await probe(kit, { title: "x".repeat(300) })),
  ),
];
