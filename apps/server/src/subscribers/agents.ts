/** The values of `calendar_type` (rulings R5.6), in the order of the buttons. */
export const apps = ["apple", "google", "outlookcom", "office365", "outlook", "yahoo", "ical"] as const;

export type App = (typeof apps)[number];

/**
 * What a User-Agent holds → app; the first match wins. Programs are looked for, not systems: Safari says "Mac OS X" too.
 * Plain texts instead of patterns, so that no User-Agent takes long.
 */
const agents: readonly (readonly [app: App | "browser", texts: readonly string[]])[] = [
  ["google", ["Google-Calendar-Importer"]],
  ["outlookcom", ["Microsoft Exchange/"]], // Microsoft 365 says the same: `refinedType` tells them apart
  ["outlook", ["Microsoft Outlook", "Microsoft Office/", "Outlook-iOS", "Outlook-Android"]],
  ["apple", ["dataaccessd", "CalendarAgent", "CalendarStore/", "iCal/"]],
  ["ical", ["Thunderbird", "Lightning/", "ICSx5/", "Nextcloud", "NextCloud", "Evolution"]],
  ["ical", ["Fastmail", "Proton", "HomeAssistant"]],
  ["yahoo", ["Yahoo"]],
  ["browser", ["Mozilla/", "Chrome/", "Safari/"]],
];

/** A longer User-Agent is looked at only this far, in UTF-16 units. */
const agentLength = 512;

/** The app that fetches a feed; "browser" is a person looking at it, undefined a tool or an unknown program. */
export function appOfUserAgent(userAgent: string | undefined): App | "browser" | undefined {
  if (userAgent === undefined) return undefined;
  const text = userAgent.slice(0, agentLength);
  return agents.find(([, texts]) => texts.some((known) => text.includes(known)))?.[0];
}

/**
 * The type of a follower once its app was recognised. Outlook.com and Microsoft 365 fetch with one User-Agent: only the
 * button that was chosen tells them apart.
 */
export function refinedType(chosen: string, app: App): string {
  return app === "outlookcom" && chosen === "office365" ? chosen : app;
}
