import type { Item } from "../engine/item.js";
import { idOf, member, text } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { utc } from "./times.js";

/** Three events whose order differs by creation, by start and by id; created seconds apart. */
export const threeEvents = fixture(async (kit) => {
  const calendar = idOf(await kit.calendar());
  const make = async (title: string, start_date: string) =>
    idOf(await kit.event(calendar, { title, start_date }));
  const march = await make("March", "03/10/2026 10:00");
  await kit.tick();
  const january = await make("January", "01/20/2026 10:00");
  await kit.tick();
  const february = await make("February", "02/15/2026 10:00");
  return { calendar, march, january, february };
});

/** Titles of the three events, as the list orders them. */
export async function titles(kit: Kit, params: Params): Promise<readonly string[]> {
  return titlesIn(kit, (await threeEvents(kit)).calendar, params);
}

export async function titlesIn(
  kit: Kit,
  calendar: string | Item,
  params: Params,
): Promise<readonly string[]> {
  return (await kit.events(calendar, params)).map((event) => text(event, "title"));
}

/** The count that a list of events reports, and the number of events on its pages. */
export async function counts(kit: Kit, calendar_id: string, params: Params): Promise<readonly unknown[]> {
  const { body } = await kit.ok("listEvents", { calendar_id, ...params });
  return [member(body, "calendar")["events_count"], (await kit.events(calendar_id, params)).length];
}

/** A calendar at UTC with an event for each start; its title is what the row says. */
function withEvents(starts: Readonly<Record<string, string>>) {
  return fixture(async (kit) => {
    const calendar = idOf(await kit.calendar({ timezone: utc }));
    for (const [title, start_date] of Object.entries(starts))
      await kit.event(calendar, { title, start_date });
    return calendar;
  });
}

/** Two days before and after now, on the server's clock, as start dates in UTC. */
export function aroundNow(serverTime: number): readonly [string, string] {
  const format = (days: number): string => {
    const day = new Date((serverTime + days * 86_400) * 1_000).toISOString().slice(0, 10);
    return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)} 12:00`;
  };
  return [format(-2), format(2)];
}

/** Starts around 5 and 20 March 2026, 13:30: a day that could be a month, and one that could not. */
export const around = withEvents({
  "later 20": "03/22/2026 13:30",
  "after 20": "03/20/2026 13:31",
  "exact 20": "03/20/2026 13:30",
  "before 20": "03/20/2026 13:29",
  "later 5": "03/07/2026 13:30",
  "before 5": "03/05/2026 13:29",
  "exact 5": "03/05/2026 13:30",
  "after 5": "03/05/2026 13:31",
  "earlier 5": "03/03/2026 13:30",
});

/** The contract's four forms of 13:30 on a day of March 2026, two digits. */
export const forms = [
  ["year-first", (day: string) => `2026-03-${day} 13:30:00`, "YYYY-MM-DD HH:MM:SS"],
  ["day-first", (day: string) => `${day}-03-2026 13:30:00`, "DD-MM-YYYY HH:MM:SS"],
  ["year-first-ampm", (day: string) => `2026/03/${day} 01:30pm`, "YYYY/MM/DD HH:MMpm"],
  ["month-first-ampm", (day: string) => `03/${day}/2026 01:30pm`, "MM/DD/YYYY HH:MMpm"],
] as const;

/** Starts in both halves of a day, and on the next day. */
export const halfDays = withEvents({
  morning: "03/05/2026 06:00",
  evening: "03/05/2026 18:00",
  tomorrow: "03/06/2026 06:00",
});

/** Returns which of `halfDays` are ahead at that time of the 24-hour clock. */
export function aheadAt(time: string): readonly string[] {
  return ["morning", "evening", "tomorrow"].slice(time < "06:00" ? 0 : time < "18:00" ? 1 : 2);
}

/** First and last minutes of months and years. */
export const edges = withEvents({
  "2025-12": "12/31/2025 23:59",
  "2026-01 first": "01/01/2026 00:00",
  "2026-01 last": "01/31/2026 23:59",
  "2026-02 first": "02/01/2026 00:00",
  "2026-02 last": "02/28/2026 23:59",
  "2026-03": "03/01/2026 00:00",
  "2026-12": "12/31/2026 23:59",
  "2027-01": "01/01/2027 00:00",
});

/** The month edges of an event's own zone: 31 January 23:30 and 1 February 00:30 in New York and in Auckland. */
export const monthEdges = fixture(async (kit) => {
  const calendar = idOf(await kit.calendar({ timezone: utc }));
  for (const timezone of ["America/New_York", "Pacific/Auckland"]) {
    await kit.event(calendar, { timezone, title: `${timezone} January`, start_date: "01/31/2026 23:30" });
    await kit.event(calendar, { timezone, title: `${timezone} February`, start_date: "02/01/2026 00:30" });
  }
  return calendar;
});
