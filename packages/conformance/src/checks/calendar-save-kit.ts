import { equal } from "../engine/assert.js";
import { idOf, type Item, member, text, withId } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";

/** The calendar as the list shows it. */
export async function listedCalendar(
  kit: Kit,
  calendar: Item,
  title = text(calendar, "title"),
): Promise<Item> {
  return withId(await kit.calendars(title), idOf(calendar), "calendars");
}

export async function saved(
  kit: Kit,
  calendar: Item,
  params: Readonly<Record<string, string>>,
): Promise<Item> {
  const all = {
    calendar_id: idOf(calendar),
    title: text(calendar, "title"),
    timezone: "Asia/Tokyo",
    ...params,
  };
  return member((await kit.ok("saveCalendar", all)).body, "calendar");
}

/** Refused, and the calendar stays as it was. */
export async function refusesToSave(kit: Kit, params: Readonly<Record<string, string>>): Promise<void> {
  const calendar = await kit.calendar({ description: "before" });
  const before = await listedCalendar(kit, calendar);
  const all = {
    calendar_id: idOf(calendar),
    calendarname: "Changed",
    description: "changed",
    timezone: "Asia/Tokyo",
    ...params,
  };
  await kit.refused("saveCalendar", all);
  equal(await listedCalendar(kit, calendar), before, "the calendar after a refused save");
}

/** An id of the right form that no calendar or event has: one that was just deleted. */
export async function deletedCalendar(kit: Kit): Promise<string> {
  const id = idOf(await kit.calendar());
  await kit.ok("deleteCalendar", { calendar_id: id });
  return id;
}
