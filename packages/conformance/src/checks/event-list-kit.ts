import { idOf, text } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";

export type Params = Readonly<Record<string, string>>;

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

export async function titles(kit: Kit, params: Params): Promise<readonly string[]> {
  const { calendar } = await threeEvents(kit);
  return (await kit.events(calendar, params)).map((event) => text(event, "title"));
}

/** Two days before and after now, on the server's clock, as start dates in UTC. */
export function aroundNow(serverTime: number): readonly [string, string] {
  const format = (days: number): string => {
    const [year = "", month = "", day = ""] = new Date((serverTime + days * 86_400) * 1_000)
      .toISOString()
      .slice(0, 10)
      .split("-");
    return `${month}/${day}/${year} 12:00`;
  };
  return [format(-2), format(2)];
}

/** Starts around 5 March 2026, 13:30: two days before, a minute before, the moment, a minute after, two days after. */
export const around = fixture(async (kit) => {
  const calendar = idOf(await kit.calendar({ timezone: "America/New_York" }));
  const starts = {
    later: "03/07/2026 13:30",
    before: "03/05/2026 13:29",
    exact: "03/05/2026 13:30",
    after: "03/05/2026 13:31",
    earlier: "03/03/2026 13:30",
  };
  for (const [title, start_date] of Object.entries(starts)) await kit.event(calendar, { title, start_date });
  return calendar;
});

/** The contract's four forms of one moment. */
export const forms = [
  ["year-first", "2026-03-05 13:30:00", "YYYY-MM-DD HH:MM:SS"],
  ["day-first", "05-03-2026 13:30:00", "DD-MM-YYYY HH:MM:SS"],
  ["year-first-ampm", "2026/03/05 01:30pm", "YYYY/MM/DD HH:MMpm"],
  ["month-first-ampm", "03/05/2026 01:30pm", "MM/DD/YYYY HH:MMpm"],
] as const;

export async function upcomingTitles(
  kit: Kit,
  upcoming: string,
  params: Params = {},
): Promise<readonly string[]> {
  return (await kit.events(await around(kit), { upcoming, ...params })).map((event) => text(event, "title"));
}

/** The month edges of an event's own zone: 31 January 23:30 and 1 February 00:30 in New York and in Auckland. */
export const monthEdges = fixture(async (kit) => {
  const calendar = idOf(await kit.calendar({ timezone: "UTC" }));
  for (const timezone of ["America/New_York", "Pacific/Auckland"]) {
    await kit.event(calendar, { timezone, title: `${timezone} January`, start_date: "01/31/2026 23:30" });
    await kit.event(calendar, { timezone, title: `${timezone} February`, start_date: "02/01/2026 00:30" });
  }
  return calendar;
});
