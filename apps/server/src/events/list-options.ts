import type { Params } from "@kalends/spec";
import { offsetOf, type Page } from "../db/paging.js";
import { monthOf, parseUpcoming } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import type { EventListOptions } from "./page-queries.js";

/** Which events a list shows, by its parameters. `now` is in Unix seconds. */
export function listOptions(
  params: Pick<Params<"eventsList">, "month" | "year" | "upcoming" | "order_by">,
  zone: string,
  now: number,
  page: Page,
): EventListOptions {
  const { month, year, upcoming } = params;
  return {
    ...(month === undefined || year === undefined ? {} : { startMonth: monthOf(year, month) }),
    ...(upcoming === undefined ? {} : { startsFrom: upcoming === "now" ? now : moment(upcoming, zone) }),
    // Upcoming events come soonest first, and order_by is ignored (contract 4.5).
    order: upcoming === undefined ? (params.order_by ?? "id-desc") : "date-asc",
    limit: page.size,
    offset: offsetOf(page),
  };
}

/** A date/time of `upcoming`, read in the calendar's time zone (rulings R3.6), as Unix seconds. */
function moment(text: string, zone: string): number {
  const local = parseUpcoming(text);
  if (local === undefined) throw new RangeError("the date was not checked");
  return toUnix(local, zone);
}
