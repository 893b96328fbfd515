import type { CalendarRow } from "../db/rows.js";

/** The public paths. Calendar apps store them, so they never change. */
export const paths = {
  page: (uniquekey: string): string => `/c/${uniquekey}`,
  follow: (uniquekey: string): string => `/c/${uniquekey}/follow`,
  embed: (uniquekey: string): string => `/c/${uniquekey}/embed`,
  /** The feed that does not identify a follower. */
  anonymousFeed: (calendar: Pick<CalendarRow, "uniquekey" | "calendarname">): string =>
    `/c/${calendar.uniquekey}/${slug(calendar.calendarname)}.ics`,
  follower: (key: string): string => `/f/${key}`,
  unfollow: (key: string): string => `/f/${key}/unfollow`,
  renew: (key: string): string => `/f/${key}/renew`,
  deleteData: (key: string): string => `/f/${key}/delete`,
  feed: (key: string, calendar: Pick<CalendarRow, "calendarname">): string =>
    `/f/${key}/${slug(calendar.calendarname)}.ics`,
};

/** Keeps a feed's address under 200 characters: Google silently fails beyond 256. */
const slugLength = 60;

/**
 * Returns the last path segment of a feed's address, without `.ics`: `a-z`, `0-9` and `-`. Thunderbird shows it as the
 * calendar's name.
 */
export function slug(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "") // "Été" becomes "ete"
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, "");
  return ascii === "" ? "calendar" : ascii;
}
