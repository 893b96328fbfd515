import { scratchCalendar } from "./event-kit.js";
import { equal } from "../engine/assert.js";
import { idOf, type Item, member, withId } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";

export type Params = Readonly<Record<string, string>>;

export async function saveEvent(kit: Kit, event: Item, params: Params = {}): Promise<Item> {
  const all = { event_id: idOf(event), title: "Saved", start_date: someStart, ...params };
  return member((await kit.ok("saveEvent", all)).body, "event");
}

/** Makes an event, saves it, and finds these values in the answer and in the list. */
export async function saves(
  kit: Kit,
  made: Params,
  sent: Params,
  wanted: Item,
  zone?: string,
): Promise<void> {
  const calendar = await (zone === undefined ? scratchCalendar(kit) : kit.calendar({ timezone: zone }));
  const event = await saveEvent(kit, await kit.event(calendar, made), sent);
  const listed = withId(await kit.events(calendar), idOf(event), "events");
  for (const [field, value] of Object.entries(wanted)) {
    equal(event[field], value, `${field} of the answer`);
    equal(listed[field], value, `${field} in the list`);
  }
}

/** Refused, and the event stays as it was. */
export async function refusesToSave(kit: Kit, params: Params): Promise<void> {
  const calendar = await scratchCalendar(kit);
  const id = idOf(await kit.event(calendar, { location: "Before" }));
  const before = withId(await kit.events(calendar), id, "events");
  await kit.refused("saveEvent", { event_id: idOf(before), location: "After", ...params });
  equal(withId(await kit.events(calendar), id, "events"), before, "the event after a refused save");
}

export async function deletedEvent(kit: Kit): Promise<{ readonly calendar: Item; readonly id: string }> {
  const calendar = await kit.calendar();
  const id = idOf(await kit.event(calendar));
  await kit.ok("deleteEvent", { event_id: id });
  return { calendar, id };
}
