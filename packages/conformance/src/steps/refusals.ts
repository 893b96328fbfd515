import { equal, expect } from "../engine/assert.js";
import type { Run } from "../engine/check.js";
import { idOf, idsOf, only, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { CallOptions } from "../engine/target.js";

/** Creating a calendar so is refused with this status, and makes nothing; the answer names the parameter. */
export const refusesBody =
  (status: number, options: (name: string) => CallOptions, named?: string): Run =>
  async (kit) => {
    const name = kit.name();
    const answer = await kit.refused(
      "createCalendar",
      { title: name, timezone: "Europe/Paris" },
      options(name),
    );
    equal(answer.status, status, "HTTP status");
    expect(named === undefined || answer.text.includes(named), `The body does not name ${named ?? ""}.`);
    equal(await kit.calendars(name), [], "calendars after a refused create");
  };

/** A calendar and an event that refused calls leave alone. */
export async function untouched(
  kit: Kit,
  calls: (ids: { calendar_id: string; event_id: string }) => Promise<void>,
): Promise<void> {
  const calendar = await kit.calendar();
  const event = await kit.event(calendar);
  await calls({ calendar_id: idOf(calendar), event_id: idOf(event) });
  equal(idsOf(await kit.calendars(text(calendar, "title"))), [idOf(calendar)], "the calendar");
  equal(only(await kit.events(calendar), "its events")["updated_times"], "0", "updated_times of its event");
}

/** Changes of a save that must be refused. */
export const change = { title: "Changed", start_date: someStart, timezone: "Asia/Tokyo" };
