import { equal, expect } from "../engine/assert.js";
import { idOf, list, member } from "../engine/json.js";
import { titles, aroundNow, around, forms, upcomingTitles } from "./event-list-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventUpcomingChecks = [
  required(
    "events.list.upcoming-now",
    "4.5 upcoming",
    "upcoming=now lists what is to come, and not what is over",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "UTC" });
      const { serverTime } = await kit.ok("listEvents", { calendar_id: idOf(calendar) });
      const [past, future] = aroundNow(serverTime);
      await kit.event(calendar, { title: "past", start_date: past });
      await kit.event(calendar, { title: "future", start_date: future });
      equal(
        (await kit.events(calendar, { upcoming: "now" })).map(({ title }) => title),
        ["future"],
        "upcoming events",
      );
    },
  ),
  ...forms.map(([id, moment, form]) =>
    required(
      `events.list.upcoming.${id}`,
      ["4.5 forms", "4.5 upcoming"],
      `upcoming takes ${form} and lists from then`,
      async (kit) => {
        const found = await upcomingTitles(kit, moment);
        expect(
          found.includes("later") && !found.includes("earlier"),
          `upcoming=${moment}: expected "later" without "earlier", got ${found.join(", ")}.`,
        );
      },
    ),
  ),
  required(
    "events.list.upcoming.am",
    "4.5 forms",
    "In upcoming, am and pm tell the half of the day",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "UTC" });
      await kit.event(calendar, { title: "noon", start_date: "03/05/2026 12:00" });
      for (const [moment, wanted] of [
        ["2026/03/05 01:30am", 1],
        ["2026/03/05 01:30pm", 0],
        ["03/05/2026 11:30am", 1],
        ["03/05/2026 11:30pm", 0],
      ] as const)
        equal((await kit.events(calendar, { upcoming: moment })).length, wanted, `events from ${moment}`);
    },
  ),
  recommended(
    "events.list.upcoming-includes-the-moment",
    "R3.6",
    "upcoming includes an event that starts at that very moment",
    async (kit) => {
      for (const [, moment] of forms)
        equal(await upcomingTitles(kit, moment), ["exact", "after", "later"], `upcoming=${moment}`);
    },
  ),
  recommended(
    "events.list.upcoming-in-the-calendar-zone",
    "R3.6",
    "upcoming is read in the zone of the calendar",
    async (kit) => {
      const calendar = await kit.calendar({ timezone: "Asia/Tokyo" });
      await kit.event(calendar, {
        title: "New York",
        timezone: "America/New_York",
        start_date: "07/04/2026 20:00",
      });
      equal(
        (await kit.events(calendar, { upcoming: "2026-07-05 09:00:00" })).length,
        1,
        "events from 09:00 in Tokyo",
      );
      equal(
        (await kit.events(calendar, { upcoming: "2026-07-05 09:00:01" })).length,
        0,
        "events from 09:00:01 in Tokyo",
      );
    },
  ),
  recommended("events.list.upcoming-soonest-first", "R3.6", "upcoming lists the soonest first", async (kit) =>
    equal(await titles(kit, { upcoming: "2020-01-01 00:00:00" }), ["January", "February", "March"], "order"),
  ),
  required(
    "events.list.upcoming-ignores-order",
    "4.5 ignored",
    "With upcoming, order_by changes nothing",
    async (kit) => {
      const upcoming = "2020-01-01 00:00:00";
      const plain = await titles(kit, { upcoming });
      for (const order_by of ["id-asc", "id-desc", "date-desc"])
        equal(await titles(kit, { upcoming, order_by }), plain, `order with order_by=${order_by}`);
    },
  ),
  recommended(
    "events.list.upcoming-ignores-bad-order",
    "R3.6",
    "With upcoming, even an unknown order_by is ignored",
    async (kit) => {
      equal(
        (await titles(kit, { upcoming: "2020-01-01 00:00:00", order_by: "sideways" })).length,
        3,
        "events",
      );
    },
  ),
  recommended(
    "events.list.upcoming-with-month",
    "R3.6",
    "upcoming and month filter together",
    async (kit) => {
      equal(
        await titles(kit, { upcoming: "2026-02-01 00:00:00", month: "03", year: "2026" }),
        ["March"],
        "events",
      );
      equal(await titles(kit, { upcoming: "2026-02-01 00:00:00", month: "01", year: "2026" }), [], "events");
    },
  ),
  recommended(
    "events.list.upcoming-count",
    "R3.3",
    "events_count counts the upcoming events",
    async (kit) => {
      const { body } = await kit.ok("listEvents", {
        calendar_id: await around(kit),
        upcoming: "2026-03-06 00:00:00",
      });
      equal(
        [member(body, "calendar")["events_count"], list(body, "events").length],
        [1, 1],
        "events_count and events",
      );
    },
  ),
  recommended(
    "events.list.upcoming-refused",
    "R2.3",
    "An upcoming of another form, or an impossible day, is refused",
    async (kit) => {
      const calendar_id = await around(kit);
      for (const upcoming of ["soon", "2026-02-30 00:00:00", "2026-13-01 00:00:00", "2026/03/05 13:30:00"])
        await kit.refused("listEvents", { calendar_id, upcoming });
    },
  ),
  recommended("events.list.upcoming-date-alone", "R3.6", "A date alone means its midnight", async (kit) => {
    equal(await upcomingTitles(kit, "2026-03-06"), ["later"], "events");
  }),
  recommended("events.list.empty-parameters", "R1.5", "Empty filters act as if not sent", async (kit) => {
    equal(
      await titles(kit, { order_by: "", month: "", year: "", upcoming: "", page: "" }),
      ["February", "January", "March"],
      "events",
    );
  }),
];
