import { equal, expect } from "../engine/assert.js";
import { reads, recommended, type Run } from "../engine/check.js";
import { idOf, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { deletedCalendar, makes, plainCalendar, refusesCalendar, refusesCalendarSave } from "../steps/calendars.js";
import { bothForms, clock, deletedEvent, keepsRows, moment, refusesEvent, refusesEventSave } from "../steps/events.js";
import { halves, isInstant, july4, otherForms, startsAt, unusualDates } from "../steps/times.js";
import { knownOffsets, offsetsOf, standardOffsets, wantedZones, zonesOf } from "../steps/zones.js";

const nowhere = ["Mars/Olympus_Mons", "europe/paris", "Europe/Paris ", "PST8", "+02:00"];

/** Refused by create and by save. */
const refuses =
  (params: Params): Run =>
  async (kit) => {
    await refusesEvent(params)(kit);
    await refusesEventSave(params)(kit);
  };

/** Rulings R4.1 to R4.5: ids, dates and time zones. */
export const checks = [
  recommended("calendars.uniquekey.form", "R4.1", "uniquekey has 12 lower case letters and digits", async (kit) => {
    const key = text(await plainCalendar(kit), "uniquekey");
    expect(/^[a-z0-9]{12}$/.test(key), `uniquekey: expected 12 lower case letters and digits, got ${key}.`);
  }),
  recommended("calendars.ids.ascend", "R4.1", "A later calendar has a higher id", async (kit) => {
    const [one, two] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    expect(BigInt(two) > BigInt(one), `id: ${two} was given after ${one}.`);
  }),
  recommended("calendars.delete.id-is-not-reused", "R4.1", "The id of a deleted calendar is not given again", async (kit) => {
    const gone = await deletedCalendar(kit);
    expect(idOf(await kit.calendar()) !== gone, `id: ${gone} was given to another calendar.`);
  }),
  recommended("events.ids.ascend", "R4.1", "A later event has a higher id", async (kit) => {
    const calendar = await kit.calendar();
    const ids: number[] = [];
    for (let made = 0; made < 11; made++) ids.push(Number(idOf(await kit.event(calendar))));
    expect(
      ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
      `ids in the order of creation: ${ids.join(", ")}.`,
    );
  }),
  recommended("events.delete.id-is-not-reused", "R4.1", "The id of a deleted event is not given again", async (kit) => {
    const { calendar, id } = await deletedEvent(kit);
    expect(idOf(await kit.event(calendar)) !== id, `id: ${id} was given to another event.`);
  }),
  recommended("time.forms.others", "R4.2", "Dates as existing clients send them are accepted, for starts and ends", async (kit) => {
    await keepsRows(
      otherForms.map((sent) => [
        { start_date: sent, end_date: sent },
        { ...moment("start", ["07/04/2026", "13:30:00", "PM"]), ...moment("end", ["07/04/2026", "13:30:00", "PM"]) },
      ]),
    )(kit);
    const days = ["07/04/2026", "2026-07-04"];
    await keepsRows(
      days.map((day) => [
        { start_date: day, all_day_event: "true" },
        { date_start: "07/04/2026", date_start_time: "00:00:00" },
      ]),
    )(kit);
  }),
  recommended("time.forms.refused", "R4.2", "Other forms of dates are refused, for starts and ends", async (kit) => {
    const calendar = await kit.calendar();
    for (const sent of unusualDates) {
      await kit.refused("createEvent", { calendar_id: idOf(calendar), title: sent, start_date: sent });
      await kit.refused("createEvent", { calendar_id: idOf(calendar), title: sent, start_date: "01/01/2026 10:00", end_date: sent });
    }
    equal(await kit.events(calendar), [], "events after refused creates");
  }),
  recommended("time.forms.shown-is-accepted", "R4.2", "13:30 PM is accepted as 13:30, 00:05 AM as 00:05, and am and pm in any case", async (kit) => {
    await startsAt("07/04/2026 13:30 PM", ["07/04/2026", "13:30:00", "PM"])(kit);
    await startsAt("07/04/2026 00:05 AM", ["07/04/2026", "00:05:00", "AM"])(kit);
    const cases = halves.flatMap(([time, half, meant]) => [half.toLowerCase(), `${half.charAt(0)}m`].map((word) => [time, word, meant] as const));
    await keepsRows(
      cases.map(([time, word, meant]) => [{ start_date: "07/01/2026 10:00", end_date: `07/04/2026 ${time} ${word}` }, july4("end", meant)]),
    )(kit);
    await keepsRows(cases.map(([time, word, meant]) => [{ start_date: `07/04/2026 ${time} ${word}` }, july4("start", meant)]))(kit);
  }),
  recommended("time.years", "R4.2", "Years from 1900 to 9999 are accepted, 1899 is not", async (kit) => {
    await startsAt("01/01/1900 00:00", ["01/01/1900", "00:00:00", "AM"])(kit);
    await startsAt("12/31/9998 10:00", ["12/31/9998", "10:00:00", "AM"])(kit);
    await refuses({ start_date: "12/31/1899 10:00" })(kit);
  }),
  recommended(
    "time.end.equal-to-start",
    "R4.2",
    "An event may end when it starts",
    keepsRows([[{ start_date: someStart, end_date: someStart }, { date_end_time: "13:30:00" }]]),
  ),
  recommended(
    "time.end.before-start",
    "R4.2",
    "An end before the start is refused by create and save",
    refuses({ start_date: someStart, end_date: "07/04/2026 13:29" }),
  ),
  recommended("time.gap", "R4.3", "A time that the clock skips moves forward by the gap", async (kit) => {
    await isInstant([
      ["America/New_York", "03/08/2026 02:30", 1_772_955_000],
      ["Europe/Paris", "03/29/2026 02:30", 1_774_747_800],
      ["Australia/Lord_Howe", "10/04/2026 02:15", 1_791_042_300],
    ])(kit);
    const [made] = await bothForms(kit, { timezone: "America/New_York", start_date: "03/08/2026 02:30" });
    equal(clock(made, "start"), ["03/08/2026", "03:30:00", "AM"], "start shown");
  }),
  recommended(
    "time.overlap",
    "R4.3",
    "A time that the clock shows twice is the first",
    isInstant([
      ["America/New_York", "11/01/2026 01:30", 1_793_511_000],
      ["Europe/Paris", "10/25/2026 02:30", 1_792_888_200],
      ["Australia/Lord_Howe", "04/05/2026 01:45", 1_775_313_900],
    ]),
  ),
  recommended(
    "events.create.all-day-forms",
    "R4.4",
    "all_day_event also comes as 1, 0 and in any case",
    keepsRows(
      [
        ["1", "true"],
        ["0", "false"],
        ["TRUE", "true"],
        ["False", "false"],
      ].map(([sent = "", shown]) => [{ all_day_event: sent }, { all_day_event: shown }]),
    ),
  ),
  recommended(
    "events.create.all-day-shows-times",
    "R4.4",
    "An all-day event shows its dates and times as given",
    keepsRows([
      [
        { all_day_event: "true", start_date: "07/04/2026 09:15", end_date: "07/06/2026 17:45" },
        { date_start: "07/04/2026", date_start_time: "09:15:00", date_end: "07/06/2026", date_end_time: "17:45:00" },
      ],
    ]),
  ),
  recommended("events.create.all-day-other", ["R4.4", "4.6 all_day"], "all_day_event=maybe is refused by create and save", async (kit) => {
    for (const all_day_event of ["maybe", "yes", "2", "truee"]) await refuses({ all_day_event })(kit);
  }),
  recommended("calendars.create.unknown-zone", ["R4.5", "4.2 timezone"], "A calendar in a zone that does not exist is refused", async (kit) => {
    for (const timezone of nowhere) await refusesCalendar({ timezone })(kit);
  }),
  recommended(
    "calendars.save.unknown-zone",
    ["R4.5", "4.3 rules"],
    "A calendar saved with an unknown zone is refused and unchanged",
    refusesCalendarSave({ timezone: "Mars/Olympus_Mons" }),
  ),
  recommended("events.create.unknown-zone", ["R4.5", "4.6 timezone"], "A zone that does not exist is refused and makes nothing", async (kit) => {
    for (const timezone of nowhere) await refusesEvent({ timezone })(kit);
  }),
  recommended(
    "events.save.unknown-zone",
    ["R4.5", "4.7 rules"],
    "Save with an unknown zone is refused and changes nothing",
    refusesEventSave({ timezone: "Mars/Olympus_Mons" }),
  ),
  recommended("time.zone-alias", "R4.5", "Aliases of zones are accepted and kept as sent", async (kit) => {
    for (const [timezone, unix] of [
      ["US/Pacific", 1_784_142_000],
      ["Asia/Calcutta", 1_784_097_000],
      ["UTC", 1_784_116_800],
    ] as const) {
      const [made, listed] = await bothForms(kit, { timezone, start_date: "07/15/2026 12:00" });
      equal([made["timezone"], listed["timezone"], listed["date_start_unix"]], [timezone, timezone, unix], timezone);
      await makes({ timezone }, { timezone })(kit);
    }
  }),
  recommended("timezones.standard-offsets", "R4.5", "offset is the standard-time offset, with - west of UTC", reads, async (kit) => {
    const zones = await zonesOf(kit);
    for (const [label, offset] of [...knownOffsets, ...standardOffsets])
      equal(zones.find((zone) => zone["label"] === label)?.["offset"], offset, `offset of ${label}`);
  }),
  recommended("timezones.signs", "R4.5", "All offsets west of UTC begin with -, all others have no sign", reads, async (kit) => {
    for (const zone of await zonesOf(kit)) {
      const [label, offset] = [text(zone, "label"), text(zone, "offset")];
      const known = offsetsOf(label) ?? [0];
      // Zones around UTC may be on either side of it in the year.
      if (known.every((minutes) => minutes < -60)) expect(offset.startsWith("-"), `offset of ${label}: expected - in front, got ${offset}.`);
      if (known.every((minutes) => minutes > 60)) expect(/^[0-9]/.test(offset), `offset of ${label}: expected no sign, got ${offset}.`);
      expect(!offset.startsWith("+") && offset !== "-00:00", `offset of ${label}: got ${offset}.`);
    }
  }),
  recommended("timezones.complete", "R4.5", "The list has over 300 zones of all parts of the world, Etc/UTC among them", reads, async (kit) => {
    const labels = (await zonesOf(kit)).map((zone) => text(zone, "label"));
    const missing = wantedZones.filter((zone) => !labels.includes(zone));
    expect(missing.length === 0, `data: ${missing.join(", ")} missing among ${labels.length} zones.`);
    expect(labels.length > 300, `data: expected over 300 zones, got ${labels.length}.`);
    equal(labels, [...labels].sort(), "order by code point");
  }),
];
