import type { CalendarRow } from "../db/rows.js";

/** The public paths. Calendar apps store them, so they never change. */
export const paths = {
  page: (uniquekey: string): string => `/c/${uniquekey}`,
  follow: (uniquekey: string): string => `/c/${uniquekey}/follow`,
  embed: (uniquekey: string): string => `/c/${uniquekey}/embed`,
  event: (uniquekey: string, uid: string): string => `/c/${uniquekey}/e/${encodeURIComponent(uid)}`,
  eventFile: (uniquekey: string, uid: string): string => `${paths.event(uniquekey, uid)}.ics`,
  /** The feed that does not identify a follower. */
  anonymousFeed: (calendar: Pick<CalendarRow, "uniquekey" | "calendarname">): string =>
    `/c/${calendar.uniquekey}/${slug(calendar.calendarname)}.ics`,
  /** A month of the calendar, its season and its poster, for paper. */
  print: (uniquekey: string): string => `/c/${uniquekey}/print`,
  season: (uniquekey: string): string => `/c/${uniquekey}/season`,
  poster: (uniquekey: string): string => `/c/${uniquekey}/poster`,
  /** The list or the month of the calendar, for a frame of another site. */
  frame: (uniquekey: string): string => `/c/${uniquekey}/frame`,
  /** The portal of an account, by its key (extensions X11.3). */
  portal: (key: string): string => `/o/${key}`,
  followSeveral: "/follow",
  follower: (key: string): string => `/f/${key}`,
  unfollow: (key: string): string => `/f/${key}/unfollow`,
  renew: (key: string): string => `/f/${key}/renew`,
  categories: (key: string): string => `/f/${key}/categories`,
  calendars: (key: string): string => `/f/${key}/calendars`,
  mail: (key: string): string => `/f/${key}/mail`,
  /** Where a link in a message leads. */
  mailLink: (kind: string, token: string): string => `/m/${kind}/${token}`,
  news: (uniquekey: string): string => `/c/${uniquekey}/news.atom`,
  deleteData: (key: string): string => `/f/${key}/delete`,
  feed: (key: string, calendar: Pick<CalendarRow, "calendarname">): string =>
    `/f/${key}/${slug(calendar.calendarname)}.ics`,
};

/**
 * Returns the path of the page that a link leads to, wherever the link comes from: of a calendar (also by its key alone, or the link of
 * one of its events, of its feed or of its embed), or of a follower's own. Undefined when it is another link.
 */
export function pagePathIn(link: string): string | undefined {
  const text = link.trim();
  const [, calendar = /^[a-z0-9]{12}$/.exec(text)?.[0]] = /\/c\/([a-z0-9]{1,40})(?![\w-])/.exec(text) ?? [];
  if (calendar !== undefined) return paths.page(calendar);
  const [, follower] = /\/f\/([\w-]{22})(?![\w-])/.exec(text) ?? [];
  return follower === undefined ? undefined : paths.follower(follower);
}

/** Bytes in the address. Keeps a feed's address under 200: Google silently fails beyond 256. */
const slugLength = 60;

/**
 * Returns the last path segment of a feed's address, without `.ics`: lower-case letters and digits of any script, percent-encoded,
 * and `-`. Thunderbird shows it as the calendar's name.
 */
export function slug(name: string): string {
  const text = name
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1") // "Été" becomes "ete"; other scripts need their marks
    .normalize("NFC")
    .toWellFormed()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "");
  let encoded = "";
  for (const character of text) {
    const more = encodeURIComponent(character);
    if (encoded.length + more.length > slugLength) break;
    encoded += more;
  }
  return encoded.replace(/-$/, "") || "calendar";
}
