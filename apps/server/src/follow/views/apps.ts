import { type App, apps } from "../../subscribers/agents.js";

/** The app of a stored label; anything unknown is another app. */
export function appOfLabel(label: string): App {
  return apps.find((app) => app === label) ?? "ical";
}

/** Links that add a feed to an app, the best first. Yahoo has none: its page is where the address is pasted. */
export interface AppLink {
  readonly kind: "open" | "addByUrl" | "openYahoo";
  readonly href: string;
}

/** @param feed the feed's address, http or https. @param name what the app may call the calendar. */
export function appLinks(app: App, feed: string, name: string): readonly AppLink[] {
  return links[app](feed, name);
}

const links: Readonly<Record<App, (feed: string, name: string) => readonly AppLink[]>> = {
  apple: (feed) => [{ kind: "open", href: webcal(feed) }],
  outlook: (feed) => [{ kind: "open", href: webcal(feed) }],
  ical: (feed) => [{ kind: "open", href: webcal(feed) }],
  google: (feed) => [
    // Not documented, and it fails for some. Google takes webcal there, not https.
    {
      kind: "open",
      href: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal(feed))}`,
    },
    { kind: "addByUrl", href: "https://calendar.google.com/calendar/u/0/r/settings/addbyurl" },
  ],
  outlookcom: (feed, name) => [{ kind: "open", href: fromWeb("outlook.live.com", feed, name) }],
  office365: (feed, name) => [{ kind: "open", href: fromWeb("outlook.office.com", feed, name) }],
  yahoo: () => [{ kind: "openYahoo", href: "https://calendar.yahoo.com/" }],
};

/** iPhones do not take webcals, and every app asks by https where it can. */
function webcal(feed: string): string {
  return feed.replace(/^https?:/, "webcal:");
}

function fromWeb(host: string, feed: string, name: string): string {
  return `https://${host}/calendar/0/addfromweb?url=${encodeURIComponent(feed)}&name=${encodeURIComponent(name)}`;
}
