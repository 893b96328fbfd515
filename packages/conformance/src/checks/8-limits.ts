import { followers, recommended, required, type Run } from "../engine/check.js";
import { refusesEvent } from "../steps/events.js";
import { around } from "../steps/event-lists.js";
import { variants } from "../steps/subscribers.js";

/** The list of events of a month is refused. */
const refusesMonths =
  (months: readonly string[], years: readonly string[]): Run =>
  async (kit) => {
    for (const month of months) for (const year of years) await kit.refused("listEvents", { calendar_id: await around(kit), month, year });
  };

/** The lists of subscribers of a month are refused. */
const refusesMonthsOfAll =
  (months: readonly string[], years: readonly string[]): Run =>
  async (kit) => {
    for (const operation of variants)
      for (const month of months) for (const year of years) await kit.refused(operation, { calendar_id: kit.followed, month, year });
  };

/** contract 8: limits. */
export const checks = [
  required("events.create.colour-21", ["8 color_id", "8 palette"], "Colour 21 is refused and makes nothing", refusesEvent({ color_id: "21" })),
  required("events.create.colour-0", "8 color_id", "Colour 0 is refused and makes nothing", refusesEvent({ color_id: "0" })),
  required("events.list.month-two-digits", "8 month", "The months 01 to 12 are accepted", async (kit) => {
    for (let month = 1; month <= 12; month++)
      await kit.ok("listEvents", { calendar_id: await around(kit), month: String(month).padStart(2, "0"), year: "2026" });
  }),
  required("events.list.month-13", "8 month", "Month 13 and month 00 are refused", refusesMonths(["13", "00"], ["2026"])),
  required("events.list.year-26", "8 year", "A year of two digits is refused", refusesMonths(["02"], ["26"])),
  recommended("events.list.month-one-digit", "8 month", "A month of one digit is refused", refusesMonths(["2"], ["2026"])),
  required(
    "subscribers.list.month-13",
    "8 month",
    "Month 13 and month 00 are refused, in each list of subscribers",
    followers,
    refusesMonthsOfAll(["13", "00"], ["2026"]),
  ),
  required(
    "subscribers.list.year-26",
    "8 year",
    "A year of two digits is refused, in each list of subscribers",
    followers,
    refusesMonthsOfAll(["02"], ["26"]),
  ),
];
