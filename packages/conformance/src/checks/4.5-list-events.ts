import { equal, expect, sameSet } from "../engine/assert.js";
import { observed, reads, recommended, required } from "../engine/check.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { saveEvent } from "../steps/events.js";
import { aheadAt, around, aroundNow, edges, forms, halfDays, threeEvents, titles, titlesIn } from "../steps/event-lists.js";
import { outcome } from "../steps/observations.js";
import { halves, utc } from "../steps/times.js";

const newest = ["February", "January", "March"];

/** contract 4.5: the list of events. */
export const checks = [
  required("events.list.calendar-is-mandatory", "4.5 calendar_id", "The list without calendar_id is refused", reads, async (kit) => {
    await kit.refused("listEvents");
  }),
  required("events.list.empty", ["4.5 result", "2.1 paging"], "A calendar without events has an empty list and pages", async (kit) => {
    const { body } = await kit.ok("listEvents", { calendar_id: idOf(await kit.calendar()) });
    equal([list(body, "events"), member(body, "calendar")["events_count"]], [[], 0], "events and events_count");
    equal(member(body, "paging")["previous"], "", "paging.previous");
  }),
  required("events.list.default-order", "4.5 default", "Without order_by the event created last is listed first", async (kit) =>
    equal(await titles(kit, {}), newest, "order"),
  ),
  required("events.list.id-asc", "4.5 order_by", "id-asc lists by ascending id", async (kit) => {
    const { march, january, february, calendar } = await threeEvents(kit);
    equal(
      idsOf(await kit.events(calendar, { order_by: "id-asc" })),
      [march, january, february].toSorted((a, b) => Number(a) - Number(b)),
      "ids",
    );
  }),
  required("events.list.id-desc", "4.5 order_by", "id-desc lists by descending id", async (kit) => {
    const { march, january, february, calendar } = await threeEvents(kit);
    equal(
      idsOf(await kit.events(calendar, { order_by: "id-desc" })),
      [march, january, february].toSorted((a, b) => Number(b) - Number(a)),
      "ids",
    );
  }),
  required("events.list.date-desc-is-accepted", "4.5 order_by", "date-desc lists all events", async (kit) =>
    sameSet(await titles(kit, { order_by: "date-desc" }), newest, "events"),
  ),
  recommended("events.list.save-keeps-order", "4.5 default", "Saving an event does not move it in the default order", async (kit) => {
    const calendar = await kit.calendar();
    const [one, two] = [await kit.event(calendar), await kit.event(calendar)];
    await kit.tick();
    await saveEvent(kit, one);
    equal(idsOf(await kit.events(calendar)), [idOf(two), idOf(one)], "order");
  }),
  required("events.list.month", "4.5 month", "month and year list the events of that month only", async (kit) => {
    equal(await titles(kit, { month: "02", year: "2026" }), ["February"], "events of February");
    equal(await titles(kit, { month: "01", year: "2026" }), ["January"], "events of January");
    equal(await titles(kit, { month: "02", year: "2025" }), [], "events of another year");
  }),
  required("events.list.month-edges", "4.5 month", "A month begins with its first minute and ends with its last", async (kit) => {
    for (const [year, month] of [
      ["2025", "12"],
      ["2026", "01"],
      ["2026", "02"],
      ["2026", "03"],
      ["2026", "12"],
      ["2027", "01"],
    ] as const) {
      const found = await titlesIn(kit, await edges(kit), { month, year });
      const all = await titlesIn(kit, await edges(kit), {});
      sameSet(
        found,
        all.filter((title) => title.startsWith(`${year}-${month}`)),
        `events of ${month}/${year}`,
      );
    }
  }),
  required("events.list.month-with-orders", ["4.5 month", "4.5 order_by"], "month filters in every order", async (kit) => {
    for (const order_by of ["id-asc", "id-desc", "date-desc"]) {
      const found = await titlesIn(kit, await edges(kit), { month: "01", year: "2026", order_by });
      sameSet(found, ["2026-01 first", "2026-01 last"], `events of January with ${order_by}`);
    }
  }),
  required("events.list.upcoming-now", "4.5 upcoming", "upcoming=now lists what is to come, and not what is over", async (kit) => {
    const calendar = await kit.calendar({ timezone: utc });
    const { serverTime } = await kit.ok("listEvents", { calendar_id: idOf(calendar) });
    const [past, future] = aroundNow(serverTime);
    await kit.event(calendar, { title: "past", start_date: past });
    await kit.event(calendar, { title: "future", start_date: future });
    equal(await titlesIn(kit, calendar, { upcoming: "now" }), ["future"], "upcoming events");
  }),
  ...forms.map(([id, moment, form]) =>
    required(`events.list.upcoming.${id}`, ["4.5 forms", "4.5 upcoming"], `upcoming takes ${form} and lists from then`, async (kit) => {
      const all = await titlesIn(kit, await around(kit), {});
      for (const [day, over] of [
        ["05", ["earlier 5", "before 5"]],
        ["20", ["earlier 5", "before 5", "exact 5", "after 5", "later 5", "before 20"]],
      ] as const) {
        // Whether the very moment belongs to it is for rulings to decide.
        const found = (await titlesIn(kit, await around(kit), { upcoming: moment(day) })).filter((title) => title !== `exact ${Number(day)}`);
        sameSet(
          found,
          all.filter((title) => !over.some((past) => past === title) && title !== `exact ${Number(day)}`),
          `events from ${moment(day)}`,
        );
      }
    }),
  ),
  required("events.list.upcoming.seconds", ["4.5 forms", "4.5 upcoming"], "The seconds of upcoming count", async (kit) => {
    for (const [upcoming, wanted] of [
      ["2026-03-05 13:29:59", ["exact 5"]],
      ["2026-03-05 13:30:01", []],
      ["05-03-2026 13:29:59", ["exact 5"]],
      ["05-03-2026 13:30:01", []],
    ] as const)
      equal(
        (await titlesIn(kit, await around(kit), { upcoming })).filter((title) => title === "exact 5"),
        wanted,
        `events that start at 13:30:00, with upcoming=${upcoming}`,
      );
  }),
  required("events.list.upcoming.am", "4.5 forms", "In upcoming, am and pm tell the half of the day, 12 too", async (kit) => {
    for (const [time, half, meant] of halves)
      for (const upcoming of [`2026/03/05 ${time}${half.toLowerCase()}`, `03/05/2026 ${time}${half.toLowerCase()}`])
        sameSet(await titlesIn(kit, await halfDays(kit), { upcoming }), aheadAt(meant), `events from ${upcoming}`);
  }),
  required("events.list.upcoming-ignores-order", "4.5 ignored", "With upcoming, order_by changes nothing", async (kit) => {
    const upcoming = "2020-01-01 00:00:00";
    const plain = await titles(kit, { upcoming });
    for (const order_by of ["id-asc", "id-desc", "date-desc"])
      equal(await titles(kit, { upcoming, order_by }), plain, `order with order_by=${order_by}`);
  }),
  required("events.list.one-calendar-only", "4.5 calendar_id", "Filters and orders keep to the calendar that was named", async (kit) => {
    const [calendar, other] = [await kit.calendar(), await kit.calendar()];
    const ids = [idOf(await kit.event(calendar))];
    await kit.event(other);
    for (const params of [{}, { order_by: "date-desc" }, { month: "07", year: "2026" }, { upcoming: "2020-01-01 00:00:00" }]) {
      const found = idsOf(await kit.events(calendar, params));
      expect(found.join() === ids.join(), `events with ${JSON.stringify(params)}: expected ${ids.join()}, got ${found.join()}.`);
    }
  }),
  observed("lists.observed.unknown-order", "4.5 order_by", "What an unknown order_by answers", async (kit) => {
    kit.observe(outcome(await kit.call("listEvents", { calendar_id: await around(kit), order_by: "sideways" })));
  }),
  observed("lists.observed.month-alone", "4.5 month", "What month without year answers", async (kit) => {
    kit.observe(outcome(await kit.call("listEvents", { calendar_id: await around(kit), month: "02" })));
  }),
];
