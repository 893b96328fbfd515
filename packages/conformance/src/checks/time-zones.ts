import { equal, expect } from "../engine/assert.js";
import { idOf, list } from "../engine/json.js";
import { bothForms, refusesToCreateEvent } from "./event-kit.js";
import { instants, clock, shows, dst } from "./time-kit.js";
import { impossibleDates, otherForms, unusualDates, zoneNoons } from "./time-tables.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("time");

export const timeZoneRuleChecks = [
  required(
    "time.unix.is-in-the-zone-of-the-event",
    ["2.4 unix", "4.6 timezone", "4.6 start_date"],
    "date_start_unix is the start in the event's own zone",
    async (kit) => {
      equal(
        await instants(kit, { start_date: "07/04/2026 13:30", end_date: "07/04/2026 16:00" }),
        [1_783_186_200, 1_783_195_200],
        "instants in New York",
      );
      equal(
        await instants(kit, { start_date: "07/15/2026 12:00", timezone: "Asia/Tokyo" }),
        [1_784_084_400, 1_784_088_000],
        "instants in Tokyo",
      );
    },
  ),
  required(
    "time.unix.winter",
    ["4.6 start_date", "2.4 unix"],
    "A start in winter takes the winter offset of its zone",
    async (kit) => {
      const calendar = await kit.calendar();
      for (const [timezone] of zoneNoons)
        await kit.event(calendar, { timezone, title: timezone, start_date: "01/15/2026 12:00" });
      const events = await kit.events(calendar);
      for (const [zone, winter] of zoneNoons)
        equal(
          events.find(({ title }) => title === zone)?.["date_start_unix"],
          winter,
          `noon of 15 January in ${zone}`,
        );
    },
  ),
  required(
    "time.unix.summer",
    ["4.6 start_date", "2.4 unix"],
    "A start in summer takes the summer offset of its zone",
    async (kit) => {
      const calendar = await kit.calendar();
      for (const [timezone] of zoneNoons)
        await kit.event(calendar, { timezone, title: timezone, start_date: "07/15/2026 12:00" });
      const events = await kit.events(calendar);
      for (const [zone, , summer] of zoneNoons)
        equal(
          events.find(({ title }) => title === zone)?.["date_start_unix"],
          summer,
          `noon of 15 July in ${zone}`,
        );
    },
  ),
  required(
    "time.unix.far",
    "2.4 unix",
    "Starts of 1970, 1985, 2028 and 2099 are the right instants",
    async (kit) => {
      await dst(kit, "America/New_York", "01/01/1970 00:00", 18_000);
      await dst(kit, "Europe/London", "07/13/1985 12:00", 490_100_400);
      await dst(kit, "America/New_York", "02/29/2028 10:00", 1_835_449_200);
      await dst(kit, "America/New_York", "07/04/2099 12:00", 4_086_864_000);
    },
  ),
  required(
    "time.unix.beside-a-change",
    "2.4 unix",
    "Starts just before and after the clock changes are the right instants",
    async (kit) => {
      await dst(kit, "America/New_York", "03/08/2026 01:30", 1_772_951_400);
      await dst(kit, "America/New_York", "03/08/2026 03:00", 1_772_953_200);
      await dst(kit, "America/New_York", "11/01/2026 02:00", 1_793_516_400);
    },
  ),
  recommended("time.gap", "R4.3", "A time that the clock skips moves forward by the gap", async (kit) => {
    await dst(kit, "America/New_York", "03/08/2026 02:30", 1_772_955_000);
    await dst(kit, "Europe/Paris", "03/29/2026 02:30", 1_774_747_800);
    await dst(kit, "Australia/Lord_Howe", "10/04/2026 02:15", 1_791_042_300);
    const [made] = await bothForms(kit, { timezone: "America/New_York", start_date: "03/08/2026 02:30" });
    equal(clock(made, "start"), ["03/08/2026", "03:30:00", "AM"], "start shown");
  }),
  recommended("time.overlap", "R4.3", "A time that the clock shows twice is the first", async (kit) => {
    await dst(kit, "America/New_York", "11/01/2026 01:30", 1_793_511_000);
    await dst(kit, "Europe/Paris", "10/25/2026 02:30", 1_792_888_200);
    await dst(kit, "Australia/Lord_Howe", "04/05/2026 01:45", 1_775_313_900);
  }),
  recommended("time.zone-alias", "R4.5", "Aliases of zones are accepted and kept as sent", async (kit) => {
    for (const [timezone, unix] of [
      ["US/Pacific", 1_784_142_000],
      ["Asia/Calcutta", 1_784_097_000],
      ["UTC", 1_784_116_800],
    ] as const) {
      const [made, listed] = await bothForms(kit, { timezone, start_date: "07/15/2026 12:00" });
      equal([made["timezone"], listed["date_start_unix"]], [timezone, unix], timezone);
    }
  }),
  ...impossibleDates.map(({ id, sent, title }) =>
    required(`time.impossible.${id}`, "4.6 start_date", title, (kit) =>
      refusesToCreateEvent(kit, { title: "Never", start_date: sent }),
    ),
  ),
  required(
    "time.impossible.end",
    "4.6 end_date",
    "An end on 30 February is refused and makes nothing",
    (kit) =>
      refusesToCreateEvent(kit, {
        title: "Never",
        start_date: "02/20/2026 10:00",
        end_date: "02/30/2026 10:00",
      }),
  ),
  recommended(
    "time.forms.others",
    "R4.2",
    "Dates as existing clients send them are accepted",
    async (kit) => {
      for (const sent of otherForms) await shows(kit, sent, ["07/04/2026", "13:30:00", "PM"]);
      for (const start_date of ["07/04/2026", "2026-07-04"]) {
        const [made] = await bothForms(kit, { start_date, all_day_event: "true" });
        equal(made["date_start"], "07/04/2026", `date_start of an all-day event on ${start_date}`);
      }
    },
  ),
  recommended("time.forms.refused", "R4.2", "Other forms of dates are refused", async (kit) => {
    const calendar = await kit.calendar();
    for (const sent of unusualDates)
      await kit.refused("createEvent", { calendar_id: idOf(calendar), title: sent, start_date: sent });
    equal(
      list((await kit.ok("listEvents", { calendar_id: idOf(calendar) })).body, "events"),
      [],
      "events after refused creates",
    );
  }),
  recommended(
    "time.forms.shown-is-accepted",
    "R4.2",
    "13:30 PM is accepted as 13:30, 00:05 AM as 00:05, and am and pm in any case",
    async (kit) => {
      await shows(kit, "07/04/2026 13:30 PM", ["07/04/2026", "13:30:00", "PM"]);
      await shows(kit, "07/04/2026 01:30 pm", ["07/04/2026", "13:30:00", "PM"]);
      await shows(kit, "07/04/2026 12:05 am", ["07/04/2026", "00:05:00", "AM"]);
      await shows(kit, "07/04/2026 00:05 AM", ["07/04/2026", "00:05:00", "AM"]);
    },
  ),
  recommended("time.years", "R4.2", "Years from 1900 to 9999 are accepted, 1899 is not", async (kit) => {
    await shows(kit, "01/01/1900 00:00", ["01/01/1900", "00:00:00", "AM"]);
    await shows(kit, "12/31/9998 10:00", ["12/31/9998", "10:00:00", "AM"]);
    await refusesToCreateEvent(kit, { title: "Old", start_date: "12/31/1899 10:00" });
  }),
  required(
    "time.listed-zones-work",
    ["4.6 timezone", "2.6 label"],
    "Zones of the list can be used for events",
    async (kit) => {
      const zones = list((await kit.ok("listTimeZones")).body, "data");
      expect(zones.length > 0, "data: expected time zones, got none.");
      const calendar = await kit.calendar();
      for (let pick = 0; pick < 5; pick++) {
        const label = String(zones[Math.floor(kit.session.random() * zones.length)]?.["label"]);
        equal((await kit.event(calendar, { timezone: label }))["timezone"], label, "timezone");
      }
    },
  ),
];
