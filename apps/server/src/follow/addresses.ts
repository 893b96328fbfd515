import type { CalendarRow } from "../db/rows.js";

/** The public paths. Each calendar app shows or keeps them, so they never change. */
export const paths = {
  page: (uniquekey: string): string => `/c/${uniquekey}`,
  follow: (uniquekey: string): string => `/c/${uniquekey}/follow`,
  embed: (uniquekey: string): string => `/c/${uniquekey}/embed`,
  /** The feed that counts nobody. */
  anonymousFeed: (calendar: Pick<CalendarRow, "uniquekey" | "calendarname">): string =>
    `/c/${calendar.uniquekey}/${slug(calendar.calendarname)}.ics`,
  follower: (key: string): string => `/f/${key}`,
  unfollow: (key: string): string => `/f/${key}/unfollow`,
  renew: (key: string): string => `/f/${key}/renew`,
  deleteData: (key: string): string => `/f/${key}/delete`,
  feed: (key: string, calendar: Pick<CalendarRow, "calendarname">): string =>
    `/f/${key}/${slug(calendar.calendarname)}.ics`,
};

/** Keeps a feed's address under 200 characters: Google fails without a word past 256. */
const slugLength = 60;

/** A name for the end of a feed's address, which Thunderbird shows as the calendar's name: `a-z`, `0-9` and `-`. */
export function slug(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "") // accents, so that "Été" is "ete"
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, "");
  return ascii === "" ? "calendar" : ascii;
}
