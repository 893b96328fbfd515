import { type App, apps } from "../../followers/agents.js";
import { daySeconds, untilYear9999 } from "../../time/formats.js";
import type { ShownEventRow } from "../public-queries.js";
import type { EventTimes, ShownEvent } from "./dates.js";
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

export function commonApps(userAgent = ""): readonly App[] {
  return platforms.find(([substring]) => userAgent.includes(substring))?.[1] ?? ["google", "apple"];
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

/*
 * Links that open an app's form for a new event, filled in. None of these services documents its link; the formats are those that
 * people have found out (docs/decisions/0013). Instants are in UTC, and the app shows them in the zone of its user.
 */

export const addingApps = ["google", "outlookcom", "office365", "yahoo"] as const satisfies readonly App[];

type AddedEvent = ShownEvent<EventTimes & Pick<ShownEventRow, "title" | "description" | "location">>;

export type AddingApp = (typeof addingApps)[number];

/** Returns the link of an app; undefined when the app cannot be given the event. @param page the URL of the event's page, which the app's entry then leads to. */
export function addLink(app: AddingApp, shown: AddedEvent, page: string): string | undefined {
  // Whole days end with the day after the last one, which after the year 9999 cannot be written. Yahoo's link has no end for one day.
  const isLate = shown.isAllDay && shown.lastDay + daySeconds !== untilYear9999(shown.lastDay + daySeconds);
  if (isLate && (app !== "yahoo" || shown.firstDay !== shown.lastDay)) return undefined;
  return addLinks[app](shown, page);
}

const addLinks: Readonly<Record<AddingApp, (shown: AddedEvent, page: string) => string>> = {
  google: (shown, page) => {
    const { event } = shown;
    const [from, to] = shown.isAllDay ? wholeDays(shown).map(compact) : instants(shown).map(compact);
    return address("https://calendar.google.com/calendar/render", {
      action: "TEMPLATE",
      text: event.title,
      dates: `${from}/${to}`,
      details: details(event.description, page),
      location: event.location,
    });
  },
  outlookcom: (shown, page) => addToOutlook("outlook.live.com", shown, page),
  office365: (shown, page) => addToOutlook("outlook.office.com", shown, page),
  yahoo: (shown, page) =>
    address("https://calendar.yahoo.com/", {
      v: "60",
      title: shown.event.title,
      ...yahooTimes(shown),
      desc: details(shown.event.description, page),
      in_loc: shown.event.location,
    }),
};

function addToOutlook(host: string, shown: AddedEvent, page: string): string {
  const { event, isAllDay } = shown;
  const [startdt = "", enddt = ""] = isAllDay ? wholeDays(shown) : instants(shown);
  return address(`https://${host}/calendar/0/deeplink/compose`, {
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: event.title,
    startdt,
    enddt,
    allday: String(isAllDay),
    body: asMarkup(details(event.description, page)), // Outlook takes the text for HTML
    location: event.location,
  });
}

/** Yahoo has no whole days but one: several are from midnight to midnight, wherever its user is. */
function yahooTimes(shown: ShownEvent): Readonly<Record<string, string>> {
  const { isAllDay, firstDay, lastDay } = shown;
  const [first = "", end = ""] = wholeDays(shown).map(compact);
  if (isAllDay && firstDay === lastDay) return { st: first, dur: "allday" };
  if (isAllDay) return { st: `${first}T000000`, et: `${end}T000000` };
  const [st = "", et = ""] = instants(shown).map(compact);
  return { st, et };
}

function wholeDays({ firstDay, lastDay }: ShownEvent): readonly string[] {
  return [firstDay, lastDay + daySeconds].map((day) => isoOf(day).slice(0, -"T00:00:00Z".length));
}

function instants({ event }: ShownEvent): readonly string[] {
  return [event.start_at, event.end_at].map(isoOf);
}

/** Returns a time as "2026-07-04T17:30:00Z". */
function isoOf(seconds: number): string {
  return new Date(untilYear9999(seconds) * 1000).toISOString().replace(".000", "");
}

function compact(iso: string): string {
  return iso.replace(/[-:]/g, "");
}

/** The encoded length of a text in a link: some browsers and mail programs cut links of more than 2,000 or so. */
const longestText = 1_000;

function details(description: string, page: string): string {
  const text = fitting(description.toWellFormed().replaceAll("\r\n", "\n").trim());
  return text === "" ? page : `${text}\n\n${page}`;
}

function fitting(text: string): string {
  let part = text;
  for (let size = encodedLength(part); size > longestText; size = encodedLength(part)) {
    const cut = part.slice(0, Math.floor((part.length * longestText) / size));
    part = cut.replace(/[\uD800-\uDBFF]$/, ""); // no half of a character
  }
  return part === text ? text : `${part}…`;
}

function encodedLength(text: string): number {
  return encodeURIComponent(text).length;
}

function asMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br>");
}

/** Leaves out what is empty. A blank is %20: Outlook shows a + as it is. */
function address(base: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return `${base}?${query.join("&")}`;
}
