import { randomFrom } from "../test/random.js";

// How the apps of followers poll in the hour that bench/polls.ts simulates: docs/capacity.md has the reasons for each figure.

export interface App {
  readonly name: string;
  /** Value of `calendar_type`. */
  readonly type: "apple" | "google" | "outlookcom" | "outlook" | "ical";
  readonly userAgent: string;
  /** Share of the followers, in percent. */
  readonly percent: number;
  readonly everyMinutes: number;
  /** Share of the followers whose app polls in the first minute of an hour, in percent; the others poll at any time. */
  readonly atHourPercent: number;
  /** Whether it sends the ETag of its last response. */
  readonly isConditional: boolean;
}

const appleAgent = "iOS/18.5 (22F76) dataaccessd/1.0";
const exchangeAgent = "Microsoft Exchange/15.20 (Windows NT 10.0; Win64; x64)";
const outlookAgent = "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.16327; Pro)";

export const pollApps: readonly App[] = [
  app("Apple Calendar", "apple", appleAgent, [45, 30, 5], true),
  app("Google Calendar", "google", "Google-Calendar-Importer", [30, 480, 5], false),
  app("Outlook.com, Microsoft 365", "outlookcom", exchangeAgent, [15, 180, 5], false),
  app("Outlook for Windows", "outlook", outlookAgent, [4, 60, 50], false),
  app("Thunderbird", "ical", "Thunderbird/128.0", [2, 30, 5], true),
  app("Nextcloud, ICSx5, Fastmail", "ical", "Nextcloud Webcal Service", [3, 60, 100], true),
  app("Proton", "ical", "Proton", [1, 480, 5], false),
];

function app(
  name: string,
  type: App["type"],
  userAgent: string,
  [percent, everyMinutes, atHourPercent]: readonly [number, number, number],
  isConditional: boolean,
): App {
  return { name, type, userAgent, percent, everyMinutes, atHourPercent, isConditional };
}

export interface Follower {
  readonly number: number;
  readonly app: App;
  /** From 0: few calendars have many followers. */
  readonly calendar: number;
  /** When it polls first, in seconds after the full hour. */
  readonly firstAt: number;
  /** Whether the calendar has changed since its last poll. */
  readonly isStale: boolean;
}

/** Returns followers of `calendars` calendars that change once a day: the same for each run. */
export function makeFollowers(count: number, calendars: number): readonly Follower[] {
  const random = randomFrom(1);
  return pollApps
    .flatMap((one) => Array.from({ length: Math.round((count * one.percent) / 100) }, () => one))
    .map((one, number) => {
      const isAtHour = random() * 100 < one.atHourPercent;
      const hours = Math.max(1, one.everyMinutes / 60);
      const firstAt = isAtHour
        ? Math.floor(random() * hours) * 3600 + random() * 60
        : random() * one.everyMinutes * 60;
      const calendar = Math.floor(calendars * random() ** 3);
      return { number, app: one, calendar, firstAt, isStale: random() * 1440 < one.everyMinutes };
    });
}

export interface Poll {
  /** Seconds after the full hour. */
  readonly at: number;
  readonly follower: Follower;
}

/** Returns the polls of the first minutes of the hour, in their order. */
export function pollsOf(followers: readonly Follower[], minutes: number): readonly Poll[] {
  const polls: Poll[] = [];
  for (const follower of followers)
    for (let at = follower.firstAt; at < minutes * 60; at += follower.app.everyMinutes * 60)
      polls.push({ at, follower });
  return polls.toSorted((one, other) => one.at - other.at);
}
