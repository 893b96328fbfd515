/** A whole day, in no time zone. */
export interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** The calendar of a feed: VCALENDAR (RFC 5545 3.6, RFC 7986 5). Times are Unix seconds. Empty texts are left out. */
export interface FeedCalendar {
  /** The producer of the feed, such as "-//Kalends//Kalends 1.0//EN" (RFC 5545 3.7.3). */
  readonly prodId: string;
  readonly name: string;
  readonly description: string;
  /** IANA zone name of the calendar, for X-WR-TIMEZONE. The times of the feed are in UTC. */
  readonly timezone: string;
  readonly modifiedAt: number;
  /** Refresh interval of apps, in seconds (RFC 7986 5.7). */
  readonly refreshSeconds: number;
  /** Six hexadecimal digits, such as "4682b4". */
  readonly color: string;
  /** The calendar's page, http or https. */
  readonly url?: string | undefined;
}

/** One event of a feed: VEVENT (RFC 5545 3.6.1). Times are Unix seconds. Empty texts are left out. */
export interface FeedEvent {
  readonly uid: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** Grows with every change (RFC 5545 3.8.7.4). */
  readonly sequence: number;
  readonly when:
    | { readonly startAt: number; readonly endAt: number }
    /** Both days are part of the event; `lastDay` is not before `firstDay`. */
    | { readonly firstDay: Day; readonly lastDay: Day };
  /** Confirmed when absent. */
  readonly status?: "confirmed" | "tentative" | "cancelled";
  /** Category names (RFC 5545 3.8.1.2). */
  readonly categories?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly location: string;
  /** The event's page, http or https. */
  readonly url?: string | undefined;
  /** URL of a JPEG, http or https (RFC 7986 5.10). */
  readonly image?: string | undefined;
  readonly organizer: string;
  readonly organizerEmail: string;
  /** Six hexadecimal digits, such as "4682b4"; "" for none. */
  readonly color: string;
  /** Minutes before the start; undefined for no alarm. */
  readonly reminderMinutes: number | undefined;
  /** Non-standard properties, such as X-EXAMPLE-ROOM, with texts of one line. */
  readonly own?: readonly (readonly [name: `X-${string}`, text: string])[];
}
