import { type App, apps } from "../../subscribers/agents.js";
import { html, type Html } from "./html.js";

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

const tile = (color: string): Html => html`<rect width="32" height="32" rx="8" fill="${color}" />`;

/**
 * Our own drawings, because the logos of the apps are trademarks: each has a colour that people know from the app, and what
 * tells it from its neighbours. Lines are white unless they have a colour.
 */
const drawings: Readonly<Record<App, Html>> = {
  apple: html`${tile("#e9e9ec")}<path d="M10 7.5h12" stroke="#d92d20" stroke-width="3" /><path
      d="m10 15 3-2v12M17 13h7l-4 12"
      stroke="#1d1d1f"
    />`,
  google: html`<rect x="5" y="5" width="20" height="20" fill="#fff" /><g stroke-width="5"
      ><path d="M5 24V7q0-2 2-2h17" stroke="#3b78e7" /><path d="M27 5v19" stroke="#f2b50f" /><path
        d="M5 27h19"
        stroke="#2c9a4b" /></g
    ><path d="M24 30v-6h6z" fill="#df4437" stroke="none" /><path d="m11 16 4 4 6-8" stroke="#3b78e7" />`,
  outlookcom: html`${tile("#0f5fb0")}<path d="M7 11h18v11H7zl9 7 9-7" />`,
  office365: html`${tile("#b5391b")}<path d="M6 12h20v12H6zM12 12V8h8v4M6 17h20" />`,
  outlook: html`${tile("#0f5fb0")}<path d="M6 8h20v13H6zM11 26h10M16 21v5" />`,
  yahoo: html`${tile("#5f01d1")}<path
      d="m8 11 5 7 5-7M13 18v6M23 9l-1.5 9M21.5 21.5v2.5"
      stroke-width="3"
    />`,
  ical: html`${tile("#5b625e")}<path d="M7 10h18v15H7zM7 15h18M12 7v5M20 7v5" />`,
};

export function appIcon(app: App): Html {
  return html`<svg class="app-icon" viewBox="0 0 32 32" aria-hidden="true">${drawings[app]}</svg>`;
}
