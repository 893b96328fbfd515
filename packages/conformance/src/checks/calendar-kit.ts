import { equal } from "../engine/assert.js";
import { fixture, type Kit } from "../engine/kit.js";

export const counters = ["followers_active", "followers_total", "events_total"];
export const times = ["date_create", "date_modified"];

/** Creating with these parameters is refused, and nothing was made. */
export async function refusesToCreate(kit: Kit, params: Readonly<Record<string, string>>): Promise<void> {
  const name = kit.name();
  await kit.refused("createCalendar", {
    calendarname: name,
    description: name,
    timezone: "Europe/Paris",
    ...params,
  });
  equal(await kit.calendars(name), [], "calendars after a refused create");
}

/** A calendar that nothing changes. */
export const plainCalendar = fixture((kit) => kit.calendar({ description: "plain" }));
