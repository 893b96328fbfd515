import type { CalendarRow } from "../db/rows.js";

/** The values of `feed_cut`: which events a feed omits because it would be too large. */
export const feedOmits = { nothing: 0, upcoming: 1, past: 2 } as const;
export type FeedOmits = keyof typeof feedOmits;

export function omittedFrom({ feed_cut }: Pick<CalendarRow, "feed_cut">): FeedOmits {
  if (feed_cut === feedOmits.upcoming) return "upcoming";
  return feed_cut === feedOmits.past ? "past" : "nothing";
}
