import type { App } from "../../subscribers/agents.js";
import { untilYear9999 } from "../../time/formats.js";
import type { ShownEventRow } from "../queries.js";
import type { EventTimes, ShownEvent } from "./shown-events.js";

/*
 * Links that open an app's form for a new event, filled in. None of these services documents its link; the formats are those that
 * people have found out (docs/decisions/0013). Instants are in UTC, and the app shows them in the zone of its user.
 */

export const addingApps = ["google", "outlookcom", "office365", "yahoo"] as const satisfies readonly App[];

/** What a form takes of an event, beside its times. */
type AddedEvent = ShownEvent<EventTimes & Pick<ShownEventRow, "title" | "description" | "location">>;

export type AddingApp = (typeof addingApps)[number];

/** Returns the link of an app; undefined when the app cannot be given the event. @param page the URL of the event's page, which the app's entry then leads to. */
export function addLink(app: AddingApp, shown: AddedEvent, page: string): string | undefined {
  // Whole days end with the day after the last one, which after the year 9999 cannot be written. Yahoo's link has no end for one day.
  const isLate = shown.isAllDay && shown.lastDay + daySeconds !== untilYear9999(shown.lastDay + daySeconds);
  if (isLate && (app !== "yahoo" || shown.firstDay !== shown.lastDay)) return undefined;
  return links[app](shown, page);
}

const daySeconds = 86_400;

const links: Readonly<Record<AddingApp, (shown: AddedEvent, page: string) => string>> = {
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
  outlookcom: (shown, page) => outlookLink("outlook.live.com", shown, page),
  office365: (shown, page) => outlookLink("outlook.office.com", shown, page),
  yahoo: (shown, page) =>
    address("https://calendar.yahoo.com/", {
      v: "60",
      title: shown.event.title,
      ...yahooTimes(shown),
      desc: details(shown.event.description, page),
      in_loc: shown.event.location,
    }),
};

function outlookLink(host: string, shown: AddedEvent, page: string): string {
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

/** The first day, and the day after the last one. */
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

/** The beginning of the description, and where the rest is. */
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
