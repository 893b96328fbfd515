import { equal } from "../engine/assert.js";
import { followers, recommended } from "../engine/check.js";
import { around, edges, forms, halfDays, monthEdges, threeEvents, titles, titlesIn, aheadAt } from "../steps/event-lists.js";
import { variants } from "../steps/subscribers.js";
import { halves } from "../steps/times.js";

/** Rulings R3.5 to R3.7: filters. */
export const checks = [
  recommended("events.list.month-alone", "R3.5", "month without year, and year without month, are refused", async (kit) => {
    const { calendar } = await threeEvents(kit);
    for (const params of [{ month: "02" }, { year: "2026" }, { month: "02", year: "" }])
      await kit.refused("listEvents", { calendar_id: calendar, ...params });
  }),
  recommended(
    "subscribers.list.month-alone",
    "R3.5",
    "month without year, and year without month, are refused in each list of subscribers",
    followers,
    async (kit) => {
      for (const operation of variants)
        for (const params of [{ month: "06" }, { year: "2026" }]) await kit.refused(operation, { calendar_id: kit.followed, ...params });
    },
  ),
  recommended("events.list.month-is-local", "R3.5", "An event belongs to the month of its own local start", async (kit) => {
    for (const [month, name] of [
      ["01", "January"],
      ["02", "February"],
    ] as const)
      equal(
        [...(await titlesIn(kit, await monthEdges(kit), { month, year: "2026" }))].sort(),
        [`America/New_York ${name}`, `Pacific/Auckland ${name}`],
        `events of ${name}`,
      );
  }),
  recommended("events.list.month-and-order", "R3.5", "order_by holds within a month", async (kit) => {
    const within = async (order_by: string) => titlesIn(kit, await edges(kit), { month: "01", year: "2026", order_by });
    equal(await within("id-asc"), ["2026-01 first", "2026-01 last"], "id-asc");
    equal(await within("id-desc"), ["2026-01 last", "2026-01 first"], "id-desc");
    equal(await within("date-desc"), ["2026-01 last", "2026-01 first"], "date-desc");
  }),
  recommended(
    "events.list.upcoming-includes-the-moment",
    "R3.6",
    "upcoming includes an event that starts at that very moment, and lists the soonest first",
    async (kit) => {
      for (const [, moment] of forms)
        for (const [day, wanted] of [
          ["05", ["exact 5", "after 5", "later 5", "before 20", "exact 20", "after 20", "later 20"]],
          ["20", ["exact 20", "after 20", "later 20"]],
        ] as const)
          equal(await titlesIn(kit, await around(kit), { upcoming: moment(day) }), wanted, `upcoming=${moment(day)}`);
    },
  ),
  recommended("events.list.upcoming-in-the-calendar-zone", "R3.6", "upcoming is read in the zone of the calendar", async (kit) => {
    const calendar = await kit.calendar({ timezone: "Asia/Tokyo" });
    await kit.event(calendar, { title: "New York", timezone: "America/New_York", start_date: "07/04/2026 20:00" });
    for (const [upcoming, wanted] of [
      ["2026-07-05 09:00:00", 1],
      ["2026-07-05 09:00:01", 0],
      ["07/05/2026 09:00am", 1],
      ["2026/07/05 09:01am", 0],
    ] as const)
      equal((await kit.events(calendar, { upcoming })).length, wanted, `events from ${upcoming} in Tokyo`);
  }),
  recommended("events.list.upcoming-soonest-first", "R3.6", "upcoming lists the soonest first", async (kit) =>
    equal(await titles(kit, { upcoming: "2020-01-01 00:00:00" }), ["January", "February", "March"], "order"),
  ),
  recommended("events.list.upcoming-ignores-bad-order", "R3.6", "With upcoming, even an unknown order_by is ignored", async (kit) =>
    equal((await titles(kit, { upcoming: "2020-01-01 00:00:00", order_by: "sideways" })).length, 3, "events"),
  ),
  recommended("events.list.upcoming-with-month", "R3.6", "upcoming and month filter together", async (kit) => {
    for (const [month, wanted] of [
      ["03", ["March"]],
      ["01", []],
    ] as const)
      equal(await titles(kit, { upcoming: "2026-02-01 00:00:00", month, year: "2026" }), wanted, `events of ${month}/2026`);
  }),
  recommended("events.list.upcoming-date-alone", "R3.6", "A date alone means its midnight", async (kit) => {
    for (const [upcoming, wanted] of [
      ["2026-03-05", "00:00"],
      ["2026-03-06", "23:59"],
    ] as const)
      equal(await titlesIn(kit, await halfDays(kit), { upcoming }), aheadAt(wanted), `events from ${upcoming}`);
  }),
  recommended("events.list.upcoming-capitals", "R3.6", "In upcoming, AM and PM come in any case", async (kit) => {
    for (const [time, half, meant] of halves)
      for (const upcoming of [`2026/03/05 ${time}${half}`, `03/05/2026 ${time}${half}`, `03/05/2026 ${time}${half.charAt(0)}m`])
        equal(await titlesIn(kit, await halfDays(kit), { upcoming }), aheadAt(meant), `events from ${upcoming}`);
  }),
  recommended("events.list.unknown-order", "R3.7", "An unknown order_by is refused", async (kit) => {
    for (const order_by of ["sideways", "date-asc", "ID-ASC"])
      await kit.refused("listEvents", { calendar_id: (await threeEvents(kit)).calendar, order_by });
  }),
  recommended("subscribers.list.unknown-order", "R3.7", "An unknown order_by is refused, in each list of subscribers", followers, async (kit) => {
    for (const operation of variants) await kit.refused(operation, { calendar_id: kit.followed, order_by: "sideways" });
  }),
];
