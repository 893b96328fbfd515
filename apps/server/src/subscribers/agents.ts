/** The values of `calendar_type` (rulings R5.6), in the order of the buttons. */
export const apps = ["apple", "google", "outlookcom", "office365", "outlook", "yahoo", "ical"] as const;

export type App = (typeof apps)[number];

/**
 * User-Agent → app; the first match wins. Programs are matched, not systems: Safari says "Mac OS X" too. No pattern
 * repeats anything, so each takes time in proportion to the text.
 */
const agents: readonly (readonly [pattern: RegExp, app: App | "browser"])[] = [
  [/Google-Calendar-Importer/, "google"],
  [/Microsoft Exchange\//, "outlookcom"], // Microsoft 365 says the same: `refinedType` tells them apart
  [/Microsoft Outlook|Microsoft Office\/|Outlook-iOS|Outlook-Android/, "outlook"],
  [/dataaccessd|CalendarAgent|CalendarStore\/|\biCal\//, "apple"],
  [/Thunderbird|Lightning\/|ICSx5\/|NextCloud|Nextcloud|Evolution|Fastmail|Proton|HomeAssistant/, "ical"],
  [/Yahoo/, "yahoo"],
  [/Mozilla\/|Chrome\/|Safari\//, "browser"],
];

/** A longer User-Agent is looked at only this far, in UTF-16 units. */
const agentLength = 512;

/** The app that fetches a feed; "browser" is a person looking at it, undefined a tool or an unknown program. */
export function appOfUserAgent(userAgent: string | undefined): App | "browser" | undefined {
  if (userAgent === undefined) return undefined;
  const text = userAgent.slice(0, agentLength);
  return agents.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * The type of a follower once its app was recognised. Outlook.com and Microsoft 365 fetch with one User-Agent: only the
 * button that was chosen tells them apart.
 */
export function refinedType(chosen: string, app: App): string {
  return app === "outlookcom" && chosen === "office365" ? chosen : app;
}
