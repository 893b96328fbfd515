import { equal } from "../engine/assert.js";
import { idsOf, member } from "../engine/json.js";
import { threeEvents, titles, monthEdges } from "./event-list-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventMonthChecks = [
  required(
    "events.list.month",
    "4.5 month",
    "month and year list the events of that month only",
    async (kit) => {
      equal(await titles(kit, { month: "02", year: "2026" }), ["February"], "events of February");
      equal(await titles(kit, { month: "01", year: "2026" }), ["January"], "events of January");
      equal(await titles(kit, { month: "02", year: "2025" }), [], "events of another year");
    },
  ),
  required("events.list.month-two-digits", "8 month", "The months 01 to 12 are accepted", async (kit) => {
    const { calendar } = await threeEvents(kit);
    for (const month of ["01", "09", "10", "12"])
      await kit.ok("listEvents", { calendar_id: calendar, month, year: "2026" });
  }),
  required("events.list.month-13", "8 month", "Month 13 and month 00 are refused", async (kit) => {
    const { calendar } = await threeEvents(kit);
    for (const month of ["13", "00"])
      await kit.refused("listEvents", { calendar_id: calendar, month, year: "2026" });
  }),
  required("events.list.year-26", "8 year", "A year of two digits is refused", async (kit) => {
    await kit.refused("listEvents", {
      calendar_id: (await threeEvents(kit)).calendar,
      month: "02",
      year: "26",
    });
  }),
  recommended("events.list.month-one-digit", "8 month", "A month of one digit is refused", async (kit) => {
    await kit.refused("listEvents", {
      calendar_id: (await threeEvents(kit)).calendar,
      month: "2",
      year: "2026",
    });
  }),
  recommended(
    "events.list.month-alone",
    "R3.5",
    "month without year, and year without month, are refused",
    async (kit) => {
      const { calendar } = await threeEvents(kit);
      await kit.refused("listEvents", { calendar_id: calendar, month: "02" });
      await kit.refused("listEvents", { calendar_id: calendar, year: "2026" });
    },
  ),
  recommended(
    "events.list.month-is-local",
    "R3.5",
    "An event belongs to the month of its own local start",
    async (kit) => {
      for (const [month, name] of [
        ["01", "January"],
        ["02", "February"],
      ] as const) {
        const found = (await kit.events(await monthEdges(kit), { month, year: "2026" })).map(
          ({ title }) => title,
        );
        equal(
          found.map(String).toSorted((a, b) => (a < b ? -1 : 1)),
          [`America/New_York ${name}`, `Pacific/Auckland ${name}`],
          `events of ${name}`,
        );
      }
    },
  ),
  recommended("events.list.month-and-order", "R3.5", "order_by holds within a month", async (kit) => {
    const asc = idsOf(
      await kit.events(await monthEdges(kit), { month: "01", year: "2026", order_by: "id-asc" }),
    );
    const desc = idsOf(
      await kit.events(await monthEdges(kit), { month: "01", year: "2026", order_by: "id-desc" }),
    );
    equal(asc, desc.toReversed(), "id-asc");
  }),
  recommended(
    "events.list.month-count",
    "R3.3",
    "events_count counts the events of the month",
    async (kit) => {
      const { calendar } = await threeEvents(kit);
      const { body } = await kit.ok("listEvents", { calendar_id: calendar, month: "02", year: "2026" });
      equal(member(body, "calendar")["events_count"], 1, "events_count");
    },
  ),
];
