import { type App, apps } from "../../subscribers/agents.js";

/** Returns the app of a stored `calendar_type`; "ical" for unknown ones. */
export function appOfLabel(label: string): App {
  return apps.find((app) => app === label) ?? "ical";
}

/** Substrings of a browser's User-Agent, in this order: Android names Linux too. */
const platforms: readonly (readonly [substring: string, apps: readonly App[]])[] = [
  ["Android", ["google", "outlookcom"]],
  ["iPhone", ["apple", "google"]],
  ["iPad", ["apple", "google"]],
  ["Macintosh", ["apple", "google"]],
  ["Windows", ["outlookcom", "google"]],
];

/** Returns the apps that people on the visitor's platform use most, the first of them first. */
export function commonApps(userAgent = ""): readonly App[] {
  return platforms.find(([substring]) => userAgent.includes(substring))?.[1] ?? ["google", "apple"];
}

/** Whether the visitor's browser runs on Android, where Google Calendar cannot subscribe to a feed. */
export function isAndroid(userAgent = ""): boolean {
  return userAgent.includes("Android");
}

/** A link that adds a feed to an app. Yahoo has no such link, only a page into which users paste the address. */
export interface AppLink {
  readonly kind: "open" | "addByUrl" | "openYahoo";
  readonly href: string;
}

/** Returns the links of an app, the best first. @param feed URL, http or https. @param name shown by the app. */
export function appLinks(app: App, feed: string, name: string): readonly AppLink[] {
  return links[app](feed, name);
}

const links: Readonly<Record<App, (feed: string, name: string) => readonly AppLink[]>> = {
  apple: (feed) => [{ kind: "open", href: webcal(feed) }],
  outlook: (feed) => [{ kind: "open", href: webcal(feed) }],
  ical: (feed) => [{ kind: "open", href: webcal(feed) }],
  google: (feed) => [
    // Undocumented, and it fails for some users. Google accepts webcal here, not https.
    {
      kind: "open",
      href: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal(feed))}`,
    },
    { kind: "addByUrl", href: "https://calendar.google.com/calendar/u/0/r/settings/addbyurl" },
  ],
  outlookcom: (feed, name) => [{ kind: "open", href: outlookLink("outlook.live.com", feed, name) }],
  office365: (feed, name) => [{ kind: "open", href: outlookLink("outlook.office.com", feed, name) }],
  yahoo: () => [{ kind: "openYahoo", href: "https://calendar.yahoo.com/" }],
};

/** Not webcals: iPhones do not support it, and apps fetch webcal over https where possible. */
function webcal(feed: string): string {
  return feed.replace(/^https?:/, "webcal:");
}

function outlookLink(host: string, feed: string, name: string): string {
  return `https://${host}/calendar/0/addfromweb?url=${encodeURIComponent(feed)}&name=${encodeURIComponent(name)}`;
}
