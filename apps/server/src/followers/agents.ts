/** The values of `calendar_type` (rulings R5.6), in the order of the buttons on the follow page. */
export const apps = ["apple", "google", "outlookcom", "office365", "outlook", "yahoo", "ical"] as const;

export type App = (typeof apps)[number];

/**
 * Substrings of a User-Agent and the app they identify; the first match wins. They name programs, not operating systems:
 * Safari sends "Mac OS X" too. Substrings instead of regular expressions keep the time linear for any User-Agent.
 */
const agents: readonly (readonly [app: App | "browser", substrings: readonly string[]])[] = [
  ["google", ["Google-Calendar-Importer"]],
  ["outlookcom", ["Microsoft Exchange/"]], // Microsoft 365 sends the same: see `refinedType`
  ["outlook", ["Microsoft Outlook", "Microsoft Office/", "Outlook-iOS", "Outlook-Android"]],
  ["apple", ["dataaccessd", "CalendarAgent", "CalendarStore/", "iCal/"]],
  ["ical", ["Thunderbird", "Lightning/", "ICSx5/", "Nextcloud", "NextCloud", "Evolution"]],
  ["ical", ["Fastmail", "Proton", "HomeAssistant"]],
  ["yahoo", ["Yahoo"]],
  ["browser", ["Mozilla/", "Chrome/", "Safari/"]],
];

/** Only this many UTF-16 code units of a User-Agent are searched. */
const maxSearchedLength = 512;

/** What User-Agents were lately recognised as: few programs fetch many feeds. It has few, and short ones, so that it stays small. */
const recognised = new Map<string, App | "browser" | undefined>();
const mostRecognised = 1_000;

/** Returns the app that fetches a feed: "browser" for a person who views it, undefined for a tool or an unknown program. */
export function appOfUserAgent(userAgent: string | undefined): App | "browser" | undefined {
  if (userAgent === undefined) return undefined;
  if (userAgent.length > maxSearchedLength) return searched(userAgent.slice(0, maxSearchedLength));
  const known = recognised.get(userAgent);
  if (known !== undefined || recognised.has(userAgent)) return known;
  if (recognised.size >= mostRecognised) recognised.clear();
  const app = searched(userAgent);
  recognised.set(userAgent, app);
  return app;
}

function searched(text: string): App | "browser" | undefined {
  return agents.find(([, substrings]) => substrings.some((substring) => text.includes(substring)))?.[0];
}

/** What polls are counted by (extensions X8.7): whatever the User-Agent, it is one of these. */
export const pollers = [...apps, "browser", "other"] as const;

/** Returns which of them polls a feed, whose follower chose a button. */
export function pollingApp(userAgent: string | undefined, chosen = ""): (typeof pollers)[number] {
  return refinedType(chosen, appOfUserAgent(userAgent) ?? "other");
}

/**
 * Returns the type of a follower whose app was recognised. Outlook.com and Microsoft 365 send the same User-Agent, so only
 * the chosen button distinguishes them.
 */
export function refinedType<T extends string>(chosen: string, app: T): T | "office365" {
  return app === "outlookcom" && chosen === "office365" ? chosen : app;
}
